import { randomUUID } from 'node:crypto';
import { post as postView } from '@stagedoor/contract/content/posts.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { makeReadyPicture } from '../media/testing.ts';
import { toPostTitle } from './present.ts';
import { makePost } from './testing.ts';

let test: TestApp;
let creator: TestUser;
let other: TestUser;
let fan: TestUser;

beforeAll(async () => {
  test = await createTestApp();
  test.ctx.events.addBroadcastHandler(
    'post.published',
    'test.listen',
    () => 'test',
    ({ payload }) => void publishedIds.push(payload.postId),
  );
  [creator, other, fan] = await Promise.all([
    test.signUp('creator', { name: 'Zoë' }),
    test.signUp('creator'),
    test.signUp('customer'),
  ]);
});
afterAll(() => test.close());

const createBody = async (changes: Record<string, unknown> = {}) => ({
  caption: 'First light\nand more',
  price: 12.5,
  media: [{ id: await makeReadyPicture(test.ctx, creator.id, { hasFiles: true }), alt: 'A window' }],
  ...changes,
});
const getCounters = async () =>
  test.ctx.db.query
    .selectFrom('creators')
    .select(['post_count', 'media_count', 'last_post_at'])
    .where('user_id', '=', creator.id)
    .executeTakeFirstOrThrow();
const viewPost = async (id: string, as: { inject: TestApp['inject'] } = test) => {
  const response = await as.inject('GET', `/api/post/${id}`);
  return {
    status: response.statusCode,
    text: response.body,
    post: response.statusCode === 200 ? z.parse(postView, response.json()) : undefined,
  };
};
const publishedIds: string[] = [];

describe('publishing', () => {
  it('publishes and counts a post once per idempotency key, and refuses the key with another body', async () => {
    const before = await getCounters();
    const body = await createBody();
    const key = { 'idempotency-key': randomUUID() };
    const responses = await Promise.all([1, 2, 3].map(() => creator.inject('POST', '/api/post', body, key)));
    const posts = responses.map((response) => z.parse(postView, response.json()));
    expect(new Set(posts.map(({ id }) => id)).size).toBe(1);
    expect(posts[0]).toMatchObject({
      postUri: [`/post/${posts[0]?.id}`],
      type: 'picture',
      title: 'First light',
      caption: 'First light\nand more',
      price: 12.5,
      isUnlocked: true,
      isPurchased: false,
      likeCount: 0,
      mediaCount: 1,
      author: { username: creator.username, name: 'Zoë' },
    });
    expect((await creator.inject('POST', '/api/post', { ...body, price: 3 }, key)).json()).toMatchObject({
      code: 'CONFLICT',
    });
    const after = await getCounters();
    expect(after.post_count - before.post_count).toBe(1);
    expect(after.media_count - before.media_count).toBe(1);
    expect(after.last_post_at).toEqual(test.clock.now());
    await test.ctx.events.waitUntilIdle();
    expect(publishedIds).toEqual([posts[0]?.id]);
  });

  it('uses each picture once, even when two posts are published at the same time', async () => {
    const body = await createBody();
    const responses = await Promise.all([
      creator.inject('POST', '/api/post', body),
      creator.inject('POST', '/api/post', body),
    ]);
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    const twice = await createBody();
    expect(
      (await creator.inject('POST', '/api/post', { ...twice, media: [...twice.media, ...twice.media] })).statusCode,
    ).toBe(400);
  });

  it('refuses media that are foreign, not ready or missing, and leaves no partial post', async () => {
    const before = await getCounters();
    const foreignMediaId = await makeReadyPicture(test.ctx, other.id);
    const processing = await makeReadyPicture(test.ctx, creator.id);
    await test.ctx.db.query.updateTable('media').set({ status: 'processing' }).where('id', '=', processing).execute();
    const ownMedia = (await createBody()).media;
    for (const [id, status] of [
      [foreignMediaId, 404],
      [randomUUID(), 404],
      [processing, 409],
    ] as const) {
      expect(
        (await creator.inject('POST', '/api/post', await createBody({ media: [...ownMedia, { id }] }))).statusCode,
      ).toBe(status);
    }
    expect(await getCounters()).toEqual(before);
    expect((await creator.inject('POST', '/api/post', await createBody({ media: ownMedia }))).statusCode).toBe(200);
  });

  it.each([
    ['three decimals', { price: 5.555 }],
    ['too cheap', { price: 1 }],
    ['too dear', { price: 51 }],
    ['negative', { price: -5 }],
    ['a text as price', { price: '5' }],
    ['no media', { media: [] }],
    ['21 media', { media: Array.from({ length: 21 }, () => ({ id: randomUUID() })) }],
    ['an endless caption', { caption: 'x'.repeat(4001) }],
    ['no id', { media: [{ id: "1' or 1=1" }] }],
  ])('refuses %s', async (_name, changes) => {
    expect((await creator.inject('POST', '/api/post', await createBody(changes))).json()).toMatchObject({
      code: 'VALIDATION',
    });
  });

  it('is allowed to creators only', async () => {
    expect((await fan.inject('POST', '/api/post', await createBody())).statusCode).toBe(403);
    expect((await test.inject('POST', '/api/post', await createBody())).statusCode).toBe(401);
  });

  it('stores markup and special characters in a caption unchanged', async () => {
    const caption = `<script>alert(1)</script>'); drop table posts; -- \u202e 🙂`;
    const made = z.parse(
      postView,
      (await creator.inject('POST', '/api/post', await createBody({ caption, price: 0 }))).json(),
    );
    expect((await viewPost(made.id)).post?.caption).toBe(caption);
  });
});

