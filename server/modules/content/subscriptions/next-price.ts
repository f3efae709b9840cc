/** What the next period of `subscriptions s` costs, by the price that the fan has accepted. As {@link getPriceAt}. */
export const NEXT_CENTS =
  'case when s.agreed_price_from <= s.paid_until then s.agreed_price_cents else s.price_cents end';
