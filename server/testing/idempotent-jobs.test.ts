/**
 * Two processes run the same long jobs concurrently, as when a living process was considered dead. Media, drafts and
 * mail are tested in their modules.
 */
import { randomUUID } from 'node:crypto';
import { broadcast as broadcastView } from '@stagedoor/contract/messaging/broadcasts.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { type App, createApp } from '../app.ts';
import {
  createOrder,
  createPaidDeposit,
  getDepositRow,
  listStoredWebhooks,
  requireCleanLedger,
} from '../modules/commerce/deposits/testing.ts';
import { createFollow } from '../modules/content/follows/testing.ts';
import { makeReadyPicture, publishPost } from '../modules/content/media/testing.ts';
import { account, getBalance, getHold, placeHold } from '../modules/ledger/ledger/index.ts';
import { createDeposit } from '../modules/ledger/ledger/testing.ts';
import { createTestApp, type TestApp, type TestUser } from './app.ts';

const TIMES = 4;

let test: TestApp;
let other: App;
const deposits: string[] = [];
const sent: string[] = [];

beforeAll(async () => {
  test = await createTestApp();
  const config = { ...test.ctx.config, role: 'worker' as const };
  const { databaseUrl, clock } = test;
  other = await createApp({ config, databaseUrl, log: test.ctx.log, clock, hasPages: false });
  const { events } = test.ctx;
  const same = () => 'test';
  events.addBroadcastHandler(
    'deposit.changed',
    'test.record',
    same,
    ({ payload }) => void deposits.push(payload.depositId),
  );
  events.addBroadcastHandler(
    'broadcast.sent',
    'test.record',
    same,
    ({ payload }) => void sent.push(payload.broadcastId),
  );
  await test.app.start();
  await other.start();
});
afterAll(async () => {
  await other.close();
  await test.close();
});

async function runAtOnce(name: string, payload: object = {}): Promise<void> {
  const { pool } = test.ctx.db;
  const jobs = await pool.query<{ id: string }>(
    `select (graphile_worker.add_job($1, $2::json)).id from generate_series(1, ${TIMES})`,
    [name, JSON.stringify(payload)],
  );
  expect(jobs.rows).toHaveLength(TIMES);
  await vi.waitFor(
    async () => {
      const { rows } = await pool.query(
        // A replaced job does not run again.
        'select attempts, last_error from graphile_worker.jobs where task_identifier = $1 and (run_at <= now() and attempts < max_attempts or last_error is not null)',
        [name],
      );
      expect(rows).toEqual([]);
    },
    { timeout: 30_000 },
  );
  await test.ctx.events.waitUntilIdle();
}

it('broadcast.send sends once, and repeated unsend events remove the message once', async () => {
  const creator = await test.signUp('creator');
  const followers = await Promise.all([test.signUp('customer'), test.signUp('customer')]);
  for (const follower of followers) await createFollow(test.ctx, follower.id, creator.id);
  const scheduledAt = new Date(test.clock.now().getTime() + 3_600_000).toISOString();
  const body = { audience: 'followers', text: 'Tonight at nine', scheduledAt };
  const { data } = (await creator.inject('POST', '/api/message/broadcast-text', body)).json();
  const { id } = z.parse(broadcastView, data);
  test.clock.advance(3_601_000);
  await runAtOnce('broadcast.send', { broadcastId: id });
  expect(sent.filter((one) => one === id)).toHaveLength(1);
  const view = async () =>
    z.parse(broadcastView, (await creator.inject('GET', `/api/message/broadcasts/${id}`)).json());
  expect(await view()).toMatchObject({ status: 'sent', recipientCount: 2 });
  const unread = async (user: TestUser) => (await user.inject('GET', '/api/message/un-read-count')).json().count;
  expect(await Promise.all(followers.map(unread))).toEqual([1, 1]);
  expect((await view()).deliveredCount).toBe(2);

  expect((await creator.inject('DELETE', `/api/message/broadcasts/${id}`)).statusCode).toBe(200);
  for (let time = 0; time < TIMES; time += 1)
    await test.ctx.db.transaction((tx) => tx.emit('broadcast.unsent', { broadcastId: id, creatorId: creator.id }));
  await test.ctx.events.waitUntilIdle();
  expect(await Promise.all(followers.map(unread))).toEqual([0, 0]);
  expect((await view()).deliveredCount).toBe(0);
});

