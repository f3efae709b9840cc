/** Processes are killed with SIGKILL while they renew, and others continue. */
import { randomUUID } from 'node:crypto';
import { subscribe as subscribeRoute } from '@stagedoor/contract/content/subscriptions.ts';
import { userId } from '@stagedoor/contract/shared/ids.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { waitForBlockedQueries } from '../../../testing/locks.ts';
import { createProcesses, killProcess } from '../../../testing/processes.ts';
import { renewDueSubscriptions } from './renewals.ts';
import { subscribe } from './subscribe.ts';
import { createTestTier, DAY_MS, expectBalancedLedger, getFunds, signUpFan } from './testing.ts';

/** More than the job reads at once. */
const FANS = 130;
const soon = { timeout: 60_000, interval: 50 };

const processes = createProcesses();
let test: TestApp;
const fans: TestUser[] = [];
const ids: string[] = [];

beforeAll(async () => {
  // The started processes have the real clock, in which all renewals are due.
  test = await createTestApp({ now: new Date(Date.now() - 35 * DAY_MS) });
  const tierId = await createTestTier(await test.signUp('creator'));
  const terms = { tierId, recurrence: 'monthaly', count: 1, expected: { today: 12, renewal: 12 } };
  const body = z.parse(subscribeRoute.body, terms);
  for (let n = 0; n < FANS; n += 1) {
    const fan = await signUpFan(test, 10_000);
    fans.push(fan);
    const actor = { userId: z.parse(userId, fan.id) };
    ids.push((await subscribe(test.ctx, actor, body, randomUUID())).subscription.id);
    // Renewals are due in this order.
    test.clock.advance(1000);
  }
});
afterAll(async () => {
  await processes.endAll();
  await test.close();
});

const countRenewed = async () => {
  const { rows } = await test.owner.pool.query<{ count: number }>(
    'select count(*)::int as count from subscription_periods where number = 2',
  );
  return rows[0]?.count ?? 0;
};
async function startRenewing() {
  const { child } = await processes.startProcess(test);
  await test.owner.pool.query(`select graphile_worker.add_job('subscriptions.renew', '{}')`);
  return child;
}

it('returns although another process has locked all that is due', async () => {
  const at = test.clock.now();
  test.clock.set(new Date());
  await test.owner.transaction(async (tx) => {
    await tx.query.selectFrom('subscriptions').select('id').forUpdate().execute();
    expect(await renewDueSubscriptions(test.ctx)).toBe(FANS);
  });
  expect(await countRenewed()).toBe(0);
  test.clock.set(at);
});

it('charges each period once when processes are killed while they renew', { timeout: 180_000 }, async () => {
  const middle = fans[20];
  await test.owner.transaction(async (tx) => {
    const code = `liab:fan:${middle?.id}:wallet`;
    await tx.query.selectFrom('ledger_accounts').select('id').where('code', '=', code).forUpdate().execute();
    const starting = startRenewing();
    await vi.waitFor(async () => {
      // An idle transaction would be ended.
      await tx.run({ name: 'test-ping', text: 'select 1' }, []);
      expect(await countRenewed()).toBe(20);
    }, soon);
    await waitForBlockedQueries(test);
    await killProcess(await starting);
  });
  const second = await startRenewing();
  await vi.waitFor(async () => expect(await countRenewed()).toBeGreaterThan(50), soon);
  await killProcess(second);
  await Promise.all([startRenewing(), startRenewing()]);
  await vi.waitFor(async () => expect(await countRenewed()).toBe(FANS), soon);
  await processes.endAll();

  test.clock.set(new Date());
  await renewDueSubscriptions(test.ctx);
  const funds = await Promise.all(fans.map((fan) => getFunds(test, fan)));
  expect(funds).toEqual(fans.map(() => 10_000 - 2 * 1_200));
  const { rows } = await test.owner.pool.query(
    `select count(*)::int as sales, count(distinct subject_id)::int as subjects from sales where kind = 'subscription'`,
  );
  expect(rows).toEqual([{ sales: 2 * FANS, subjects: 2 * FANS }]);
  const { rows: grants } = await test.owner.pool.query(
    `select count(*)::int as count from subscriptions s join entitlement_grants g on g.fan_id = s.fan_id and g.subject_id = s.tier_id
     where s.id = any($1::uuid[]) and s.period_number = 2 and g.revoked_at is null and g.until > s.paid_until`,
    [ids],
  );
  expect(grants).toEqual([{ count: FANS }]);
  await expectBalancedLedger(test);
});
