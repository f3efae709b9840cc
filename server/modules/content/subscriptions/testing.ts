import { randomUUID } from 'node:crypto';
import type { Subscription } from '@stagedoor/contract/content/subscriptions.ts';
import { expect } from 'vitest';
import type { TestApp, TestUser } from '../../../testing/app.ts';
import { account, getBalance } from '../../ledger/ledger/index.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { checkLedger } from '../../ledger/ledger-checks/index.ts';
import { loadSubscriptionSettings } from '../subscription-tiers/index.ts';
import { presentCurrent, presentSubscription } from './present.ts';
import * as store from './store.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export { createTestOffer, createTestTier, MONTHLY_TIER } from '../subscription-tiers/testing.ts';

type SubscribeOptions = {
  recurrence?: 'weekly' | 'monthaly' | 'yearly';
  count?: number;
  today?: number;
  renewal?: number;
  timeZone?: string;
  key?: string;
  offer?: string;
  afterOffer?: number;
  /** Of the request, for a server with TRUST_PROXY. */
  address?: string;
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
    offer,
    afterOffer = offer === undefined ? undefined : 12,
    address,
  }: SubscribeOptions = {},
) {
  const body = { tierId, recurrence, count, expected: { today, renewal, afterOffer }, timeZone, offer };
  return fan.inject('POST', '/api/customer/subscriptions', body, {
    'idempotency-key': key,
    ...(address !== undefined && { 'x-forwarded-for': address }),
  });
}

export async function signUpFan(test: TestApp, cents = 0): Promise<TestUser> {
  const fan = await test.signUp('customer');
  if (cents > 0) await addFunds(test, fan, cents);
  return fan;
}

export async function addFunds({ ctx, clock }: TestApp, fan: { id: string }, cents: number): Promise<void> {
  await createDeposit(ctx.db, fan.id, cents, { at: clock.now() });
}

/** In cents, from the ledger. */
export function getFunds({ ctx }: TestApp, fan: { id: string }): Promise<number> {
  return getBalance(ctx.db, account.wallet(fan.id));
}

/** Without a session, which would expire between two renewals. */
export async function listOwn({ ctx, clock }: TestApp, fan: { id: string }) {
  const settings = await loadSubscriptionSettings(ctx.db);
  return presentCurrent(await store.listCurrent(ctx.db, fan.id), clock.now(), settings);
}

/** Also an ended one. */
export async function getSubscription({ ctx, clock }: TestApp, id: string): Promise<Subscription> {
  const view = await store.findView(ctx.db, id);
  if (!view) throw new Error('there is no such subscription');
  return presentSubscription(view, clock.now(), await loadSubscriptionSettings(ctx.db));
}

export function listPeriods({ ctx }: TestApp, id: string) {
  return ctx.db.query
    .selectFrom('subscription_periods')
    .select(['number', 'starts_at', 'ends_at', 'price_cents', 'refunded_cents'])
    .where('subscription_id', '=', id)
    .orderBy('number')
    .execute();
}

/** Subscribes with the terms of {@link subscribeTo} and returns the id of the subscription. */
export async function startTestSubscription(
  fan: TestUser,
  tierId: string,
  options: SubscribeOptions = {},
): Promise<string> {
  const response = await subscribeTo(fan, tierId, options);
  const id: unknown = response.json().subscription?.id;
  if (typeof id !== 'string') throw new Error(`did not subscribe: ${response.body}`);
  return id;
}

type Action = 'cancel' | 'resume' | 'pay' | 'refund' | 'accept-price';

/** With a new session, because earlier ones expire when the clock is advanced. */
export async function changeSubscription(
  test: TestApp,
  fan: TestUser,
  id: string,
  action: Action,
  { body = {}, key = randomUUID() }: { body?: object; key?: string } = {},
) {
  const { inject } = await test.logIn(fan);
  return inject('POST', `/api/customer/subscriptions/${id}/${action}`, body, { 'idempotency-key': key });
}

/** The subjects that a subscription opens for the fan at the time of the clock. */
export async function listOpenSubjects({ ctx, clock }: TestApp, fan: { id: string }): Promise<string[]> {
  const rows = await ctx.db.query
    .selectFrom('entitlement_grants')
    .select('subject_id')
    .where('fan_id', '=', fan.id)
    .where('source', '=', 'subscription')
    .where('revoked_at', 'is', null)
    .where((either) => either.or([either('until', 'is', null), either('until', '>', clock.now())]))
    .execute();
  return rows.map((row) => row.subject_id);
}

export async function expectBalancedLedger({ ctx }: Pick<TestApp, 'ctx'>): Promise<void> {
  const { checks } = await checkLedger(ctx.db);
  expect(checks.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
}
