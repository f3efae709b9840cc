import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPaidDeposit } from '../modules/commerce/deposits/testing.ts';
import { makePost } from '../modules/content/posts/testing.ts';
import { seedMessage } from '../modules/messaging/chat/testing.ts';
import { createTestApp, type TestApp, type TestUser } from './app.ts';

let app: TestApp;
let fan: TestUser;
let creator: TestUser;
let postId: string;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  [fan, creator] = await Promise.all([app.signUp('customer'), app.signUp('creator')]);
  postId = await makePost(app.ctx, creator.id);
  await createPaidDeposit(app, fan, 100);
  await seedMessage(app.ctx, { creatorId: creator.id, fanId: fan.id }, { from: 'fan', text: 'Hello' });
});

const byFan = (isBlocked: boolean) =>
  fan.inject('POST', `/api/message/block-unblock-creator/${creator.id}`, { isBlocked });
const byCreator = (isBlocked: boolean) =>
  creator.inject('POST', `/api/message/block-unblock-customer/${fan.id}`, { isBlocked });
const follow = () => fan.inject('POST', `/api/customer/follow/${creator.id}`, { isFollowed: true });
const search = async (user: TestUser) =>
  (await user.inject('GET', `/api/public/creators?search=${creator.username}`))
    .json()
    .data.filter(({ id }: { id: string }) => id === creator.id).length;
const isRecommended = async (user: TestUser) =>
  (await user.inject('GET', '/api/public/creators?sort=recommended'))
    .json()
    .data.some(({ id }: { id: string }) => id === creator.id);

test.each([
  ['the fan', byFan],
  ['the creator', byCreator],
])(
  'a pair that was blocked by %s cannot find each other and gets the same 404 as for unknown ids',
  async (_, block) => {
    await follow();
    expect((await block(true)).statusCode).toBe(200);
    await app.ctx.events.waitUntilIdle();
    app.clock.advance(61_000);
    const unknown = randomUUID();
    const pairs: ((id: string, post: string) => ReturnType<TestUser['inject']>)[] = [
      (id) => fan.inject('GET', `/api/public/profile/${id}`),
      (_id, post) => fan.inject('GET', `/api/post/${post}`),
      (_id, post) => fan.inject('POST', `/api/post/like-unlike/${post}`, {}),
      (_id, post) => fan.inject('POST', `/api/post/unlock/${post}`, {}),
      (id) => fan.inject('GET', `/api/public/profile-follow/${id}`),
      (id) => fan.inject('GET', `/api/public/posts/${id}`),
      (id) => fan.inject('GET', `/api/public/posts/${id}?offset=999`),
      (id) => fan.inject('GET', `/api/public/media/${id}`),
      (id) => fan.inject('GET', `/api/public/media/${id}?offset=999`),
      (id) => fan.inject('GET', `/api/public/tip-goal/${id}`),
      (id) => fan.inject('GET', `/api/public/og-image/profile/${id}`),
      (_id, post) => fan.inject('GET', `/api/public/og-image/post/${post}`),
      (id) => fan.inject('POST', `/api/customer/follow/${id}`, { isFollowed: true }),
      (id) => fan.inject('POST', `/api/customer/follow/${id}`, { isFollowed: false }),
      (id) => fan.inject('PUT', `/api/notifications/muted-creators/${id}`, { isPushEnabled: false }),
      (id) => fan.inject('POST', `/api/tip/customer-send/${id}`, { amount: 5, type: 'profile' }),
      (id, post) => fan.inject('POST', `/api/tip/customer-send/${id}`, { amount: 5, type: 'post', postId: post }),
    ];
    for (const send of pairs) {
      const [hidden, missing] = [await send(creator.id, postId), await send(unknown, unknown)];
      expect(hidden.statusCode).toBe(404);
      expect({ ...hidden.json(), requestId: '' }).toEqual({ ...missing.json(), requestId: '' });
    }
    expect(await search(fan)).toBe(0);
    expect(await isRecommended(fan)).toBe(false);
    expect((await fan.inject('GET', '/api/customer/following-counts')).json()).toMatchObject({ following: 0 });
    expect((await creator.inject('GET', '/api/creator/followers-list')).json().data).toEqual([]);

    const other = await app.signUp('customer');
    expect(await search(other)).toBe(1);
    for (const imagePath of [`profile/${creator.id}`, `post/${postId}`])
      expect((await other.inject('GET', `/api/public/og-image/${imagePath}`)).statusCode).toBe(200);
    expect(await isRecommended(other)).toBe(true);
    await block(false);
    app.clock.advance(6_000);
    for (const list of ['posts', 'media'])
      expect((await fan.inject('GET', `/api/public/${list}/${creator.id}`)).json().data).toHaveLength(1);
    expect((await fan.inject('GET', `/api/public/profile/${creator.id}`)).statusCode).toBe(200);
    expect((await fan.inject('GET', `/api/post/${postId}`)).statusCode).toBe(200);
    expect(await search(fan)).toBe(1);
    expect((await follow()).statusCode).toBe(200);
  },
);

test('a blocked creator’s empty lists return 404, and tags in other users’ posts hide the blocked creator', async () => {
  const [idle, author] = await Promise.all([app.signUp('creator'), app.signUp('creator')]);
  const taggedPostId = await makePost(app.ctx, author.id, { people: [creator.id] });
  const listTagged = async () => (await fan.inject('GET', `/api/post/${taggedPostId}`)).json().people;
  expect(await listTagged()).toEqual([expect.objectContaining({ id: creator.id })]);
  await byCreator(true);
  expect(await listTagged()).toEqual([]);
  const lists = () =>
    Promise.all(['posts', 'media'].map((list) => fan.inject('GET', `/api/public/${list}/${idle.id}`)));
  expect((await lists()).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  await seedMessage(app.ctx, { creatorId: idle.id, fanId: fan.id }, { from: 'fan', text: 'Hello' });
  await idle.inject('POST', `/api/message/block-unblock-customer/${fan.id}`, { isBlocked: true });
  expect((await lists()).map(({ statusCode }) => statusCode)).toEqual([404, 404]);
});

test('a block by both sides lasts until both have unblocked', async () => {
  await byFan(true);
  await byCreator(true);
  await byFan(false);
  expect((await fan.inject('GET', `/api/public/profile/${creator.id}`)).statusCode).toBe(404);
  await byCreator(false);
  expect((await fan.inject('GET', `/api/public/profile/${creator.id}`)).statusCode).toBe(200);
});

test('a purchased post stays available to its buyer after a block', async () => {
  const sold = await makePost(app.ctx, creator.id, { priceCents: 500 });
  expect((await fan.inject('POST', `/api/post/unlock/${sold}`, {})).statusCode).toBe(200);
  await byCreator(true);
  const boughtPost = await fan.inject('GET', `/api/post/${sold}`);
  expect(boughtPost.statusCode).toBe(200);
  expect(boughtPost.json()).toMatchObject({ isUnlocked: true, isPurchased: true, media: [{ isLocked: false }] });
});

test('the list of blocked users contains only users whom the caller blocked', async () => {
  await byFan(true);
  const listBlocked = async (user: TestUser) => (await user.inject('GET', '/api/message/blocked')).json().data;
  expect(await listBlocked(fan)).toEqual([
    expect.objectContaining({ id: creator.id, username: creator.username, avatarUrl: null }),
  ]);
  expect(await listBlocked(creator)).toEqual([]);
});
