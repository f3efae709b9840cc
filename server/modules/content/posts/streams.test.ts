import { listContinueWatching, post as postView } from '@stagedoor/contract/content/posts.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { makeReadyPicture, makeReadyStream } from '../media/testing.ts';
import { makePost } from './testing.ts';

let test: TestApp;
let creator: TestUser;

beforeAll(async () => {
  test = await createTestApp();
  creator = await test.signUp('creator');
});
afterAll(() => test.close());

const createVideo = () => makeReadyStream(test.ctx, creator.id, { kind: 'video', seconds: 600 });
const createAudio = () => makeReadyStream(test.ctx, creator.id, { kind: 'audio', seconds: 600 });

describe('the type of a post', () => {
  const publish = (ids: string[]) =>
    creator.inject('POST', '/api/post', { price: 0, media: ids.map((id) => ({ id })) });

  it('is video or audio for a single file, and the feed filters by it', async () => {
    const video = z.parse(postView, (await publish([await createVideo()])).json());
    const audio = z.parse(postView, (await publish([await createAudio()])).json());
    expect([video.type, audio.type]).toEqual(['video', 'audio']);
    const fan = await test.signUp('customer');
    await fan.inject('POST', `/api/customer/follow/${creator.id}`, { isFollowed: true });
    await test.ctx.events.waitUntilIdle();
    for (const { id, type } of [video, audio]) {
      const page = (await fan.inject('GET', `/api/feed?type=${type}`)).json();
      expect(page.data.map((post: { id: string }) => post.id)).toEqual([id]);
    }
  });

  it('allows no mixture and no second video, and a refused post uses no file', async () => {
    const [picture, video] = [await makeReadyPicture(test.ctx, creator.id), await createVideo()];
    for (const ids of [
      [picture, video],
      [video, await createVideo()],
      [video, await createAudio()],
    ]) {
      expect((await publish(ids)).json()).toMatchObject({ code: 'VALIDATION', error: [{ field: 'media' }] });
    }
    expect((await publish([video])).statusCode).toBe(200);
    expect((await publish([picture])).statusCode).toBe(200);
  });
});

describe('continue watching', () => {
  const listWatching = async (fan: TestUser, query = '') => {
    const response = await fan.inject('GET', `/api/customer/continue-watching?${query}`);
    const page = z.parse(listContinueWatching.response, response.json());
    return { ids: page.data.map(({ post }) => post.id), page };
  };
  const watch = async (fan: TestUser, mediaId: string, seconds: number) => {
    test.clock.advance(1_000);
    const response = await fan.inject('PUT', `/api/media/${mediaId}/position`, { seconds });
    expect(response.statusCode, response.body).toBe(200);
  };

  it('lists the latest first with its position, until it is finished or not open to the fan any more', async () => {
    const [fan, other] = [await test.signUp('customer'), await test.signUp('customer')];
    const media = [await createVideo(), await createVideo(), await createAudio()];
    const posts: string[] = [];
    for (const id of media) posts.push(await makePost(test.ctx, creator.id, { mediaIds: [id] }));
    const [a = '', b = '', c = ''] = media;
    await watch(fan, a, 100);
    await watch(fan, b, 200);
    await watch(fan, c, 300);
    await watch(fan, a, 120);
    const [pa, pb, pc] = posts;
    const all = await listWatching(fan);
    expect(all.ids).toEqual([pa, pc, pb]);
    expect(all.page.data[0]).toMatchObject({ mediaId: a, seconds: 120, watchedAt: test.clock.now().toISOString() });
    const first = await listWatching(fan, 'limit=2');
    expect(first.ids).toEqual([pa, pc]);
    expect((await listWatching(fan, `limit=2&offset=${first.page.nextOffset}`)).ids).toEqual([pb]);
    expect((await listWatching(other)).ids).toEqual([]);
    await watch(fan, c, 599);
    await creator.inject('DELETE', `/api/post/${pa}`);
    const price = { caption: '', price: 5, media: [{ id: b }] };
    expect((await creator.inject('PATCH', `/api/post/${pb}`, price)).statusCode).toBe(200);
    expect((await listWatching(fan)).ids).toEqual([]);
    await creator.inject('PATCH', `/api/post/${pb}`, { ...price, price: 0 });
    expect((await listWatching(fan)).ids).toEqual([pb]);
  });
});
