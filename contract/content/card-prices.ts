/** Card prices of subscriptions. They are separate from the routes, so that pages without prices do not load them. */
import { quoteAmount } from '../commerce/deposits.ts';
import { toCents, toUsd } from '../shared/money.ts';
import type { BillingPeriod } from './subscription-tiers.ts';

/** The processor charges a card after whole days, so a month is 30 of them and a year 365. */
export function getCardPeriodDays({ recurrence, count }: BillingPeriod): number {
  if (recurrence === 'weekly') return 7 * count;
  if (recurrence === 'yearly' || count === 12) return 365;
  return 30 * count;
}

/** What the card is charged each period. The fee is that of a deposit, because the payment goes through the balance. In USD. */
export function getCardPrice(price: number): number {
  return toUsd(quoteAmount(toCents(price)).payableCents);
}
