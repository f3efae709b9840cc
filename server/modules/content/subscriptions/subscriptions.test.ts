import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LAST_ID } from '../../../platform/database/pagination.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { account, getBalance } from '../../ledger/ledger/index.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { presentCurrent } from './present.ts';
import { renewDueSubscriptions } from './renewals.ts';
import * as store from './store.ts';
import { createTestTier, subscribeTo } from './testing.ts';

const DAY_MS = 86_400_000;
let test: TestApp;
let creator: TestUser;

beforeAll(async () => {
  test = await createTestApp();
  creator = await test.signUp('creator');
});
afterAll(() => test.close());

async function signUpFan(cents: number): Promise<TestUser> {
  const fan = await test.signUp('customer');
  if (cents > 0) await createDeposit(test.ctx.db, fan.id, cents);
  return fan;
}
const getFunds = (fan: TestUser) => getBalance(test.ctx.db, account.wallet(fan.id));
/** Without a session, which would expire between two renewals. */
const list = async (fan: TestUser) =>
  presentCurrent(await store.listCurrent(test.ctx.db, fan.id), test.clock.now()).data;

describe('subscribing', () => {
  it('charges the first period once, also when the request is repeated', async () => {
    const tierId = await createTestTier(creator);
    const fan = await signUpFan(5_000);
    const key = randomUUID();
    const [first, second] = await Promise.all([subscribeTo(fan, tierId, { key }), subscribeTo(fan, tierId, { key })]);
    expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
    expect(first.json().subscription.id).toBe(second.json().subscription.id);
    expect(await getFunds(fan)).toBe(3_800);
    expect(await list(fan)).toMatchObject([{ state: 'active', isRenewing: true, nextCharge: { amount: 12 } }]);
    expect((await subscribeTo(fan, tierId)).json().code).toBe('CONFLICT');
  });

  it('refuses without funds and stores nothing', async () => {
    const tierId = await createTestTier(await test.signUp('creator'));
    const fan = await signUpFan(1_000);
    expect((await subscribeTo(fan, tierId)).json().code).toBe('INSUFFICIENT_FUNDS');
    expect(await list(fan)).toEqual([]);
  });
});

describe('renewals', () => {
  it('charge the next period once in two processes, and fail without funds until the retries end', async () => {
    const tierId = await createTestTier(await test.signUp('creator'));
    const fan = await signUpFan(2_500);
    await subscribeTo(fan, tierId);
    test.clock.advance(31 * DAY_MS);
    await Promise.all([renewDueSubscriptions(test.ctx), renewDueSubscriptions(test.ctx)]);
    expect(await getFunds(fan)).toBe(100);
    test.clock.advance(31 * DAY_MS);
    await renewDueSubscriptions(test.ctx);
    expect(await list(fan)).toMatchObject([{ state: 'pastDue', failure: { amount: 12 } }]);
    for (let day = 0; day < 6; day += 1) {
      test.clock.advance(DAY_MS);
      await renewDueSubscriptions(test.ctx);
    }
    expect(await list(fan)).toEqual([]);
    const page = { before: LAST_ID, skip: 0, limit: 10 };
    expect(await store.listEnded(test.ctx.db, fan.id, page)).toMatchObject([{ end_reason: 'unpaid' }]);
  });
});