describe('what a viewer sees', () => {
  it('of a locked post is its preview and its price, without the address of any open file', async () => {
    const media = [
      await makeReadyPicture(test.ctx, creator.id, { hasFiles: true }),
      await makeReadyPicture(test.ctx, creator.id),
    ];
    const id = await makePost(test.ctx, creator.id, { priceCents: 900, mediaIds: media, alts: ['What is sold', ''] });
    for (const viewer of [test, fan, other]) {
      const { post, text } = await viewPost(id, viewer);
      expect(post).toMatchObject({ price: 9, isUnlocked: false, type: 'pictureSet', mediaCount: 2 });
      expect(post?.media[0]).toMatchObject({
        isLocked: true,
        kind: 'picture',
        width: 1200,
        height: 1500,
        byteSize: 240_000,
      });
      expect(text).not.toMatch(/\/m\/|asset\/private|\d+\.webp|What is sold/);
      const preview = post?.media[0]?.isLocked ? post.media[0].preview.url : '';
      expect((await viewer.inject('GET', preview)).statusCode).toBe(200);
    }
    expect((await viewPost(id, creator)).post).toMatchObject({
      isUnlocked: true,
      media: [{ isLocked: false, picture: { alt: 'What is sold' } }, {}],
    });
  });

  it('of a free post is every width at a public address, until it gets a price or is removed', async () => {
    const mediaId = await makeReadyPicture(test.ctx, creator.id, { hasFiles: true });
    const id = await makePost(test.ctx, creator.id, { mediaIds: [mediaId] });
    const address = `/media/public/m/${mediaId}/640.webp`;
    expect((await viewPost(id)).text).toContain(address);
    const response = await test.inject('GET', address);
    expect([response.statusCode, response.headers['cache-control']]).toEqual([
      200,
      'public, max-age=31536000, s-maxage=300, immutable',
    ]);

    const change = (price: number) => creator.inject('PATCH', `/api/post/${id}`, { price, media: [{ id: mediaId }] });
    expect((await change(5)).statusCode).toBe(200);
    await test.ctx.events.waitUntilIdle();
    expect((await test.inject('GET', address)).statusCode).toBe(404);
    expect((await change(0)).statusCode).toBe(200);
    await test.ctx.events.waitUntilIdle();
    expect((await test.inject('GET', address)).statusCode).toBe(200);
    expect((await creator.inject('DELETE', `/api/post/${id}`)).statusCode).toBe(200);
    await test.ctx.events.waitUntilIdle();
    expect((await test.inject('GET', address)).statusCode).toBe(404);
  });

  it('as its link picture is the picture of a free post, the preview of a paid one, and 404 for an unknown one', async () => {
    const free = await makePost(test.ctx, creator.id, {
      mediaIds: [await makeReadyPicture(test.ctx, creator.id, { hasFiles: true })],
    });
    const paid = await makePost(test.ctx, creator.id, {
      priceCents: 500,
      mediaIds: [await makeReadyPicture(test.ctx, creator.id, { hasFiles: true })],
    });
    for (const id of [free, paid]) {
      const response = await test.inject('GET', `/post/${id}.jpg`);
      expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'image/jpeg']);
    }
    expect((await test.inject('GET', `/post/${randomUUID()}.jpg`)).statusCode).toBe(404);
  });

  it('of a removed post or of a blocked creator is nothing, except for the creator', async () => {
    const id = await makePost(test.ctx, creator.id, { priceCents: 500 });
    const before = await getCounters();
    expect((await other.inject('DELETE', `/api/post/${id}`)).statusCode).toBe(404);
    expect((await creator.inject('DELETE', `/api/post/${id}`)).statusCode).toBe(200);
    expect((await creator.inject('DELETE', `/api/post/${id}`)).statusCode).toBe(200);
    const after = await getCounters();
    expect(before.post_count - after.post_count).toBe(1);
    expect((await viewPost(id, fan)).status).toBe(404);
    expect((await viewPost(id, creator)).status).toBe(200);
    const removed = (await creator.inject('GET', '/api/creator/posts?status=removed')).json();
    expect(removed.data.map((own: { post: { id: string } }) => own.post.id)).toContain(id);
    expect(removed.totalCount).toBeGreaterThanOrEqual(1);

    const mediaId = await makeReadyPicture(test.ctx, other.id, { hasFiles: true });
    const shown = await makePost(test.ctx, other.id, { mediaIds: [mediaId] });
    await test.ctx.db.query.updateTable('users').set({ is_blocked: true }).where('id', '=', other.id).execute();
    expect((await viewPost(shown, fan)).status).toBe(404);
    expect((await test.inject('GET', `/media/public/m/${mediaId}/640.webp`)).statusCode).toBe(404);
    expect((await fan.inject('GET', `/api/public/posts/${other.id}`)).statusCode).toBe(404);
    await test.ctx.db.query.updateTable('users').set({ is_blocked: false }).where('id', '=', other.id).execute();
    expect((await viewPost(shown, fan)).status).toBe(200);
  });
});

