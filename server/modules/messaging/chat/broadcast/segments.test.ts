import { BROADCAST_AUDIENCES, broadcast as broadcastView } from '@stagedoor/contract/messaging/broadcasts.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { createTestTier, DAY_MS, signUpFan, subscribeTo } from '../../../content/subscriptions/testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const FREE = { prices: { weekly: null, monthaly: null, yearly: null } };
const subscribe = async (fan: TestUser, tierId: string, renewal = 0) => {
  const response = await subscribeTo(fan, tierId, { renewal });
  expect(response.statusCode, response.body).toBe(200);
  await app.ctx.events.waitUntilIdle();
  return String(response.json().subscription.id);
};
const act = (fan: TestUser, id: string, action: string) =>
  fan.inject('POST', `/api/customer/subscriptions/${id}/${action}`);
const countAudiences = async (creator: TestUser, query = ''): Promise<Record<string, number>> => {
  const { data } = (await creator.inject('GET', `/api/message/broadcast-audiences${query}`)).json();
  return Object.fromEntries(data.map(({ audience, count }: { audience: string; count: number }) => [audience, count]));
};
const post = (creator: TestUser, body: object) =>
  creator.inject('POST', '/api/message/broadcast-text', { text: 'Tonight at nine', ...body });
const send = async (creator: TestUser, body: object) => {
  const response = await post(creator, body);
  expect(response.statusCode, response.body).toBe(200);
  await app.ctx.events.waitUntilIdle();
  return z.parse(broadcastView, response.json().data);
};
const getBroadcast = async (creator: TestUser, id: string) =>
  (await creator.inject('GET', `/api/message/broadcasts/${id}`)).json();
const hasReceived = async (fan: TestUser): Promise<boolean> =>
  (await fan.inject('GET', '/api/message/conversation-list')).json().data.length > 0;
const listReceivers = (fans: readonly TestUser[]) => Promise.all(fans.map(hasReceived));

async function createCreator() {
  const creator = await app.signUp('creator');
  return {
    creator,
    free: await createTestTier(creator, { ...FREE, name: 'Free' }),
    paid: await createTestTier(creator, { name: 'Kiln' }),
  };
}

