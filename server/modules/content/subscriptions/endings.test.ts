import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { listMailSubjects, listNotificationKinds } from '../../../testing/inbox.ts';
import { decideWebhook } from '../../commerce/deposits/index.ts';
import {
  createPaidDeposit,
  listStoredWebhooks,
  postChargeback,
  requireCleanLedger,
} from '../../commerce/deposits/testing.ts';
import { refundSale } from '../../commerce/sales/index.ts';
import { eraseUser } from '../../identity/account-deletion/testing.ts';
import { blockAccount, unblockAccountInTx } from '../../identity/accounts/index.ts';
import { calculateUnusedCents } from './endings.ts';
import { renewDueSubscriptions } from './renewals.ts';
import {
  createScene,
  DAY_MS,
  getFunds,
  getSubscription,
  listGrantedIds,
  signUpFan,
  startSubscription,
} from './scenes.testing.ts';
import * as store from './store.ts';
import { createTestTier } from './testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: new Date('2027-01-01T12:00:00Z') });
});
afterAll(() => app.close());

const settle = () => app.ctx.events.waitUntilIdle();
const requestDeletion = async (user: TestUser) => {
  const response = await user.inject('POST', '/api/account/deletion', { currentPassword: user.password });
  expect(response.statusCode, response.body).toBe(200);
  await settle();
};
const block = async (by: TestUser, other: TestUser, isBlocked = true) => {
  const { type } = (await by.inject('GET', '/api/auth/user')).json();
  const side = type === 'creator' ? 'customer' : 'creator';
  const response = await by.inject('POST', `/api/message/block-unblock-${side}/${other.id}`, { isBlocked });
  expect(response.statusCode, response.body).toBe(200);
  await settle();
};
async function getSaleId(subscriptionId: string, number = 1): Promise<string> {
  const period = await store.findPeriod(app.ctx.db, subscriptionId, number);
  if (!period) throw new Error('no period');
  return period.sale_id;
}
async function refundAsOperator(subscriptionId: string, grossCents?: number): Promise<void> {
  const refund = { saleId: await getSaleId(subscriptionId), actorId: randomUUID(), operationId: randomUUID() };
  await app.ctx.db.transaction((tx) =>
    refundSale(tx, { ...refund, at: app.clock.now(), ...(grossCents !== undefined && { grossCents }) }),
  );
  await settle();
}

describe('what a fan gets back', () => {
  it('is the unused time of what they paid, rounded down', () => {
    const period = {
      starts_at: new Date('2027-01-01T00:00:00Z'),
      ends_at: new Date('2027-01-31T00:00:00Z'),
      price_cents: 1_000,
    };
    const at = (day: string) => new Date(`2027-01-${day}T00:00:00Z`);
    expect(calculateUnusedCents(period, at('01'))).toBe(1_000);
    expect(calculateUnusedCents(period, at('11'))).toBe(666);
    expect(calculateUnusedCents(period, at('16'), 400)).toBe(300);
    expect(calculateUnusedCents(period, new Date('2027-02-05T00:00:00Z'))).toBe(0);
    expect(calculateUnusedCents(period, new Date('2026-12-31T00:00:00Z'))).toBe(1_000);
  });
});

