import type { SubscriptionRow } from './store.ts';

/** Whether another fan paid the current period. Only the first one can be a gift. */
export function isGiftPeriod(row: Pick<SubscriptionRow, 'payer_id' | 'period_number'>): boolean {
  return row.payer_id !== null && row.period_number === 1;
}
