/** SQL of a discounted price, rounded as `calculateDiscountedCents` of the contract. Null without a discount. */
export const toDiscountedSql = (alias: string, price: string) =>
  `round((${price}) * (100 - ${alias}.discount_percent) / 100.0)::bigint`;

/** SQL of what the next charge of a subscription costs, by the SQL of its full price. */
export const toNextChargeSql = (alias: string, price: string): string =>
  `(case when ${alias}.discount_periods_left > 0 then ${toDiscountedSql(alias, price)} else ${price} end)::bigint`;

/** What the next period of `subscriptions s` costs, by the price that the fan has accepted. The same as `getPriceAt`. */
export const NEXT_CENTS = toNextChargeSql(
  's',
  'case when s.agreed_price_from <= s.paid_until then s.agreed_price_cents else s.price_cents end',
);
