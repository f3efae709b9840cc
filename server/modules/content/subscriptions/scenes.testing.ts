/** Fans with subscriptions, and what they were notified of. */
import { expect } from 'vitest';
import type { TestApp, TestUser } from '../../../testing/app.ts';
import { account, getBalance } from '../../ledger/ledger/index.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import * as store from './store.ts';
import { createTestTier, subscribeTo } from './testing.ts';

export const DAY_MS = 86_400_000;

export type Scene = { creator: TestUser; fan: TestUser; tierId: string; subscriptionId: string };

export async function signUpFan(app: TestApp, cents = 10_000): Promise<TestUser> {
  const fan = await app.signUp('customer');
  if (cents > 0) await createDeposit(app.ctx.db, fan.id, cents);
  return fan;
}

/** Subscribes and returns the id. */
export async function startSubscription(
  fan: TestUser,
  tierId: string,
  options: Parameters<typeof subscribeTo>[2] = {},
): Promise<string> {
  const response = await subscribeTo(fan, tierId, options);
  expect(response.statusCode, response.body).toBe(200);
  return String(response.json().subscription.id);
}

/** A fan with $100.00 who subscribes to a creator’s only tier. By default it costs $12.00 a month. */
export async function createScene(
  app: TestApp,
  {
    tier = {},
    options = {},
    cents = 10_000,
  }: { tier?: Parameters<typeof createTestTier>[1]; options?: Parameters<typeof subscribeTo>[2]; cents?: number } = {},
): Promise<Scene> {
  const creator = await app.signUp('creator');
  const fan = await signUpFan(app, cents);
  const tierId = await createTestTier(creator, tier);
  const subscriptionId = await startSubscription(fan, tierId, options);
  await app.ctx.events.waitUntilIdle();
  return { creator, fan, tierId, subscriptionId };
}

export async function getSubscription(app: TestApp, id: string): Promise<store.SubscriptionView> {
  const view = await store.findView(app.ctx.db, id);
  if (!view) throw new Error(`no subscription ${id}`);
  return view;
}

export const getFunds = (app: TestApp, { id }: TestUser) => getBalance(app.ctx.db, account.wallet(id));

/** What the fan's subscriptions open now. */
export async function listGrantedIds(app: TestApp, { id }: TestUser): Promise<string[]> {
  const rows = await app.ctx.db.query
    .selectFrom('entitlement_grants')
    .select('subject_id')
    .where('fan_id', '=', id)
    .where('source', '=', 'subscription')
    .where('revoked_at', 'is', null)
    .execute();
  return rows.map((row) => row.subject_id).toSorted();
}
