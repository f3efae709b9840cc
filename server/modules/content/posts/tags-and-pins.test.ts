import { randomUUID } from 'node:crypto';
import { type PostBody, post as postView } from '@stagedoor/contract/content/posts.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { blockAccount } from '../../identity/accounts/index.ts';
import { makeReadyPicture } from '../media/testing.ts';
import { hidePost, unhidePost } from './moderation.ts';
import { makePost } from './testing.ts';

let test: TestApp;
let creator: TestUser;
let guest: TestUser;
let fan: TestUser;

beforeAll(async () => {
  test = await createTestApp();
  [creator, guest, fan] = await Promise.all([
    test.signUp('creator'),
    test.signUp('creator', { name: 'Ida' }),
    test.signUp('customer'),
  ]);
});
afterAll(() => test.close());

const createBody = async (changes: Partial<Record<keyof PostBody, unknown>> = {}) => ({
  caption: 'With others',
  price: 0,
  media: [{ id: await makeReadyPicture(test.ctx, creator.id) }],
  ...changes,
});
const publish = async (changes: Partial<Record<keyof PostBody, unknown>> = {}) =>
  z.parse(postView, (await creator.inject('POST', '/api/post', await createBody(changes))).json());
const viewPost = async (id: string, as: Pick<TestUser, 'inject'> = test) =>
  z.parse(postView, (await as.inject('GET', `/api/post/${id}`)).json());

describe('tags', () => {
  it('are stored in lower case, in their order, without duplicates', async () => {
    const { id } = await publish({ tags: ['Klavier', 'naïve-art', 'klavier', '日本'] });
    expect((await viewPost(id)).tags).toEqual(['klavier', 'naïve-art', '日本']);
  });

  it.each([
    [['two words']],
    [['#hash']],
    [['']],
    [['-x']],
    [['x'.repeat(41)]],
    [Array.from({ length: 21 }, (_, index) => `t${index}`)],
  ])('refuses %j', async (tags) => {
    expect((await creator.inject('POST', '/api/post', await createBody({ tags }))).statusCode).toBe(400);
  });
});

describe('users who are tagged in a post', () => {
  it('are shown to everyone with their current names', async () => {
    const { id } = await publish({ people: [guest.id] });
    expect((await viewPost(id)).people).toEqual([
      { id: guest.id, username: guest.username, name: 'Ida', avatarUrl: null },
    ]);
    await test.ctx.db.query.updateTable('users').set({ name: 'Ida B.' }).where('id', '=', guest.id).execute();
    expect((await viewPost(id, fan)).people[0]?.name).toBe('Ida B.');
  });

  it('must be other creators, listed once, and not blocked', async () => {
    const blocked = await test.signUp('creator');
    const { id } = await publish({ people: [blocked.id] });
    await blockAccount(test.ctx, blocked.id, 'charged back twice');
    for (const people of [[fan.id], [creator.id], [guest.id, guest.id], [randomUUID()], [blocked.id]]) {
      expect((await creator.inject('POST', '/api/post', await createBody({ people }))).statusCode, people[0]).toBe(400);
    }
    expect((await viewPost(id)).people).toEqual([]);
  });

  it('can leave for good, and the creator cannot add them again', async () => {
    const third = await test.signUp('creator');
    const post = await publish({ people: [guest.id, third.id] });
    const changedIds: string[] = [];
    test.ctx.events.addBroadcastHandler(
      'post.changed',
      `test.${post.id}`,
      () => 'test',
      ({ payload }) => void changedIds.push(payload.postId),
    );
    const leave = () => guest.inject('DELETE', `/api/post/${post.id}/people`);
    const responses = await Promise.all([leave(), leave()]);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect((await viewPost(post.id)).people.map(({ id }) => id)).toEqual([third.id]);
    await test.ctx.events.waitUntilIdle();
    expect(changedIds).toContain(post.id);
    const body = { caption: 'New', price: 0, media: post.media.map(({ id }) => ({ id })) };
    const retagged = await creator.inject('PATCH', `/api/post/${post.id}`, { ...body, people: [guest.id, third.id] });
    expect(retagged.json()).toMatchObject({ code: 'VALIDATION', error: [{ field: 'people' }] });
    expect((await creator.inject('PATCH', `/api/post/${post.id}`, { ...body, people: [third.id] })).statusCode).toBe(
      200,
    );
    expect((await creator.inject('PATCH', `/api/post/${post.id}`, { ...body, people: [] })).statusCode).toBe(200);
    expect((await viewPost(post.id)).people).toEqual([]);
  });

  it('can leave a removed post, and get 404 for a removed post that they are not in', async () => {
    const tagged = await publish({ people: [guest.id] });
    const untagged = await publish();
    for (const { id } of [tagged, untagged]) await creator.inject('DELETE', `/api/post/${id}`);
    expect((await guest.inject('DELETE', `/api/post/${tagged.id}/people`)).statusCode).toBe(200);
    expect((await guest.inject('DELETE', `/api/post/${untagged.id}/people`)).statusCode).toBe(404);
  });
});