describe('changing a post', () => {
  it('sets caption, price, order and alt texts', async () => {
    const media = [await makeReadyPicture(test.ctx, creator.id), await makeReadyPicture(test.ctx, creator.id)];
    const id = await makePost(test.ctx, creator.id, { priceCents: 500, mediaIds: media });
    const body = {
      caption: ' New ',
      price: 7,
      media: [
        { id: media[1], alt: 'second' },
        { id: media[0], alt: 'first' },
      ],
    };
    const changed = z.parse(postView, (await creator.inject('PATCH', `/api/post/${id}`, body)).json());
    expect(changed).toMatchObject({ caption: 'New', price: 7, media: [{ id: media[1] }, { id: media[0] }] });
    expect((await other.inject('PATCH', `/api/post/${id}`, body)).statusCode).toBe(404);
    expect((await fan.inject('PATCH', `/api/post/${id}`, body)).statusCode).toBe(403);
    for (const wrong of [[], [{ id: media[0] }, { id: media[0] }]]) {
      expect((await creator.inject('PATCH', `/api/post/${id}`, { ...body, media: wrong })).json()).toMatchObject({
        code: 'VALIDATION',
        error: [{ field: 'media' }],
      });
    }
    await creator.inject('DELETE', `/api/post/${id}`);
    expect((await creator.inject('PATCH', `/api/post/${id}`, body)).statusCode).toBe(409);
  });

  it('emits a new price to viewers of the creator, and no other change', async () => {
    const media = [{ id: await makeReadyPicture(test.ctx, creator.id) }];
    const id = await makePost(test.ctx, creator.id, { priceCents: 500, mediaIds: media.map((each) => each.id) });
    const emitSpy = vi.spyOn(test.ctx.realtime, 'emitToRoom');
    for (const change of [
      { caption: 'New', price: 5 },
      { caption: 'New', price: 7.5 },
    ]) {
      expect((await creator.inject('PATCH', `/api/post/${id}`, { ...change, media })).statusCode).toBe(200);
      await test.ctx.events.waitUntilIdle();
    }
    const emitted = emitSpy.mock.calls.filter(([, event]) => event.name === 'POST_PRICE_CHANGED');
    expect(emitted.map(([watchers, , payload]) => [watchers, payload])).toEqual([
      [`presence:${creator.id}`, { postId: id, price: 7.5 }],
    ]);
    emitSpy.mockRestore();
  });
});

