import { randomUUID } from 'node:crypto';
import { postId, userId } from '@stagedoor/contract/shared/ids.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { makePost } from '../posts/testing.ts';
import { fanOutPost } from './handlers.ts';

let test: TestApp;
let fan: TestUser;
let anna: TestUser;
let bert: TestUser;

beforeAll(async () => {
  test = await createTestApp();
  await test.app.start();
  [fan, anna, bert] = await Promise.all([test.signUp('customer'), test.signUp('creator'), test.signUp('creator')]);
});
afterAll(() => test.close());

const follow = (fanUser: TestUser, followed: { id: string }, isFollowed = true) =>
  fanUser.inject('POST', `/api/customer/follow/${followed.id}`, { isFollowed });
const fetchFeed = async (fanUser: TestUser, query = 'limit=50') => {
  await test.ctx.events.waitUntilIdle();
  const response = (await fanUser.inject('GET', `/api/feed?${query}`)).json();
  return {
    ids: response.data.map(({ id }: { id: string }) => id) as string[],
    next: response.nextOffset as string | undefined,
  };
};
const countFollowers = async (followed: TestUser) =>
  (
    await test.ctx.db.query
      .selectFrom('creators')
      .select('follower_count')
      .where('user_id', '=', followed.id)
      .executeTakeFirstOrThrow()
  ).follower_count;

describe('following', () => {
  it('counts followers exactly when many fans follow and unfollow at the same time', async () => {
    const manyFans = await Promise.all(Array.from({ length: 15 }, () => test.signUp('customer')));
    await Promise.all(manyFans.flatMap((each) => [follow(each, anna), follow(each, anna)]));
    expect(await countFollowers(anna)).toBe(15);
    await Promise.all(
      manyFans.flatMap((each) => [follow(each, anna, false), follow(each, anna), follow(each, anna, false)]),
    );
    await Promise.all(manyFans.map((each) => follow(each, anna, false)));
    expect(await countFollowers(anna)).toBe(0);
    expect((await follow(fan, anna)).json()).toEqual({ isFollowed: true, totalFollowersCount: 1 });
    expect((await follow(fan, anna)).json()).toEqual({ isFollowed: true, totalFollowersCount: 1 });
    expect((await follow(fan, anna, false)).json()).toEqual({ isFollowed: false, totalFollowersCount: 0 });
  });

  it('is allowed to fans only, and for creators only', async () => {
    expect((await follow(anna, bert)).statusCode).toBe(403);
    expect((await test.inject('POST', `/api/customer/follow/${anna.id}`, { isFollowed: true })).statusCode).toBe(401);
    expect((await follow(fan, { id: fan.id })).statusCode).toBe(404);
    expect((await follow(fan, { id: randomUUID() })).statusCode).toBe(404);
    expect((await fan.inject('POST', `/api/customer/follow/${anna.id}`, { isFollowed: 'yes' })).statusCode).toBe(400);
  });
});