describe('pinned posts', () => {
  const listPosts = async (user: TestUser, query = '') => {
    const page = (await test.inject('GET', `/api/public/posts/${user.id}?${query}`)).json();
    return { ids: page.data.map((each: { id: string }) => each.id), next: page.nextOffset, total: page.totalCount };
  };
  const pin = (user: TestUser, id: string | undefined, body: object = { isPinned: true }) =>
    user.inject('PUT', `/api/post/${id}/pin`, body);
  async function createFivePosts(user: TestUser) {
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      test.clock.advance(1_000);
      ids.unshift(await makePost(test.ctx, user.id, { createdAt: test.clock.now() }));
    }
    return ids;
  }

  it('come first in their order on every page size, and a fourth one is refused', async () => {
    const pinner = await test.signUp('creator');
    const ids = await createFivePosts(pinner);
    const [a, b, c, d, e] = ids;
    expect((await pin(pinner, e)).json()).toEqual({ isPinned: true });
    expect((await pin(pinner, c)).statusCode).toBe(200);
    expect((await pin(pinner, d, { isPinned: true, position: 2 })).statusCode).toBe(200);
    expect((await listPosts(pinner)).ids).toEqual([c, d, e, a, b]);
    expect((await pinner.inject('GET', '/api/creator/posts')).json().pinnedCount).toBe(3);
    expect((await pin(pinner, a)).json()).toMatchObject({
      code: 'CONFLICT',
      message: 'You can pin up to 3 posts. Unpin one first.',
    });
    for (const limit of [1, 2, 3, 4]) {
      const seen: string[] = [];
      for (let offset: string | undefined = '0'; offset !== undefined; ) {
        const page: Awaited<ReturnType<typeof listPosts>> = await listPosts(pinner, `limit=${limit}&offset=${offset}`);
        expect(page.total).toBe(5);
        seen.push(...page.ids);
        offset = page.next;
      }
      expect(seen, `pages of ${limit}`).toEqual([c, d, e, a, b]);
    }
    expect((await listPosts(pinner, 'offset=2&limit=2')).ids).toEqual([e, a]);
    expect((await pin(pinner, e)).statusCode).toBe(200);
    expect((await listPosts(pinner)).ids).toEqual([e, c, d, a, b]);
    const own = (await pinner.inject('GET', '/api/creator/posts')).json();
    expect(own.data.map((each: { pinPosition: number | null }) => each.pinPosition)).toEqual([null, null, 2, 3, 1]);
    for (const id of [c, d, e]) expect((await pin(pinner, id, { isPinned: false })).statusCode).toBe(200);
    expect((await listPosts(pinner)).ids).toEqual(ids);
  });

  it('must be the creator’s own, and are unpinned when they are removed or hidden', async () => {
    const pinner = await test.signUp('creator');
    const [a, b, c] = await createFivePosts(pinner);
    for (const id of [c, b, a]) await pin(pinner, id);
    expect((await pin(creator, a)).statusCode).toBe(404);
    expect((await pin(pinner, a, { isPinned: true, position: 4 })).statusCode).toBe(400);
    expect((await pin(pinner, a, { isPinned: true, position: 0 })).statusCode).toBe(400);
    await pinner.inject('DELETE', `/api/post/${a}`);
    await test.ctx.db.transaction((tx) => hidePost(test.ctx, tx, b ?? ''));
    expect((await pin(pinner, a)).statusCode).toBe(409);
    expect((await listPosts(pinner)).ids[0]).toBe(c);
    await test.ctx.db.transaction((tx) => unhidePost(tx, b ?? ''));
    expect((await listPosts(pinner)).ids.slice(0, 2)).toEqual([c, b]);
  });

  it('are three at most, each at its own position, under concurrent pins and a removal', async () => {
    const pinner = await test.signUp('creator');
    const [a, b, c, d, e] = await createFivePosts(pinner);
    await pin(pinner, c);
    const responses = await Promise.all([
      ...[a, b, d, e].map((id) => pin(pinner, id)),
      pinner.inject('DELETE', `/api/post/${c}`),
      pin(pinner, a),
    ]);
    for (const { statusCode } of responses) expect([200, 409]).toContain(statusCode);
    const rows = await test.ctx.db.query
      .selectFrom('posts')
      .select(['id', 'pin_place'])
      .where('creator_id', '=', pinner.id)
      .where('pin_place', 'is not', null)
      .orderBy('pin_place')
      .execute();
    expect(rows.length).toBeGreaterThanOrEqual(2);
    expect(rows.length).toBeLessThanOrEqual(3);
    expect(new Set(rows.map((row) => row.pin_place)).size).toBe(rows.length);
    expect(rows.map(({ id }) => id)).not.toContain(c);
  });
});