describe('a broadcast to subscribers', () => {
  it('reaches those of all tiers once, and no one else', async () => {
    const { creator, free, paid } = await createCreator();
    const [low, high, stranger] = [await signUpFan(app), await signUpFan(app, 5_000), await signUpFan(app)];
    await subscribe(low, free);
    await subscribe(high, paid, 12);
    expect(await countAudiences(creator)).toMatchObject({ subscribers: 2, newSubscribers: 2, expiring: 0, ended: 0 });
    const { id } = await send(creator, { audience: 'subscribers' });
    expect(await listReceivers([low, high, stranger])).toEqual([true, true, false]);
    expect((await low.inject('GET', '/api/message/un-read-count')).json().count).toBe(1);
    expect((await low.inject('GET', '/api/message/un-read-count')).json().count).toBe(1);
    expect(await getBroadcast(creator, id)).toMatchObject({ recipientCount: 2, deliveredCount: 2 });
  });

  it('can be for one tier', async () => {
    const { creator, free, paid } = await createCreator();
    const [low, high] = [await signUpFan(app), await signUpFan(app, 5_000)];
    await subscribe(low, free);
    await subscribe(high, paid, 12);
    expect(await countAudiences(creator, `?tierId=${free}`)).toMatchObject({ tier: 1, subscribers: 2 });
    expect(await send(creator, { audience: 'tier', tierId: free })).toMatchObject({ tierName: 'Free' });
    expect(await listReceivers([low, high])).toEqual([true, false]);
  });

  it('refuses a tier of another creator, a deleted one and none', async () => {
    const { creator, free } = await createCreator();
    const foreign = await createCreator();
    await creator.inject('DELETE', `/api/creator/subscription-tiers/${free}`);
    for (const tierId of [foreign.free, free, undefined]) {
      const response = await post(creator, { audience: 'tier', tierId });
      expect(response.statusCode, response.body).toBe(400);
    }
    expect(await countAudiences(creator, `?tierId=${foreign.free}`)).toMatchObject({ tier: 0 });
  });

  it('can be for those who canceled, and for those who left within 90 days', async () => {
    const { creator, free, paid } = await createCreator();
    const [leaving, left, back, staying] = [
      await signUpFan(app, 5_000),
      await signUpFan(app),
      await signUpFan(app),
      await signUpFan(app),
    ];
    await act(leaving, await subscribe(leaving, paid, 12), 'cancel');
    await act(left, await subscribe(left, free), 'cancel');
    await act(back, await subscribe(back, free), 'cancel');
    await subscribe(back, free);
    await subscribe(staying, free);
    expect(await countAudiences(creator)).toMatchObject({ subscribers: 3, expiring: 1, ended: 1 });
    await send(creator, { audience: 'expiring' });
    expect(await listReceivers([leaving, left, back, staying])).toEqual([true, false, false, false]);
    await send(creator, { audience: 'ended' });
    expect(await listReceivers([left, back, staying])).toEqual([true, false, false]);
  });

  it('can be for new subscribers', async () => {
    const { creator, free } = await createCreator();
    const [old, fresh] = [await signUpFan(app), await signUpFan(app)];
    await subscribe(old, free);
    app.clock.advance(31 * DAY_MS);
    // Sessions have expired meanwhile.
    const [creatorNow, oldNow, freshNow] = [await app.logIn(creator), await app.logIn(old), await app.logIn(fresh)];
    await subscribe(freshNow, free);
    await send(creatorNow, { audience: 'newSubscribers' });
    expect(await listReceivers([oldNow, freshNow])).toEqual([false, true]);
  });

  it('can be for trials, and for those whose payment failed', async () => {
    const { creator, paid } = await createCreator();
    const trial = await createTestTier(creator, { name: 'Studio', trialDays: 7 });
    const [trying, paying, failing] = [await signUpFan(app), await signUpFan(app, 5_000), await signUpFan(app, 5_000)];
    const response = await subscribeTo(trying, trial, { today: 0, renewal: 12 });
    expect(response.statusCode, response.body).toBe(200);
    await subscribe(paying, paid, 12);
    const failed = await subscribe(failing, paid, 12);
    await app.owner.pool.query('update subscriptions set failed_attempts = 1 where id = $1', [failed]);
    expect(await countAudiences(creator)).toMatchObject({ subscribers: 3, trials: 1, pastDue: 1 });
    await send(creator, { audience: 'trials' });
    expect(await listReceivers([trying, paying, failing])).toEqual([true, false, false]);
    await send(creator, { audience: 'pastDue' });
    expect(await listReceivers([paying, failing])).toEqual([false, true]);
  });

  it('can be for top spenders, subscribed or not', async () => {
    const { creator, free } = await createCreator();
    const [tipper, subscriber] = [await signUpFan(app, 5_000), await signUpFan(app)];
    await subscribe(subscriber, free);
    const tip = await tipper.inject(
      'POST',
      `/api/tip/customer-send/${creator.id}`,
      { amount: 5, type: 'profile' },
      { 'idempotency-key': crypto.randomUUID() },
    );
    expect(tip.statusCode, tip.body).toBe(200);
    await app.ctx.events.waitUntilIdle();
    expect(await countAudiences(creator)).toMatchObject({ topSpenders: 1 });
    const { id } = await send(creator, { audience: 'topSpenders' });
    expect(await getBroadcast(creator, id)).toMatchObject({ recipientCount: 1 });
    expect(await hasReceived(subscriber)).toBe(false);
  });

  it('leaves out blocked pairs', async () => {
    const { creator, free } = await createCreator();
    const [blocked, fan] = [await signUpFan(app), await signUpFan(app)];
    await subscribe(blocked, free);
    await subscribe(fan, free);
    await act(blocked, await findSubscriptionId(blocked, free), 'cancel');
    await creator.inject('POST', `/api/message/block-unblock-customer/${blocked.id}`, { isBlocked: true });
    await app.ctx.events.waitUntilIdle();
    expect(await countAudiences(creator)).toMatchObject({ subscribers: 1, ended: 0 });
    const { id } = await send(creator, { audience: 'ended' });
    expect(await getBroadcast(creator, id)).toMatchObject({ recipientCount: 0 });
  });

  it('goes to those who belong to the group when a scheduled one is sent', async () => {
    const { creator, free } = await createCreator();
    const [early, late, after] = [await signUpFan(app), await signUpFan(app), await signUpFan(app)];
    const earlyId = await subscribe(early, free);
    const scheduledAt = new Date(app.clock.now().getTime() + DAY_MS).toISOString();
    const { id } = await send(creator, { audience: 'subscribers', scheduledAt });
    await act(early, earlyId, 'cancel');
    await subscribe(late, free);
    await creator.inject('PATCH', `/api/message/broadcasts/${id}`, { scheduledAt: null });
    await app.ctx.events.waitUntilIdle();
    await subscribe(after, free);
    expect(await listReceivers([early, late, after])).toEqual([false, true, false]);
    expect(await getBroadcast(creator, id)).toMatchObject({ status: 'sent', recipientCount: 1 });
  });

  it('counts every audience but the chosen chats', async () => {
    const { creator } = await createCreator();
    expect(Object.keys(await countAudiences(creator)).sort()).toEqual(
      BROADCAST_AUDIENCES.filter((audience) => audience !== 'chosen').sort(),
    );
  });
});

/** Returns the running subscription of a fan. */
async function findSubscriptionId(fan: TestUser, tierId: string): Promise<string> {
  const { data } = (await fan.inject('GET', '/api/customer/subscriptions')).json();
  const id: unknown = data.find((each: { tier: { id: string } }) => each.tier.id === tierId)?.id;
  return String(id);
}
