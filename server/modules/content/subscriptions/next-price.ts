/** The same rounding as `calculateDiscountedCents` of the contract. Null without a discount. */
const toDiscountedSql = (alias: string, price: string) =>
  `round((${price}) * (100 - ${alias}.discount_percent) / 100.0)::bigint`;

/** What the next charge of a subscription costs, by its price without a discount. All are SQL. */
export const toNextChargeSql = (alias: string, price: string): string =>
  `(case when ${alias}.discount_periods_left > 0 then ${toDiscountedSql(alias, price)} else ${price} end)::bigint`;

/** What the next period of `subscriptions s` costs, by the price that the fan has accepted. As {@link getPriceAt}. */
export const NEXT_CENTS = toNextChargeSql(
  's',
  'case when s.agreed_price_from <= s.paid_until then s.agreed_price_cents else s.price_cents end',
);
