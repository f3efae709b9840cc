import { randomUUID } from 'node:crypto';
import type { TestUser } from '../../../testing/app.ts';

export { createTestTier, MONTHLY_TIER } from '../subscription-tiers/testing.ts';

type SubscribeOptions = {
  recurrence?: 'weekly' | 'monthaly' | 'yearly';
  count?: number;
  today?: number;
  renewal?: number;
  timeZone?: string;
  key?: string;
};

/** Subscribes to a tier. By default it costs $12.00 a month and has no trial. */
export function subscribeTo(
  fan: TestUser,
  tierId: string,
  {
    recurrence = 'monthaly',
    count = 1,
    renewal = 12,
    today = renewal,
    timeZone = 'UTC',
    key = randomUUID(),
  }: SubscribeOptions = {},
) {
  const body = { tierId, recurrence, count, expected: { today, renewal }, timeZone };
  return fan.inject('POST', '/api/customer/subscriptions', body, { 'idempotency-key': key });
}
