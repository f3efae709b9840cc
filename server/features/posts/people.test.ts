/** Tags, the people in a post, and the pinned post: who may name whom, who may leave, and what comes first. */
import { randomUUID } from 'node:crypto';
import { type PostBody, post as postView } from '@stagedoor/contract/posts.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { blockAccount } from '../accounts/index.ts';
import { makeReadyPicture } from '../media/testing.ts';
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

const write = async (changes: Partial<Record<keyof PostBody, unknown>> = {}) => ({
  caption: 'With others',
  price: 0,
  media: [{ id: await makeReadyPicture(test.ctx, creator.id) }],
  ...changes,
});
const publish = async (changes: Partial<Record<keyof PostBody, unknown>> = {}) =>
  z.parse(postView, (await creator.inject('POST', '/api/post', await write(changes))).json());
const read = async (id: string, as: Pick<TestUser, 'inject'> = test) =>
  z.parse(postView, (await as.inject('GET', `/api/post/${id}`)).json());

describe('tags', () => {
  it('are kept in lower case, in their order, once each', async () => {
    const { id } = await publish({ tags: ['Klavier', 'naïve-art', 'klavier', '日本'] });
    expect((await read(id)).tags).toEqual(['klavier', 'naïve-art', '日本']);
  });

  it.each([
    [['two words']],
    [['#hash']],
    [['']],
    [['-x']],
    [['x'.repeat(41)]],
    [Array.from({ length: 21 }, (_, n) => `t${n}`)],
  ])('refuses %j', async (tags) => {
    expect((await creator.inject('POST', '/api/post', await write({ tags }))).statusCode).toBe(400);
  });
});

describe('people', () => {
  it('are shown to everybody, and follow a new name', async () => {
    const { id } = await publish({ people: [guest.id] });
    expect((await read(id)).people).toEqual([{ id: guest.id, username: guest.username, name: 'Ida', avatarUrl: null }]);
    await test.ctx.db.query.updateTable('users').set({ name: 'Ida B.' }).where('id', '=', guest.id).execute();
    expect((await read(id, fan)).people[0]?.name).toBe('Ida B.');
  });

  it('must be creators, others than its own, once each, and not blocked', async () => {
    const blocked = await test.signUp('creator');
    const { id } = await publish({ people: [blocked.id] });
    await blockAccount(test.ctx, blocked.id, 'charged back twice');
    for (const people of [[fan.id], [creator.id], [guest.id, guest.id], [randomUUID()], [blocked.id]]) {
      expect((await creator.inject('POST', '/api/post', await write({ people }))).statusCode, people[0]).toBe(400);
    }
    expect((await read(id)).people).toEqual([]);
  });

  it('may leave for good: the creator cannot put them back, and everybody else stays', async () => {
    const third = await test.signUp('creator');
    const made = await publish({ people: [guest.id, third.id] });
    const told: string[] = [];
    test.ctx.events.tell(
      'post.changed',
      `test.${made.id}`,
      () => 'test',
      ({ payload }) => void told.push(payload.postId),
    );
    const leave = () => guest.inject('DELETE', `/api/post/${made.id}/people`);
    const answers = await Promise.all([leave(), leave()]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect((await read(made.id)).people.map(({ id }) => id)).toEqual([third.id]);
    await test.ctx.events.settle();
    expect(told).toContain(made.id);
    const body = { caption: 'New', price: 0, media: made.media.map(({ id }) => ({ id })) };
    const again = await creator.inject('PATCH', `/api/post/${made.id}`, { ...body, people: [guest.id, third.id] });
    expect(again.json()).toMatchObject({ code: 'VALIDATION', error: [{ field: 'people' }] });
    expect((await creator.inject('PATCH', `/api/post/${made.id}`, { ...body, people: [third.id] })).statusCode).toBe(
      200,
    );
    expect((await creator.inject('PATCH', `/api/post/${made.id}`, { ...body, people: [] })).statusCode).toBe(200);
    expect((await read(made.id)).people).toEqual([]);
  });

  it('leave what they are in also when it is taken down; what they are not in looks like nothing then', async () => {
    const inIt = await publish({ people: [guest.id] });
    const notInIt = await publish();
    for (const { id } of [inIt, notInIt]) await creator.inject('DELETE', `/api/post/${id}`);
    expect((await guest.inject('DELETE', `/api/post/${inIt.id}/people`)).statusCode).toBe(200);
    expect((await guest.inject('DELETE', `/api/post/${notInIt.id}/people`)).statusCode).toBe(404);
  });
});

describe('the pinned post', () => {
  const listed = async (who: TestUser, query = '') => {
    const page = (await test.inject('GET', `/api/public/posts/${who.id}?${query}`)).json();
    return { ids: page.data.map((each: { id: string }) => each.id), next: page.nextOffset, total: page.totalCount };
  };

  it('comes first, once, however the list is paged, and any other gives way to it', async () => {
    const pinner = await test.signUp('creator');
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      test.clock.advance(1_000);
      ids.unshift(await makePost(test.ctx, pinner.id, { createdAt: test.clock.now() }));
    }
    const [a, b, c, d, e] = ids;
    expect((await pinner.inject('PUT', `/api/post/${e}/pin`, { isPinned: true })).json()).toEqual({ isPinned: true });
    expect((await pinner.inject('PUT', `/api/post/${c}/pin`, { isPinned: true })).statusCode).toBe(200);
    expect((await listed(pinner)).ids).toEqual([c, a, b, d, e]);
    for (const limit of [1, 2, 3]) {
      const seen: string[] = [];
      for (let offset: string | undefined = '0'; offset !== undefined; ) {
        const page: Awaited<ReturnType<typeof listed>> = await listed(pinner, `limit=${limit}&offset=${offset}`);
        expect(page.total).toBe(5);
        seen.push(...page.ids);
        offset = page.next;
      }
      expect(seen, `pages of ${limit}`).toEqual([c, a, b, d, e]);
    }
    expect((await listed(pinner, 'offset=2&limit=2')).ids).toEqual([b, d]);
    expect((await pinner.inject('PUT', `/api/post/${c}/pin`, { isPinned: false })).statusCode).toBe(200);
    expect((await listed(pinner)).ids).toEqual(ids);
  });

  it('is one at most when two are pinned and a third is taken down at once', async () => {
    const pinner = await test.signUp('creator');
    const [a, b, c] = await Promise.all([1, 2, 3].map(() => makePost(test.ctx, pinner.id)));
    await pinner.inject('PUT', `/api/post/${c}/pin`, { isPinned: true });
    const answers = await Promise.all([
      pinner.inject('PUT', `/api/post/${a}/pin`, { isPinned: true }),
      pinner.inject('DELETE', `/api/post/${c}`),
      pinner.inject('PUT', `/api/post/${b}/pin`, { isPinned: true }),
      pinner.inject('PUT', `/api/post/${a}/pin`, { isPinned: true }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    const pinned = await test.ctx.db.query
      .selectFrom('posts')
      .select('id')
      .where('creator_id', '=', pinner.id)
      .where('is_pinned', '=', true)
      .execute();
    expect(pinned).toHaveLength(1);
    expect((await pinner.inject('PUT', `/api/post/${c}/pin`, { isPinned: true })).statusCode).toBe(409);
    expect((await creator.inject('PUT', `/api/post/${a}/pin`, { isPinned: true })).statusCode).toBe(404);
  });
});
