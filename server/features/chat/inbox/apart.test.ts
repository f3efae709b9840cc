/** Whoever meets somebody may block them, though the two never spoke; the other sees nothing of it but that nobody is there. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const isCreator = new WeakSet<TestUser>();
async function pair() {
  const [creator, fan] = [await app.signUp('creator'), await app.signUp('customer')];
  isCreator.add(creator);
  return { creator, fan };
}
const block = (who: TestUser, other: TestUser, isBlocked: boolean) => {
  const side = isCreator.has(who) ? 'customer' : 'creator';
  return who.inject('POST', `/api/message/block-unblock-${side}/${other.id}`, { isBlocked });
};
const write = async (who: TestUser, receiverId: string) =>
  (await who.inject('POST', '/api/message/text', { receiverId, text: 'Hello' }, { 'idempotency-key': randomUUID() }))
    .statusCode;
const statusOf = async (who: TestUser, url: string) => (await who.inject('GET', url)).statusCode;
const names = async (who: TestUser) =>
  (await who.inject('GET', '/api/message/blocked')).json().data.map(({ id }: { id: string }) => id);

test('a creator blocks a follower who never wrote: neither meets the other any more, and the fan is not told', async () => {
  const { creator, fan } = await pair();
  await fan.inject('POST', `/api/customer/follow/${creator.id}`, { isFollowed: true });
  expect((await block(creator, fan, true)).json()).toEqual({ success: true, isBlocked: true });
  expect(await names(creator)).toEqual([fan.id]);
  const followers = (await creator.inject('GET', '/api/creator/followers-list')).json();
  expect(followers.totalRecords).toBe(0);
  for (const url of [`/api/public/profile/${creator.id}`, `/api/message/conversation-info/${creator.id}`])
    expect([url, await statusOf(fan, url)]).toEqual([url, 404]);
  expect(await write(fan, creator.id)).toBe(404);
  const list = (await fan.inject('GET', '/api/message/conversation-list')).json();
  expect(list.data).toEqual([]);
  expect(await names(fan)).toEqual([]);
});

test('a fan blocks a creator from their page, and takes it back as if it had never been', async () => {
  const { creator, fan } = await pair();
  expect((await block(fan, creator, true)).statusCode).toBe(200);
  expect(await names(fan)).toEqual([creator.id]);
  expect(await statusOf(fan, `/api/public/profile/${creator.id}`)).toBe(404);
  expect(await statusOf(creator, `/api/message/conversation-info/${fan.id}`)).toBe(404);
  expect((await block(fan, creator, false)).json()).toEqual({ success: true, isBlocked: false });
  expect(await names(fan)).toEqual([]);
  expect(await statusOf(fan, `/api/public/profile/${creator.id}`)).toBe(200);
  const left = await app.ctx.db.query.selectFrom('conversations').selectAll().where('fan_id', '=', fan.id).execute();
  expect(left).toEqual([]);
  expect(await write(fan, creator.id)).toBe(200);
});

test('both block each other, and one block is left when one is taken back', async () => {
  const { creator, fan } = await pair();
  await block(fan, creator, true);
  await block(creator, fan, true);
  await block(fan, creator, false);
  expect(await names(creator)).toEqual([fan.id]);
  expect(await statusOf(fan, `/api/public/profile/${creator.id}`)).toBe(404);
  await block(creator, fan, false);
  expect(await statusOf(fan, `/api/public/profile/${creator.id}`)).toBe(200);
});

test('nobody blocks who is nobody, is themselves, is of their own kind, or is a fan who never came to them', async () => {
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
  for (const [who, url] of attempts) expect((await who.inject('POST', url, { isBlocked: true })).statusCode).toBe(404);
  expect((await block(fan, creator, false)).statusCode).toBe(404);
});
