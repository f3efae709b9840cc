import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { postId, userId } from '@stagedoor/contract/atoms/ids.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { makePost } from '../posts/testing.ts';
import { distribute } from './reactions.ts';

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

const follow = (who: TestUser, whom: { id: string }, isFollowed = true) =>
  who.inject('POST', `/api/customer/follow/${whom.id}`, { isFollowed });
const feedOf = async (who: TestUser, query = 'limit=50') => {
  await test.ctx.events.settle();
  const answer = (await who.inject('GET', `/api/feed?${query}`)).json();
  return {
    ids: answer.data.map(({ id }: { id: string }) => id) as string[],
    next: answer.nextOffset as string | undefined,
  };
};
const followers = async (whom: TestUser) =>
  (
    await test.ctx.db.query
      .selectFrom('creators')
      .select('follower_count')
      .where('user_id', '=', whom.id)
      .executeTakeFirstOrThrow()
  ).follower_count;

describe('following', () => {
  it('counts followers exactly when many fans follow and unfollow at the same time', async () => {
    const crowd = await Promise.all(Array.from({ length: 15 }, () => test.signUp('customer')));
    await Promise.all(crowd.flatMap((each) => [follow(each, anna), follow(each, anna)]));
    expect(await followers(anna)).toBe(15);
    await Promise.all(
      crowd.flatMap((each) => [follow(each, anna, false), follow(each, anna), follow(each, anna, false)]),
    );
    await Promise.all(crowd.map((each) => follow(each, anna, false)));
    expect(await followers(anna)).toBe(0);
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
    expect((await feedOf(fan)).ids).toEqual([]);
    await follow(fan, anna);
    expect((await feedOf(fan)).ids).toEqual([paid, old]);
    const fresh = await makePost(test.ctx, anna.id);
    expect((await feedOf(fan)).ids).toEqual([fresh, paid, old]);
    await anna.inject('DELETE', `/api/post/${paid}`);
    expect((await feedOf(fan)).ids).toEqual([fresh, old]);
    await follow(fan, anna, false);
    expect((await feedOf(fan)).ids).toEqual([]);
    await test.ctx.events.settle();
    expect(await test.ctx.db.query.selectFrom('timelines').selectAll().where('fan_id', '=', fan.id).execute()).toEqual(
      [],
    );
    await follow(fan, anna);
    expect((await feedOf(fan)).ids).toEqual([fresh, old]);
    await follow(fan, anna, false);
  });

  it('shows new posts and new follows immediately, before any timeline job has run', async () => {
    const still = await createTestApp();
    try {
      const [eve, reader] = [await still.signUp('creator'), await still.signUp('customer')];
      const shown = async (query = '') =>
        (await reader.inject('GET', `/api/feed?limit=2${query}`)).json().data.map(({ id }: { id: string }) => id);
      const past = [await makePost(still.ctx, eve.id), await makePost(still.ctx, eve.id)].reverse();
      expect(await shown()).toEqual([]);
      await follow(reader, eve);
      expect(await shown()).toEqual(past);
      await still.ctx.events.settle();
      const fresh = await makePost(still.ctx, eve.id);
      expect(await shown()).toEqual([fresh, past[0]]);
      expect(await shown('&type=picture')).toEqual([fresh, past[0]]);
      expect(await shown('&type=video')).toEqual([]);
      expect(await shown('&offset=1')).toEqual(past);
      await eve.inject('DELETE', `/api/post/${fresh}`);
      expect(await shown()).toEqual(past);
      const left = await makePost(still.ctx, eve.id);
      await follow(reader, eve, false);
      expect(await shown()).toEqual([]);
      await follow(reader, eve);
      expect(await shown()).toEqual([left, past[0]]);
      await still.ctx.events.settle();
      expect(await shown()).toEqual([left, past[0]]);
      const waiting = await still.ctx.db.query
        .selectFrom('posts')
        .select('id')
        .where('in_timelines', '=', false)
        .execute();
      const unsettled = await still.ctx.db.query
        .selectFrom('follows')
        .select('fan_id')
        .where('is_settled', '=', false)
        .execute();
      expect([waiting, unsettled]).toEqual([[], []]);
    } finally {
      await still.close();
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
    expect((await feedOf(fan)).ids).toEqual([]);
    await follow(fan, bert);
    const { ids } = await feedOf(fan);
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
    const first = await feedOf(fan, 'limit=5');
    const second = await feedOf(fan, `limit=5&offset=${first.next}`);
    const third = await feedOf(fan, 'limit=5&offset=10');
    expect([...first.ids, ...second.ids, ...third.ids]).toEqual(ids);
    expect(third.next).toBeUndefined();
    expect((await feedOf(fan, 'type=pictureSet')).ids).toEqual([]);
    expect((await feedOf(fan, 'type=picture&limit=3')).ids).toEqual(ids.slice(0, 3));
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
    await test.ctx.events.settle();
    const merged = await makePost(test.ctx, star.id, { isTold: false });
    await distribute(
      test.ctx,
      { postId: z.parse(postId, merged), creatorId: z.parse(userId, star.id), type: 'picture' },
      null,
      0,
    );
    const between = await makePost(test.ctx, dora.id);
    const later = await makePost(test.ctx, star.id);
    expect((await feedOf(early)).ids).toEqual([later, between, merged, copied]);
    const page = await feedOf(early, 'limit=2');
    expect(page.ids).toEqual([later, between]);
    expect((await feedOf(early, `limit=2&offset=${page.next}`)).ids).toEqual([merged, copied]);
    await follow(fan, star);
    expect((await feedOf(fan)).ids).toEqual([later, merged, copied]);
    await star.inject('DELETE', `/api/post/${merged}`);
    expect((await feedOf(fan)).ids).toEqual([later, copied]);
    await follow(fan, star, false);
    expect((await feedOf(fan)).ids).toEqual([]);
  });

  it('leaves out blocked creators', async () => {
    const eve = await test.signUp('creator');
    await follow(fan, eve);
    await makePost(test.ctx, eve.id);
    expect((await feedOf(fan)).ids).toHaveLength(1);
    await test.ctx.db.query.updateTable('users').set({ is_blocked: true }).where('id', '=', eve.id).execute();
    expect((await feedOf(fan)).ids).toEqual([]);
  });
});

it('the feed delivers posts whose fan-out jobs were queued by the previous release', async () => {
  const [maker, reader] = await Promise.all([test.signUp('creator'), test.signUp('customer')]);
  await follow(reader, maker);
  const id = await makePost(test.ctx, maker.id);
  expect((await feedOf(reader)).ids).toEqual([id]);
  const { pool } = test.ctx.db;
  await pool.query('delete from timelines where post_id = $1', [id]);
  const payload = { postId: id, creatorId: maker.id, type: 'picture', after: '00000000-0000-7000-8000-000000000000' };
  await pool.query(`select graphile_worker.add_job('feed.fanOut', $1::json)`, [JSON.stringify(payload)]);
  await pool.query(await readFile(new URL('../../migrations/0033_feed_jobs.sql', import.meta.url), 'utf8'));
  expect((await feedOf(reader)).ids).toEqual([id]);
  const left = await pool.query(`select 1 from graphile_worker.jobs where task_identifier = 'feed.fanOut'`);
  expect(left.rows).toEqual([]);
});
