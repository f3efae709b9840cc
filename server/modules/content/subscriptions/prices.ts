import { getCardPrice } from '@stagedoor/contract/content/subscriptions.ts';
import { asCents, toCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { SubscriptionRow } from './store.ts';

type PricedSubscription = Pick<SubscriptionRow, 'price_cents' | 'agreed_price_cents' | 'agreed_price_from'>;

/** What a period that starts then costs, by the price that the fan has accepted. In cents. */
export function getPriceAt(row: PricedSubscription, startsAt: Date): number {
  const { agreed_price_cents: agreedCents, agreed_price_from: agreedFrom } = row;
  return agreedCents !== null && agreedFrom && agreedFrom <= startsAt ? agreedCents : row.price_cents;
}

/** What the fan pays for a price: a card is charged with the fee of a deposit. In cents. */
export function getChargedCents({ purse }: Pick<SubscriptionRow, 'purse'>, priceCents: number): number {
  return purse === 'card' ? toCents(getCardPrice(toUsd(asCents(priceCents)))) : priceCents;
}
