import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const creators = new WeakSet<TestUser>();
async function pair() {
  const [creator, fan] = [await app.signUp('creator'), await app.signUp('customer')];
  creators.add(creator);
  return { creator, fan };
}
const block = (user: TestUser, other: TestUser, isBlocked: boolean) => {
  const side = creators.has(user) ? 'customer' : 'creator';
  return user.inject('POST', `/api/message/block-unblock-${side}/${other.id}`, { isBlocked });
};
const write = async (user: TestUser, receiverId: string) =>
  (await user.inject('POST', '/api/message/text', { receiverId, text: 'Hello' }, { 'idempotency-key': randomUUID() }))
    .statusCode;
const getStatus = async (user: TestUser, url: string) => (await user.inject('GET', url)).statusCode;
const listConversationPartners = async (user: TestUser) =>
  (await user.inject('GET', '/api/message/blocked')).json().data.map(({ id }: { id: string }) => id);

test('a block of a follower who never wrote hides both from each other without notifying the fan', async () => {
  const { creator, fan } = await pair();
  await fan.inject('POST', `/api/customer/follow/${creator.id}`, { isFollowed: true });
  expect((await block(creator, fan, true)).json()).toEqual({ success: true, isBlocked: true });
  expect(await listConversationPartners(creator)).toEqual([fan.id]);
  const followers = (await creator.inject('GET', '/api/creator/followers-list')).json();
  expect(followers.totalRecords).toBe(0);
  for (const url of [`/api/public/profile/${creator.id}`, `/api/message/conversation-info/${creator.id}`])
    expect([url, await getStatus(fan, url)]).toEqual([url, 404]);
  expect(await write(fan, creator.id)).toBe(404);
  const list = (await fan.inject('GET', '/api/message/conversation-list')).json();
  expect(list.data).toEqual([]);
  expect(await listConversationPartners(fan)).toEqual([]);
});

test('a fan can block and unblock a creator without messages, and nothing remains of it', async () => {
  const { creator, fan } = await pair();
  expect((await block(fan, creator, true)).statusCode).toBe(200);
  expect(await listConversationPartners(fan)).toEqual([creator.id]);
  expect(await getStatus(fan, `/api/public/profile/${creator.id}`)).toBe(404);
  expect(await getStatus(creator, `/api/message/conversation-info/${fan.id}`)).toBe(404);
  expect((await block(fan, creator, false)).json()).toEqual({ success: true, isBlocked: false });
  expect(await listConversationPartners(fan)).toEqual([]);
  expect(await getStatus(fan, `/api/public/profile/${creator.id}`)).toBe(200);
  const remaining = await app.ctx.db.query
    .selectFrom('conversations')
    .selectAll()
    .where('fan_id', '=', fan.id)
    .execute();
  expect(remaining).toEqual([]);
  expect(await write(fan, creator.id)).toBe(200);
});

test('one block remains when both blocked each other and one unblocks', async () => {
  const { creator, fan } = await pair();
  await block(fan, creator, true);
  await block(creator, fan, true);
  await block(fan, creator, false);
  expect(await listConversationPartners(creator)).toEqual([fan.id]);
  expect(await getStatus(fan, `/api/public/profile/${creator.id}`)).toBe(404);
  await block(creator, fan, false);
  expect(await getStatus(fan, `/api/public/profile/${creator.id}`)).toBe(200);
});

test('blocking an unknown user, oneself, the same role or a fan without contact returns 404', async () => {
  const { creator, fan } = await pair();
  const [other, peer] = [await app.signUp('customer'), await app.signUp('creator')];
  const attempts: [TestUser, string][] = [
    [creator, `/api/message/block-unblock-customer/${randomUUID()}`],
    [creator, `/api/message/block-unblock-customer/${peer.id}`],
    [creator, `/api/message/block-unblock-customer/${other.id}`],
    [creator, `/api/message/block-unblock-customer/${creator.id}`],
    [fan, `/api/message/block-unblock-creator/${other.id}`],
    [fan, `/api/message/block-unblock-creator/${fan.id}`],
  ];
  for (const [user, url] of attempts)
    expect((await user.inject('POST', url, { isBlocked: true })).statusCode).toBe(404);
  expect((await block(fan, creator, false)).statusCode).toBe(404);
});

test('a creator cannot answer a fan who blocked them before any message, and the fan is not notified', async () => {
  const { creator, fan } = await pair();
  await block(fan, creator, true);
  for (const status of ['accept', 'decline']) {
    const response = await creator.inject('POST', `/api/message/conversation-response/${fan.id}`, { status });
    expect([status, response.statusCode]).toEqual([status, 404]);
  }
  await app.ctx.events.waitUntilIdle();
  expect((await fan.inject('GET', '/api/notifications')).json().data).toEqual([]);
  expect((await block(creator, fan, false)).statusCode).toBe(404);
});

test('a request cannot be answered during a block or when no message was ever sent', async () => {
  const { creator, fan } = await pair();
  const respondToRequest = async (status: string) =>
    (await creator.inject('POST', `/api/message/conversation-response/${fan.id}`, { status })).statusCode;
  await fan.inject('POST', `/api/customer/follow/${creator.id}`, { isFollowed: true });
  await block(creator, fan, true);
  expect(await respondToRequest('accept')).toBe(404);
  await block(creator, fan, false);
  expect(await write(fan, creator.id)).toBe(200);
  for (const [user, other] of [[fan, creator] as const, [creator, fan] as const]) {
    await block(user, other, true);
    expect(await respondToRequest('accept')).toBe(403);
    await block(user, other, false);
  }
  expect(await respondToRequest('accept')).toBe(200);
});

test('a creator who blocked a fan before any message looks like an unknown user to that fan', async () => {
  const { creator, fan } = await pair();
  const priced = {
    ...{ videoRate: 3, audioRate: 2, isAvailable: true },
    ...{ minMinutes: 1, hours: [], timeZone: 'UTC' },
  };
  expect((await creator.inject('PUT', '/api/creator/call-settings', priced)).statusCode).toBe(200);
  await fan.inject('POST', `/api/customer/follow/${creator.id}`, { isFollowed: true });
  await block(creator, fan, true);
  const attempts = (id: string): [method: 'GET' | 'POST', url: string, body?: object][] => [
    ['POST', `/api/tip/customer-send/${id}`, { amount: 5, type: 'chat' }],
    ['POST', `/api/message/block-unblock-creator/${id}`, { isBlocked: false }],
    ['GET', `/api/public/call-terms/${id}`],
    ['POST', '/api/call/start', { creatorId: id, type: 'video', amountPerMinute: 3, device: 'tab-of-a-fan' }],
  ];
  const unknownAttempts = attempts(randomUUID());
  for (const [index, [method, url, body]] of attempts(creator.id).entries()) {
    const sendRequest = (to: string, payload?: object) =>
      fan.inject(method, to, payload, { 'idempotency-key': randomUUID() });
    const [hidden, none] = [
      await sendRequest(url, body),
      await sendRequest(unknownAttempts[index]?.[1] ?? '', unknownAttempts[index]?.[2]),
    ];
    expect([url, hidden.statusCode]).toEqual([url, 404]);
    expect({ ...hidden.json(), requestId: '' }).toEqual({ ...none.json(), requestId: '' });
  }
});
