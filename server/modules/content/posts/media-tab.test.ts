import { randomUUID } from 'node:crypto';
import { listCreatorMedia } from '@stagedoor/contract/content/posts.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { makeReadyPicture } from '../media/testing.ts';
import { makePost } from './testing.ts';

let test: TestApp;
let creator: TestUser;
let fan: TestUser;
let stranger: TestUser;
const posts: string[] = [];
const media: string[][] = [];

beforeAll(async () => {
  test = await createTestApp();
  [creator, fan, stranger] = await Promise.all([
    test.signUp('creator'),
    test.signUp('customer'),
    test.signUp('customer'),
  ]);
  await createDeposit(test.ctx.db, fan.id, 5_000);
  for (const [count, priceCents] of [
    [2, 0],
    [3, 500],
    [1, 0],
  ] as const) {
    const mediaIds: string[] = [];
    for (let index = 0; index < count; index += 1) mediaIds.push(await makeReadyPicture(test.ctx, creator.id));
    media.push(mediaIds);
    test.clock.advance(1000);
    posts.push(
      await makePost(test.ctx, creator.id, {
        caption: `Post ${count}\nmore`,
        priceCents,
        mediaIds,
        alts: mediaIds.map(() => 'secret words'),
      }),
    );
  }
});
afterAll(() => test.close());

type As = { inject: TestApp['inject'] };
async function listPostedMedia(query = '', as: As = test) {
  const response = await as.inject('GET', `/api/public/media/${creator.id}?${query}`);
  return {
    status: response.statusCode,
    text: response.payload,
    page: z.safeParse(listCreatorMedia.response, response.json()).data,
  };
}
const listIds = (result: Awaited<ReturnType<typeof listPostedMedia>>) =>
  result.page?.data.map(({ media: { id } }) => id) ?? [];

it('the Media tab lists the newest post first, with its media in order, on pages of any size', async () => {
  const all = [media[2], media[1], media[0]].flatMap((ids) => ids ?? []);
  expect(listIds(await listPostedMedia())).toEqual(all);
  for (const size of [1, 2, 4, 5]) {
    const seen: string[] = [];
    let offset = '0';
    for (let guard = 0; guard < 10; guard += 1) {
      const result = await listPostedMedia(`limit=${size}&offset=${offset}`);
      seen.push(...listIds(result));
      if (!result.page?.nextOffset) break;
      offset = result.page.nextOffset;
    }
    expect(seen).toEqual(all);
  }
  expect(listIds(await listPostedMedia('kind=video'))).toEqual([]);
  expect(listIds(await listPostedMedia('kind=picture'))).toEqual(all);
});

it('the Media tab shows only the preview of a locked medium, and opens it to its buyer and creator', async () => {
  const locked = await listPostedMedia('', stranger);
  expect(locked.page?.data.map(({ media: { isLocked } }) => isLocked)).toEqual([false, true, true, true, false, false]);
  for (const id of media[1] ?? []) expect(locked.text).not.toContain(`fileKey=m/${id}`);
  const [, first] = locked.page?.data ?? [];
  expect(first).toMatchObject({ postId: posts[1], title: 'Post 3', price: 5, isUnlocked: false, isPurchased: false });
  expect(JSON.stringify(first)).not.toContain('secret words');
  expect((await listPostedMedia('', creator)).page?.data.every(({ isUnlocked }) => isUnlocked)).toBe(true);
  await fan.inject('POST', `/api/post/unlock/${posts[1]}`, {});
  expect((await listPostedMedia('', fan)).page?.data[1]).toMatchObject({
    isUnlocked: true,
    isPurchased: true,
    media: { isLocked: false },
  });
  expect((await listPostedMedia()).page?.data[1]).toMatchObject({ isUnlocked: false });
});

it('the Media tab refuses invalid cursors and filters, and returns 404 for users who are not creators', async () => {
  for (const query of ['offset=cYWFhYWFhYWE', 'offset=-1', 'kind=gif', 'limit=0'])
    expect([query, (await listPostedMedia(query)).status]).toEqual([query, 400]);
  expect((await test.inject('GET', `/api/public/media/${fan.id}`)).statusCode).toBe(404);
  expect((await test.inject('GET', `/api/public/media/${randomUUID()}`)).statusCode).toBe(404);
});

it('the Media tab drops removed posts', async () => {
  await creator.inject('DELETE', `/api/post/${posts[2]}`);
  expect(listIds(await listPostedMedia())).toEqual([media[1], media[0]].flatMap((ids) => ids ?? []));
});

it('only the buyer can hide a purchase from the list and restore it', async () => {
  const listBought = async () =>
    (await fan.inject('GET', '/api/customer/post-media-list'))
      .json()
      .data.map(({ post }: { post: { id: string } }) => post.id);
  expect(await listBought()).toEqual([posts[1]]);
  for (const as of [stranger, fan]) {
    const status = as === fan ? 200 : 404;
    expect((await as.inject('DELETE', `/api/customer/post-media/${posts[1]}`)).statusCode).toBe(status);
  }
  expect(await listBought()).toEqual([]);
  expect((await stranger.inject('POST', `/api/customer/post-media/${posts[1]}`)).statusCode).toBe(404);
  expect((await fan.inject('POST', `/api/customer/post-media/${posts[1]}`)).json()).toEqual({ success: true });
  expect((await fan.inject('POST', `/api/customer/post-media/${posts[1]}`)).json()).toEqual({ success: true });
  expect(await listBought()).toEqual([posts[1]]);
});