describe('a creator who is blocked by the platform', () => {
  it('loses all subscribers, who get the rest of the period back once', async () => {
    const { creator, fan, subscriptionId } = await createScene(app, {
      tier: { prices: { weekly: 7, monthaly: null, yearly: null } },
      options: { recurrence: 'weekly', renewal: 7 },
    });
    app.clock.advance(3.5 * DAY_MS);
    await blockAccount(app.ctx, creator.id, 'test');
    await settle();
    expect(await getSubscription(app, subscriptionId)).toMatchObject({
      end_reason: 'creatorUnavailable',
      due_at: null,
    });
    expect(await getFunds(app, fan)).toBe(10_000 - 350);
    expect(await listGrantedIds(app, fan)).toEqual([]);
    expect(await listNotificationKinds(app, fan)).toEqual(expect.arrayContaining(['subscriptionEnded', 'refund']));
    expect(await listMailSubjects(app, fan)).toEqual(['Your subscription has ended']);
    await app.ctx.db.transaction((tx) => unblockAccountInTx(tx, creator.id));
    await blockAccount(app.ctx, creator.id, 'again');
    await settle();
    expect(await getFunds(app, fan)).toBe(10_000 - 350);
    expect(await listMailSubjects(app, fan)).toHaveLength(1);
    await requireCleanLedger(app);
  });

  it('loses no subscribers if the block is reversed before it is handled', async () => {
    const { creator, subscriptionId } = await createScene(app);
    await blockAccount(app.ctx, creator.id, 'test');
    await app.ctx.db.transaction((tx) => unblockAccountInTx(tx, creator.id));
    await settle();
    expect((await getSubscription(app, subscriptionId)).ended_at).toBeNull();
  });

  it('loses more subscribers than fit into a batch', async () => {
    const creator = await app.signUp('creator');
    const tierId = await createTestTier(creator, { prices: { weekly: null, monthaly: null, yearly: null } });
    await app.owner.pool.query(
      `with fans as (insert into users (id, type, username, email, name, password_hash)
          select gen_random_uuid(), 'customer', 'many' || n, 'many' || n || '@example.org', 'Many', '!' from generate_series(1, 230) n returning id)
        insert into subscriptions (id, fan_id, creator_id, tier_id, recurrence, recurrence_count, price_cents, anchor_at, time_zone, period_number, is_renewing, started_at, joined_at)
          select gen_random_uuid(), id, $1, $2, 'monthaly', 1, 0, now(), 'UTC', 0, false, now(), now() from fans`,
      [creator.id, tierId],
    );
    await app.owner.pool.query('update subscription_tiers set subscriber_count = 230 where id = $1', [tierId]);
    await blockAccount(app.ctx, creator.id, 'test');
    await settle();
    expect(await store.listCurrentIds(app.ctx.db, creator.id, 10)).toEqual([]);
  });
});

describe('a deleted account', () => {
  it('of a creator ends at once what fans paid for, and the preview announces it', async () => {
    app.clock.set(new Date('2027-03-01T12:00:00Z'));
    const { creator, fan, subscriptionId } = await createScene(app, { cents: 1_200 });
    const { consequences } = (await creator.inject('GET', '/api/account/deletion')).json();
    expect(consequences).toContainEqual(expect.stringMatching(/^All subscriptions to you end immediately/));
    app.clock.advance(15.5 * DAY_MS);
    const before = await getFunds(app, fan);
    // Uncleared earnings prevent a request, so this is the state of an account whose earnings have cleared.
    await app.owner.pool.query('update users set is_blocked = true, is_erasing = true where id = $1', [creator.id]);
    await app.owner.pool.query(
      'insert into account_deletions (user_id, requested_at, due_at, started_at) values ($1, $2, $2, $2)',
      [creator.id, app.clock.now()],
    );
    await eraseUser(app.ctx, creator.id, { signal: undefined });
    await eraseUser(app.ctx, creator.id, { signal: undefined });
    expect(await getSubscription(app, subscriptionId)).toMatchObject({ end_reason: 'accountDeleted' });
    expect(await getFunds(app, fan)).toBe(before + 600);
    await requireCleanLedger(app);
  });

  it('of a fan renews nothing from the request on, and ends without a refund', async () => {
    const { creator, fan, subscriptionId } = await createScene(app, { cents: 1_200 });
    await requestDeletion(fan);
    expect(await getSubscription(app, subscriptionId)).toMatchObject({ is_renewing: false, ended_at: null });
    app.clock.advance(14 * DAY_MS);
    await eraseUser(app.ctx, fan.id, { signal: undefined });
    await settle();
    expect(await getSubscription(app, subscriptionId)).toMatchObject({ end_reason: 'accountDeleted' });
    expect(await getFunds(app, fan)).toBe(0);
    expect(await listNotificationKinds(app, fan)).toEqual([]);
    expect(await listNotificationKinds(app, creator)).not.toContain('saleRefunded');
  });
});

describe('a creator who is no longer verified', () => {
  it('loses subscribers, who get the rest back', async () => {
    const { creator, fan, subscriptionId } = await createScene(app);
    const emit = (status: 'declined' | 'submitted') =>
      app.ctx.db.transaction((tx) =>
        tx.emit('verification.changed', { creatorId: creator.id, status, at: app.clock.now().toISOString() }),
      );
    await emit('declined');
    await settle();
    expect((await getSubscription(app, subscriptionId)).ended_at).toBeNull();
    await app.owner.pool.query(`update verifications set status = 'declined' where creator_id = $1`, [creator.id]);
    await emit('declined');
    await settle();
    expect((await getSubscription(app, subscriptionId)).end_reason).toBe('creatorUnavailable');
    expect(await getFunds(app, fan)).toBe(10_000);
  });
});