describe('the feed', () => {
  it('shows past and new posts of followed creators, and drops removed posts and unfollowed creators', async () => {
    const old = await makePost(test.ctx, anna.id);
    const paid = await makePost(test.ctx, anna.id, { priceCents: 500 });
    await makePost(test.ctx, bert.id);
    expect((await fetchFeed(fan)).ids).toEqual([]);
    await follow(fan, anna);
    expect((await fetchFeed(fan)).ids).toEqual([paid, old]);
    const fresh = await makePost(test.ctx, anna.id);
    expect((await fetchFeed(fan)).ids).toEqual([fresh, paid, old]);
    await anna.inject('DELETE', `/api/post/${paid}`);
    expect((await fetchFeed(fan)).ids).toEqual([fresh, old]);
    await follow(fan, anna, false);
    expect((await fetchFeed(fan)).ids).toEqual([]);
    await test.ctx.events.waitUntilIdle();
    expect(await test.ctx.db.query.selectFrom('timelines').selectAll().where('fan_id', '=', fan.id).execute()).toEqual(
      [],
    );
    await follow(fan, anna);
    expect((await fetchFeed(fan)).ids).toEqual([fresh, old]);
    await follow(fan, anna, false);
  });

  it('shows new posts and new follows immediately, before any timeline job has run', async () => {
    const idleTest = await createTestApp();
    try {
      const [eve, reader] = [await idleTest.signUp('creator'), await idleTest.signUp('customer')];
      const listShown = async (query = '') =>
        (await reader.inject('GET', `/api/feed?limit=2${query}`)).json().data.map(({ id }: { id: string }) => id);
      const past = [await makePost(idleTest.ctx, eve.id), await makePost(idleTest.ctx, eve.id)].reverse();
      expect(await listShown()).toEqual([]);
      await follow(reader, eve);
      expect(await listShown()).toEqual(past);
      await idleTest.ctx.events.waitUntilIdle();
      const fresh = await makePost(idleTest.ctx, eve.id);
      expect(await listShown()).toEqual([fresh, past[0]]);
      expect(await listShown('&type=picture')).toEqual([fresh, past[0]]);
      expect(await listShown('&type=video')).toEqual([]);
      expect(await listShown('&offset=1')).toEqual(past);
      await eve.inject('DELETE', `/api/post/${fresh}`);
      expect(await listShown()).toEqual(past);
      const left = await makePost(idleTest.ctx, eve.id);
      await follow(reader, eve, false);
      expect(await listShown()).toEqual([]);
      await follow(reader, eve);
      expect(await listShown()).toEqual([left, past[0]]);
      await idleTest.ctx.events.waitUntilIdle();
      expect(await listShown()).toEqual([left, past[0]]);
      const waiting = await idleTest.ctx.db.query
        .selectFrom('posts')
        .select('id')
        .where('in_timelines', '=', false)
        .execute();
      const unfilled = await idleTest.ctx.db.query
        .selectFrom('follows')
        .select('fan_id')
        .where('is_timeline_filled', '=', false)
        .execute();
      expect([waiting, unfilled]).toEqual([[], []]);
    } finally {
      await idleTest.close();
    }
  });

  it('hides an unfollowed creator immediately, and ends in the state of the last of many concurrent requests', async () => {
    const before = await makePost(test.ctx, bert.id);
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([
        follow(fan, bert),
        follow(fan, bert, false),
        follow(fan, bert),
        makePost(test.ctx, bert.id),
        follow(fan, bert, false),
      ]);
    }
    await follow(fan, bert, false);
    expect((await fan.inject('GET', '/api/feed')).json().data).toEqual([]);
    expect((await fetchFeed(fan)).ids).toEqual([]);
    await follow(fan, bert);
    const { ids } = await fetchFeed(fan);
    expect(ids).toContain(before);
    const own = (await test.inject('GET', `/api/public/posts/${bert.id}?limit=50`)).json();
    expect(ids).toEqual(own.data.map(({ id }: { id: string }) => id));
    await follow(fan, bert, false);
  });

  it('pages by cursor and by offset, and filters by post type', async () => {
    const carl = await test.signUp('creator');
    await follow(fan, carl);
    const ids: string[] = [];
    for (let index = 0; index < 12; index += 1) ids.unshift(await makePost(test.ctx, carl.id));
    const first = await fetchFeed(fan, 'limit=5');
    const second = await fetchFeed(fan, `limit=5&offset=${first.next}`);
    const third = await fetchFeed(fan, 'limit=5&offset=10');
    expect([...first.ids, ...second.ids, ...third.ids]).toEqual(ids);
    expect(third.next).toBeUndefined();
    expect((await fetchFeed(fan, 'type=pictureSet')).ids).toEqual([]);
    expect((await fetchFeed(fan, 'type=picture&limit=3')).ids).toEqual(ids.slice(0, 3));
    expect((await fan.inject('GET', '/api/feed?type=films')).statusCode).toBe(400);
    expect((await carl.inject('GET', '/api/feed')).statusCode).toBe(403);
    await follow(fan, carl, false);
  });

  it('merges posts of creators with very many followers at read time, without gaps or duplicates', async () => {
    const star = await test.signUp('creator');
    const dora = await test.signUp('creator');
    const early = await test.signUp('customer');
    await follow(early, star);
    await follow(early, dora);
    const copied = await makePost(test.ctx, star.id);
    await test.ctx.events.waitUntilIdle();
    const merged = await makePost(test.ctx, star.id, { shouldEmit: false });
    await fanOutPost(
      test.ctx,
      { postId: z.parse(postId, merged), creatorId: z.parse(userId, star.id), type: 'picture' },
      null,
      0,
    );
    const between = await makePost(test.ctx, dora.id);
    const later = await makePost(test.ctx, star.id);
    expect((await fetchFeed(early)).ids).toEqual([later, between, merged, copied]);
    const page = await fetchFeed(early, 'limit=2');
    expect(page.ids).toEqual([later, between]);
    expect((await fetchFeed(early, `limit=2&offset=${page.next}`)).ids).toEqual([merged, copied]);
    await follow(fan, star);
    expect((await fetchFeed(fan)).ids).toEqual([later, merged, copied]);
    await star.inject('DELETE', `/api/post/${merged}`);
    expect((await fetchFeed(fan)).ids).toEqual([later, copied]);
    await follow(fan, star, false);
    expect((await fetchFeed(fan)).ids).toEqual([]);
  });

  it('leaves out blocked creators', async () => {
    const eve = await test.signUp('creator');
    await follow(fan, eve);
    await makePost(test.ctx, eve.id);
    expect((await fetchFeed(fan)).ids).toHaveLength(1);
    await test.ctx.db.query.updateTable('users').set({ is_blocked: true }).where('id', '=', eve.id).execute();
    expect((await fetchFeed(fan)).ids).toEqual([]);
  });
});
