import type { SubscriptionRow } from './store.ts';

type PricedSubscription = Pick<SubscriptionRow, 'price_cents' | 'agreed_price_cents' | 'agreed_price_from'>;

/** What a period that starts then costs, by the price that the fan has accepted. In cents. */
export function getPriceAt(row: PricedSubscription, startsAt: Date): number {
  const { agreed_price_cents: agreedCents, agreed_price_from: agreedFrom } = row;
  return agreedCents !== null && agreedFrom && agreedFrom <= startsAt ? agreedCents : row.price_cents;
}