describe('a block between the two', () => {
  it('by the creator ends the subscription with a refund, also if it is lifted and repeated', async () => {
    app.clock.set(new Date('2027-05-01T12:00:00Z'));
    const { creator, fan, subscriptionId } = await createScene(app);
    app.clock.advance(15.5 * DAY_MS);
    await block(await app.logIn(creator), fan);
    await block(await app.logIn(creator), fan, false);
    await block(await app.logIn(creator), fan);
    expect(await getSubscription(app, subscriptionId)).toMatchObject({ end_reason: 'blocked' });
    expect(await getFunds(app, fan)).toBe(10_000 - 1_200 + 600);
    expect(await listNotificationKinds(app, fan)).toContain('subscriptionEnded');
    const { data } = (await (await app.logIn(fan)).inject('GET', '/api/notifications')).json();
    expect(data).toContainEqual(
      expect.objectContaining({ kind: 'subscriptionEnded', detail: expect.stringContaining('$6.00') }),
    );
    await requireCleanLedger(app);
  });

  it('by the fan cancels it without a refund, and what is paid opens again without the block', async () => {
    const { creator, fan, subscriptionId } = await createScene(app);
    await block(fan, creator);
    expect(await getSubscription(app, subscriptionId)).toMatchObject({ is_renewing: false, ended_at: null });
    expect(await getFunds(app, fan)).toBe(8_800);
    await block(fan, creator, false);
    expect((await listGrantedIds(app, fan)).length).toBeGreaterThan(0);
    app.clock.advance(31 * DAY_MS);
    await renewDueSubscriptions(app.ctx);
    expect(await getSubscription(app, subscriptionId)).toMatchObject({ end_reason: 'canceled' });
    expect(await getFunds(app, fan)).toBe(8_800);
  });
});

describe('an operator’s refund of the current period', () => {
  it('ends the subscription when it is whole', async () => {
    const { fan, subscriptionId } = await createScene(app);
    await refundAsOperator(subscriptionId, 200);
    expect((await getSubscription(app, subscriptionId)).ended_at).toBeNull();
    await refundAsOperator(subscriptionId);
    expect(await getSubscription(app, subscriptionId)).toMatchObject({ end_reason: 'refunded' });
    expect(await listGrantedIds(app, fan)).toEqual([]);
    expect(await store.findPeriod(app.ctx.db, subscriptionId, 1)).toMatchObject({ refunded_cents: 1_200 });
    expect(await getFunds(app, fan)).toBe(10_000);
  });

  it('prevents a refund by the fan if it was partial', async () => {
    const { fan, subscriptionId } = await createScene(app);
    await refundAsOperator(subscriptionId, 200);
    const user = await app.logIn(fan);
    const headers = { 'idempotency-key': randomUUID() };
    const refused = await user.inject('POST', `/api/customer/subscriptions/${subscriptionId}/refund`, {}, headers);
    expect(refused.json(), refused.body).toMatchObject({ code: 'CONFLICT' });
    expect(await getFunds(app, fan)).toBe(10_000 - 1_200 + 200);
  });

  it('counts toward a later pro rata refund', async () => {
    app.clock.set(new Date('2027-07-01T12:00:00Z'));
    const { creator, fan, subscriptionId } = await createScene(app);
    await refundAsOperator(subscriptionId, 200);
    app.clock.advance(15.5 * DAY_MS);
    await block(await app.logIn(creator), fan);
    expect(await getFunds(app, fan)).toBe(10_000 - 1_200 + 200 + 500);
    expect(await store.findPeriod(app.ctx.db, subscriptionId, 1)).toMatchObject({ refunded_cents: 700 });
  });

  it('does not end the subscription when the period is over', async () => {
    const { subscriptionId } = await createScene(app);
    app.clock.advance(31 * DAY_MS);
    await renewDueSubscriptions(app.ctx);
    await refundAsOperator(subscriptionId);
    expect((await getSubscription(app, subscriptionId)).ended_at).toBeNull();
    expect(await store.findPeriod(app.ctx.db, subscriptionId, 1)).toMatchObject({ refunded_cents: 1_200 });
  });
});