it('deposits.sweep credits a deposit once, even if its webhook is processed again', async () => {
  const fan = await test.signUp('customer');
  const { deposit, saleId } = await createPaidDeposit(test, fan, 50);
  const [event] = await listStoredWebhooks(test, saleId);
  const before = await getBalance(test.ctx.db, account.wallet(fan.id));
  const depositCount = deposits.length;
  await test.ctx.db.query
    .updateTable('processor_webhooks')
    .set({ state: 'received' })
    .where('id', '=', event?.id ?? '')
    .execute();
  test.clock.advance(120_000);
  await runAtOnce('deposits.sweep');
  expect((await listStoredWebhooks(test, saleId)).map(({ state }) => state)).toEqual(['ignored']);
  expect((await getDepositRow(test, deposit.id)).status).toBe('success');
  expect(await getBalance(test.ctx.db, account.wallet(fan.id))).toBe(before);
  expect(deposits).toHaveLength(depositCount);
  await requireCleanLedger(test);
});

it('deposits.expire fails an order once', async () => {
  const { id } = await createOrder(test, await test.signUp('customer'), 20);
  test.clock.advance(90 * 86_400_000);
  await runAtOnce('deposits.expire');
  expect((await getDepositRow(test, id)).status).toBe('failed');
  expect(deposits.filter((one) => one === id)).toHaveLength(1);
});

it('ledger.releaseExpired releases a hold once, and ledger.clear clears earnings once', async () => {
  const [fan, creator] = await Promise.all([test.signUp('customer'), test.signUp('creator')]);
  const at = test.clock.now();
  await createDeposit(test.ctx.db, fan.id, 5_000, { at });
  const hold = await test.ctx.db.transaction((tx) =>
    placeHold(tx, {
      fanId: fan.id,
      amountCents: 2_000,
      purpose: 'test',
      operationId: randomUUID(),
      expiresAt: new Date(at.getTime() + 60_000),
      defaultLimitCents: 50_000,
      at,
    }),
  );
  const tip = await fan.inject(
    'POST',
    `/api/tip/customer-send/${creator.id}`,
    { amount: 10, type: 'profile' },
    { 'idempotency-key': randomUUID() },
  );
  expect(tip.statusCode, tip.body).toBe(200);
  test.clock.advance(40 * 86_400_000);
  await runAtOnce('ledger.releaseExpired');
  await runAtOnce('ledger.roll');
  expect((await test.ctx.db.pool.query('select from ledger_inflows')).rows).toEqual([]);
  await runAtOnce('ledger.clear');
  expect(await getHold(test.ctx.db, hold.id)).toMatchObject({ state: 'released' });
  expect(await getBalance(test.ctx.db, account.wallet(fan.id))).toBe(4_000);
  expect(await getBalance(test.ctx.db, account.pending(creator.id))).toBe(0);
  await requireCleanLedger(test);
});

it('feed.fanOut adds a post to a timeline once, and feed.withdraw removes it', async () => {
  const [follower, creator] = await Promise.all([test.signUp('customer'), test.signUp('creator')]);
  await createFollow(test.ctx, follower.id, creator.id);
  await test.ctx.events.waitUntilIdle();
  const postId = await publishPost(creator, [await makeReadyPicture(test.ctx, creator.id)]);
  const entries = () =>
    test.ctx.db.query
      .selectFrom('timelines')
      .select('post_id')
      .where('fan_id', '=', follower.id)
      .where('post_id', '=', postId)
      .execute();
  const { id: creatorId, username } = creator;
  const post = { postId, creatorId, username };
  const published = { ...post, type: 'picture', createdAt: test.clock.now().toISOString(), priceCents: 0 } as const;
  const subject = { queue: 'bulk', subject: `feed:${postId}` };
  await test.ctx.db.transaction(async (tx) => {
    for (let time = 0; time < TIMES; time += 1) await tx.emit('post.published', published);
  });
  await runAtOnce('relay.work', subject);
  expect(await entries()).toHaveLength(1);
  await test.ctx.db.transaction(async (tx) => {
    for (let time = 0; time < TIMES; time += 1) await tx.emit('post.removed', post);
  });
  await runAtOnce('relay.work', subject);
  expect(await entries()).toEqual([]);
});

it('ledger.check and reconciliation.run compare once and report each difference once', async () => {
  await createDeposit(test.ctx.db, (await test.signUp('customer')).id, 700);
  for (const name of ['ledger.check', 'reconciliation.run']) await runAtOnce(name);
  const { rows } = await test.ctx.db.pool.query(
    'select comparison, count(*)::int as runs, sum(tries)::int as tries from reconciliation_runs group by 1 order by 1',
  );
  expect(rows).toEqual(['orders', 'processor', 'sums'].map((comparison) => ({ comparison, runs: 1, tries: 1 })));
  const differences = await test.ctx.db.pool.query(
    `select kind, count(*)::int as count from reconciliation_differences where comparison = 'orders' group by 1 order by 1`,
  );
  expect(differences.rows).toContainEqual({ kind: 'clearingDiffers', count: 1 });
});