it('a post shows the versions that its media get later', async () => {
  const mediaId = await makeReadyPicture(test.ctx, creator.id);
  const id = await makePost(test.ctx, creator.id, { mediaIds: [mediaId], alts: ['A "quoted" \\ word\n🙂'] });
  const picture = async () => {
    const media = (await viewPost(id)).post?.media[0];
    return media?.isLocked === false ? media.picture : undefined;
  };
  expect((await picture())?.sources.map(({ type }) => type)).toEqual(['image/webp']);
  await test.ctx.db.query
    .updateTable('media')
    .set({ avif_widths: [96, 384] })
    .where('id', '=', mediaId)
    .execute();
  expect((await picture())?.sources.map(({ type }) => type)).toEqual(['image/avif', 'image/webp']);
  expect((await picture())?.alt).toBe('A "quoted" \\ word\n🙂');
});

describe('lists of posts', () => {
  it('are paged newest first by cursor and by offset, without gaps or duplicates while posts are added', async () => {
    const author = await test.signUp('creator');
    const ids: string[] = [];
    for (let index = 0; index < 25; index += 1) ids.unshift(await makePost(test.ctx, author.id, { shouldEmit: false }));
    const seen: string[] = [];
    let offset = '0';
    for (;;) {
      const page = (await test.inject('GET', `/api/public/posts/${author.id}?limit=10&offset=${offset}`)).json();
      expect(page.limit).toBe(10);
      seen.push(...page.data.map(({ id }: { id: string }) => id));
      if (!page.nextOffset) break;
      offset = page.nextOffset;
      await makePost(test.ctx, author.id, { shouldEmit: false });
    }
    expect(seen).toEqual(ids);
    const second = (await test.inject('GET', `/api/public/posts/${author.id}?limit=10&offset=10`)).json();
    expect(second.data).toHaveLength(10);
    expect(second.totalCount).toBe(27);
    expect((await test.inject('GET', `/api/public/posts/${author.id}?offset=cQUFBQUFBQUE`)).statusCode).toBe(400);
    expect((await test.inject('GET', `/api/public/posts/${author.id}?offset=-1`)).statusCode).toBe(400);
    expect((await test.inject('GET', `/api/public/posts/${author.id}?limit=51`)).statusCode).toBe(400);
    for (const id of [randomUUID(), fan.id, 'x'])
      expect((await test.inject('GET', `/api/public/posts/${id}`)).statusCode).toBe(404);
  });
});

describe('likes', () => {
  it('are counted exactly under many concurrent requests of many fans and of one fan', async () => {
    const id = await makePost(test.ctx, creator.id);
    const likers = await Promise.all(Array.from({ length: 12 }, () => test.signUp('customer')));
    await Promise.all(
      likers.flatMap((liker) =>
        [true, true, true].map((isLiked) => liker.inject('POST', `/api/post/like-unlike/${id}`, { isLiked })),
      ),
    );
    expect((await viewPost(id, likers[0])).post).toMatchObject({ likeCount: 12, isLiked: true });
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        fan.inject('POST', `/api/post/like-unlike/${id}`, { isLiked: index % 2 === 0 }),
      ),
    );
    const last = (await fan.inject('POST', `/api/post/like-unlike/${id}`, { isLiked: false })).json();
    expect(last).toEqual({ isLiked: false, likeCount: 12 });
    expect((await fan.inject('POST', `/api/post/like-unlike/${id}`)).json()).toEqual({ isLiked: true, likeCount: 13 });
    expect((await fan.inject('POST', `/api/post/like-unlike/${id}`, {})).json()).toEqual({
      isLiked: false,
      likeCount: 12,
    });
    const { count } = await test.ctx.db.query
      .selectFrom('post_likes')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('post_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(count).toBe(12);
    expect((await test.inject('POST', `/api/post/like-unlike/${id}`, {})).statusCode).toBe(401);
    expect((await fan.inject('POST', `/api/post/like-unlike/${randomUUID()}`, {})).statusCode).toBe(404);
  });
});

it('the title of a post is the first line of its caption', () => {
  expect(toPostTitle('\n  \n Hello  \nWorld')).toBe('Hello');
  expect(toPostTitle('')).toBe('');
  expect(toPostTitle('🙂'.repeat(120))).toBe('🙂'.repeat(120));
  expect(Array.from(toPostTitle('é🙂'.repeat(100)))).toHaveLength(120);
});