describe('a chargeback', () => {
  it('ends paid subscriptions when the balance does not cover it', async () => {
    const [creator, other] = [await app.signUp('creator'), await app.signUp('creator')];
    const fan = await app.signUp('customer');
    const { saleId } = await createPaidDeposit(app, fan, 20);
    const paidId = await startSubscription(fan, await createTestTier(creator));
    const noPrices = { weekly: null, monthaly: null, yearly: null };
    const freeId = await startSubscription(fan, await createTestTier(other, { prices: noPrices }), { renewal: 0 });
    app.clock.advance(60_000);
    await postChargeback(app, saleId, 2_040);
    await settle();
    expect(await getSubscription(app, paidId)).toMatchObject({ end_reason: 'chargeback' });
    expect((await getSubscription(app, freeId)).ended_at).toBeNull();
    expect(await listNotificationKinds(app, fan)).toEqual(expect.arrayContaining(['debt', 'subscriptionEnded']));
  });

  it('ends paid subscriptions again when a win is undone and the balance does not cover it', async () => {
    const tierId = await createTestTier(await app.signUp('creator'));
    const fan = await app.signUp('customer');
    const { saleId } = await createPaidDeposit(app, fan, 20);
    await startSubscription(fan, tierId);
    app.clock.advance(60_000);
    await postChargeback(app, saleId, 2_040);
    const chargeback = (await listStoredWebhooks(app, saleId)).find(({ event_type }) => event_type === 'Chargeback');
    const decide = (decision: 'won' | 'notWon') =>
      decideWebhook(app.ctx, null, chargeback?.id ?? '', { decision, reason: 'as the bank says' });
    await decide('won');
    await createPaidDeposit(app, fan, 20);
    const subscriptionId = await startSubscription(fan, tierId);
    await decide('notWon');
    await settle();
    expect(await getSubscription(app, subscriptionId)).toMatchObject({ end_reason: 'chargeback' });
  });

  it('ends what the fan gave to others, but not what others gave to the fan', async () => {
    const [creator, recipient] = [await app.signUp('creator'), await app.signUp('customer')];
    const [fan, otherGiver] = [await app.signUp('customer'), await signUpFan(app)];
    const { saleId } = await createPaidDeposit(app, fan, 20);
    const tierId = await createTestTier(creator);
    const give = async (giver: TestUser, { username, id }: TestUser) => {
      const body = { username, tierId, recurrence: 'monthaly', count: 1, price: 12 };
      const key = { 'idempotency-key': crypto.randomUUID() };
      const response = await giver.inject('POST', '/api/customer/subscriptions/gift', body, key);
      expect(response.statusCode, response.body).toBe(200);
      return (await store.findCurrent(app.ctx.db, id, creator.id))?.id ?? '';
    };
    const [givenId, receivedId] = [await give(fan, recipient), await give(otherGiver, fan)];
    app.clock.advance(60_000);
    await postChargeback(app, saleId, 2_040);
    await settle();
    expect(await getSubscription(app, givenId)).toMatchObject({ end_reason: 'chargeback' });
    expect((await getSubscription(app, receivedId)).ended_at).toBeNull();
  });
});

describe('a deleted tier', () => {
  it('does not renew, stays open until the end of the period, and the fan is notified', async () => {
    const { creator, fan, tierId, subscriptionId } = await createScene(app);
    await creator.inject('DELETE', `/api/creator/subscription-tiers/${tierId}`);
    await settle();
    expect(await getSubscription(app, subscriptionId)).toMatchObject({ is_renewing: false, ended_at: null });
    expect(await listGrantedIds(app, fan)).toEqual([creator.id, tierId].toSorted());
    expect(await listNotificationKinds(app, fan)).toContain('tierDeleted');
    expect(await listMailSubjects(app, fan)).toEqual(['Your subscription won’t renew']);
    app.clock.advance(31 * DAY_MS);
    await renewDueSubscriptions(app.ctx);
    expect(await getSubscription(app, subscriptionId)).toMatchObject({ end_reason: 'tierDeleted' });
    expect(await getFunds(app, fan)).toBe(8_800);
  });

  it('ends unpaid and free subscriptions at once, and does not mail about canceled ones', async () => {
    const { creator, fan, tierId, subscriptionId } = await createScene(app, { cents: 1_200 });
    const canceled = await signUpFan(app);
    const canceledId = await startSubscription(canceled, tierId);
    app.clock.advance(10 * DAY_MS);
    await (await app.logIn(canceled)).inject('POST', `/api/customer/subscriptions/${canceledId}/cancel`);
    await app.ctx.db.query
      .updateTable('subscriptions')
      .set({ paid_until: app.clock.now(), failed_attempts: 1 })
      .where('id', '=', subscriptionId)
      .execute();
    await (await app.logIn(creator)).inject('DELETE', `/api/creator/subscription-tiers/${tierId}`);
    await settle();
    expect(await getSubscription(app, subscriptionId)).toMatchObject({ end_reason: 'tierDeleted' });
    expect(await listNotificationKinds(app, fan)).toContain('subscriptionEnded');
    expect(await listMailSubjects(app, canceled)).toEqual([]);
    expect((await getSubscription(app, canceledId)).canceled_at).not.toBeNull();
  });
});
