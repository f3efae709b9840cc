import { randomUUID } from 'node:crypto';
import { type Post, post as postView } from '@stagedoor/contract/content/posts.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { TestApp, TestUser } from '../../../../testing/app.ts';
import { refundSale } from '../../../commerce/sales/index.ts';
import { account, getBalance } from '../../../ledger/ledger/index.ts';
import { createDeposit } from '../../../ledger/ledger/testing.ts';
import { createH264, probeFile } from '../../media-processing/testing.ts';
import { listFileKeys } from '../files.ts';
import { variantKey } from '../keys.ts';
import { findMedia } from '../store.ts';
import { createPictureFile, fetchRenditions, makeReadyStream } from '../testing.ts';
import { type IdleUploadTest, openIdleUploadTest } from '../tus.testing.ts';
import { addWatermark, WatermarkCache } from './watermark.ts';

let test: TestApp;
let creator: TestUser;
let fan: TestUser;
let other: TestUser;
let uploadTest: IdleUploadTest;
let twoFilms: [string, string];

beforeAll(async () => {
  uploadTest = await openIdleUploadTest();
  ({ test, creator } = uploadTest);
  [fan, other] = await Promise.all([test.signUp('customer'), test.signUp('customer')]);
  await createDeposit(test.ctx.db, fan.id, 50_000);
  const file = await createH264({ seconds: 4, size: '64x36' });
  twoFilms = [await uploadProcessed(file, { hasGifs: false }), await uploadProcessed(file)];
});
afterAll(() => test.close());

async function uploadProcessed(file: Buffer, options?: { hasGifs: boolean }): Promise<string> {
  const id = await uploadTest.client.upload(file);
  await uploadTest.makeReady(id);
  expect(await uploadTest.improve(id, options)).toMatchObject({ status: 'ready', stage: 'done' });
  return id;
}

async function publishMedia(mediaId: string, price: number): Promise<Post> {
  const body = { caption: 'A film', price, media: [{ id: mediaId, alt: '' }] };
  const response = await creator.inject('POST', '/api/post', body, { 'idempotency-key': randomUUID() });
  expect(response.statusCode, response.body).toBe(200);
  return z.parse(postView, response.json());
}
const viewPost = async (as: Pick<TestUser, 'inject'>, id: string) => {
  const response = await as.inject('GET', `/api/post/${id}`);
  return { view: z.parse(postView, response.json()), text: response.body };
};
const status = async (as: Pick<TestUser, 'inject'>, url: string) => (await as.inject('GET', url)).statusCode;

async function listAddresses(mediaId: string, tblType: string): Promise<string[]> {
  const prefix = `private/m/${mediaId}/`;
  const row = await findMedia(test.ctx.db, mediaId);
  const files = (row ? listFileKeys(row) : []).flatMap((key) =>
    key.startsWith(prefix) ? [key.slice(prefix.length)] : [],
  );
  for (const ending of ['.webp', '.jpg', '/master.m3u8', '/src.m3u8', '/src.mp4', '/video.mp4', '/sprite.webp'])
    expect(
      files.some((file) => file.endsWith(ending)),
      ending,
    ).toBe(true);
  return [
    ...files.map((file) => `/api/asset/private?fileKey=m/${mediaId}/${file}&tblType=${tblType}`),
    ...files.map((file) => `/api/asset/private/${tblType}/m/${mediaId}/${file}`),
    ...files.map((file) => `/media/public/m/${mediaId}/${file}`),
  ];
}

describe('a paid video', () => {
  it('is served only to its owner and its buyer, until the purchase is refunded', async () => {
    const [mediaId] = twoFilms;
    const { id } = await publishMedia(mediaId, 5);
    for (const viewer of [test, fan, other]) {
      const { view, text } = await viewPost(viewer, id);
      expect(view.media[0]).toMatchObject({ isLocked: true, kind: 'video', teaser: null });
      expect(text).not.toMatch(/m3u8|asset\/private|\/m\//);
      for (const tblType of ['post', 'media', '', 'x'.repeat(50), '__proto__'])
        for (const url of await listAddresses(mediaId, tblType)) expect(await status(viewer, url), url).toBe(404);
    }
    const unlocked = await fan.inject(
      'POST',
      `/api/post/unlock/${id}`,
      { price: 5 },
      { 'idempotency-key': randomUUID() },
    );
    expect(unlocked.statusCode).toBe(200);
    const [medium] = (await viewPost(fan, id)).view.media;
    if (!medium || medium.isLocked || !medium.stream) throw new Error('it is still locked');
    const [rendition] = await fetchRenditions(fan, medium.stream.hls ?? '');
    expect(Number((await probeFile(rendition?.bytes ?? Buffer.alloc(0))).format.duration)).toBeGreaterThan(3);
    for (const url of [medium.stream.file, medium.stream.sprite?.url, medium.picture.url])
      expect(await status(fan, url ?? '')).toBe(200);
    expect(await status(other, medium.stream.hls ?? '')).toBe(404);
    expect(await status(test, medium.stream.hls ?? '')).toBe(404);

    const [sale] = await test.ctx.db.run<{ transaction_id: string }>(
      { name: 'test-sale', text: 'select transaction_id from post_purchases where post_id = $1' },
      [id],
    );
    const operation = { actorId: creator.id, operationId: randomUUID(), at: test.clock.now() };
    await test.ctx.db.transaction((tx) => refundSale(tx, { saleId: sale?.transaction_id ?? '', ...operation }));
    await test.ctx.events.waitUntilIdle();
    test.clock.advance(6_000);
    for (const url of await listAddresses(mediaId, 'post')) expect(await status(fan, url), url).toBe(404);
    expect(await getBalance(test.ctx.db, account.wallet(fan.id))).toBe(50_000);
    for (const url of (await listAddresses(mediaId, 'post')).filter((address) => address.startsWith('/api')))
      expect(await status(creator, url), url).toBe(200);
  });

  it('stops within seconds for a current viewer whose right ends, even without an event', async () => {
    const mediaId = await makeReadyStream(test.ctx, creator.id, { kind: 'video' });
    await test.ctx.storage.put(variantKey(mediaId, 'h/src.mp4'), Buffer.from('a film'), 'video/mp4');
    const { id } = await publishMedia(mediaId, 3);
    await fan.inject('POST', `/api/post/unlock/${id}`, {}, { 'idempotency-key': randomUUID() });
    const segment = `/api/asset/private/post/m/${mediaId}/h/src.mp4`;
    expect(await status(fan, segment)).toBe(200);
    await test.ctx.db.pool.query('delete from owned_purchases where subject_id = $1', [id]);
    test.clock.advance(4_000);
    expect(await status(fan, segment)).toBe(200);
    test.clock.advance(1_001);
    expect(await status(fan, segment)).toBe(404);
  });
});

describe('a free video', () => {
  it('is public with ranges, validators and HEAD, until it gets a price', async () => {
    const [, mediaId] = twoFilms;
    const { id } = await publishMedia(mediaId, 0);
    const [medium] = (await viewPost(test, id)).view.media;
    if (!medium || medium.isLocked || !medium.stream) throw new Error('it is locked');
    const { hls, file } = medium.stream;
    expect(hls).toMatch(new RegExp(`^/media/public/m/${mediaId}/\\d+/h/master\\.m3u8$`));
    await fetchRenditions(test, hls ?? '');
    const whole = await test.inject('GET', file ?? '');
    expect(whole.headers).toMatchObject({ 'accept-ranges': 'bytes', 'content-type': 'video/mp4' });
    expect(whole.headers['cache-control']).toContain('public');
    const part = await test.inject('GET', file ?? '', undefined, { range: 'bytes=-10' });
    expect([part.statusCode, part.rawPayload.equals(whole.rawPayload.subarray(-10))]).toEqual([206, true]);
    const outside = await test.inject('GET', file ?? '', undefined, { range: 'bytes=99999999-' });
    expect([outside.statusCode, outside.headers['content-range']]).toEqual([416, `bytes */${whole.rawPayload.length}`]);
    const notModified = await test.inject('GET', file ?? '', undefined, {
      'if-none-match': String(whole.headers.etag),
    });
    expect([notModified.statusCode, notModified.rawPayload.length]).toEqual([304, 0]);
    const head = await test.app.http.inject({ method: 'HEAD', url: file ?? '' });
    expect([head.statusCode, head.headers['content-length'], head.rawPayload.length]).toEqual([
      200,
      String(whole.rawPayload.length),
      0,
    ]);
    const master = await test.inject('GET', hls ?? '');
    expect(master.headers['cache-control']).toContain('immutable');

    const gif = await test.inject('GET', `/post/${id}.gif`);
    expect([gif.statusCode, gif.headers['content-type']]).toEqual([200, 'image/gif']);
    expect((await sharp(gif.rawPayload).metadata()).pages).toBeGreaterThan(10);
    expect(await status(test, `/post/${id}.jpg`)).toBe(200);

    const changed = { caption: 'A film', price: 4, media: [{ id: mediaId, alt: '' }] };
    expect((await creator.inject('PATCH', `/api/post/${id}`, changed)).statusCode).toBe(200);
    await test.ctx.events.waitUntilIdle();
    for (const url of await listAddresses(mediaId, 'post')) expect(await status(test, url), url).toBe(404);
    const locked = await test.inject('GET', `/post/${id}.gif`);
    expect(locked.statusCode).toBe(200);
    expect(locked.rawPayload.equals(gif.rawPayload)).toBe(false);
    const frame = await sharp(locked.rawPayload).greyscale().raw().toBuffer({ resolveWithObject: true });
    let sharpest = 0;
    for (let x = 1; x < frame.info.width; x += 1)
      sharpest = Math.max(sharpest, Math.abs((frame.data[x] ?? 0) - (frame.data[x - 1] ?? 0)));
    expect(sharpest).toBeLessThan(60);
  });
});

it('invalid file names return 404', async () => {
  const id = await uploadProcessed(await createPictureFile({ width: 60, height: 60 }));
  const names = ['../o/x', '%2e%2e/secret', 'original', 'h/../320.webp', 'h/master.m3u8.bak', 'f/x.sh', '', 'c/1.vtt'];
  for (const name of names) {
    expect(await status(creator, `/api/asset/private/media/m/${id}/${name}`), name).toBe(404);
    expect(
      await status(creator, `/api/asset/private?fileKey=m/${id}/${encodeURIComponent(name)}&tblType=media`),
      name,
    ).toBe(404);
  }
  expect(await status(creator, `/api/asset/private/media/o/${id}`)).toBe(404);
});

describe('a creator’s watermark', () => {
  const getMaxDifference = async (a: Buffer, b: Buffer) => {
    const [one, two] = await Promise.all([a, b].map((bytes) => sharp(bytes).removeAlpha().raw().toBuffer()));
    return (one ?? Buffer.alloc(0)).reduce(
      (max, value, index) => Math.max(max, Math.abs(value - (two?.[index] ?? 0))),
      0,
    );
  };

  it('marks private pictures of other viewers with their own name, and is cached for them', async () => {
    const id = await uploadProcessed(await createPictureFile({ width: 640, height: 480 }));
    const { id: postId } = await publishMedia(id, 3);
    await fan.inject('POST', `/api/post/unlock/${postId}`, {}, { 'idempotency-key': randomUUID() });
    const row = await findMedia(test.ctx.db, id);
    const serials = { webp: row?.picture_serial, avif: row?.avif_serial };
    const url = (ending: 'webp' | 'avif') =>
      `/api/asset/private?fileKey=m/${id}/${serials[ending]}/640.${ending}&tblType=post`;
    const plain = await fan.inject('GET', url('webp'));
    expect((await creator.inject('PUT', '/api/creator/media-settings', { isWatermarked: true })).json()).toEqual({
      isWatermarked: true,
    });
    await test.ctx.events.waitUntilIdle();
    const marked = await fan.inject('GET', url('webp'));
    expect(marked.statusCode).toBe(200);
    expect(marked.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'private, max-age=300' });
    expect(marked.headers.etag).not.toBe(plain.headers.etag);
    expect(await sharp(marked.rawPayload).metadata()).toMatchObject({ width: 640, height: 480 });
    expect(await getMaxDifference(plain.rawPayload, marked.rawPayload)).toBeGreaterThan(20);
    expect((await fan.inject('GET', url('webp'))).rawPayload.equals(marked.rawPayload)).toBe(true);
    const avif = await fan.inject('GET', url('avif'));
    expect([avif.statusCode, avif.headers['content-type']]).toEqual([200, 'image/webp']);
    expect((await creator.inject('GET', url('webp'))).rawPayload.equals(plain.rawPayload)).toBe(true);
    expect((await other.inject('GET', url('webp'))).statusCode).toBe(404);
    await creator.inject('PUT', '/api/creator/media-settings', { isWatermarked: false });
    await test.ctx.events.waitUntilIdle();
    expect((await fan.inject('GET', url('webp'))).rawPayload.equals(plain.rawPayload)).toBe(true);
    const watermarks = new WatermarkCache(test.ctx);
    await watermarks.sweep(0);
  });

  it('differs by name, fits small pictures, and does not interpret markup', async () => {
    const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#7a8a99' } })
      .webp()
      .toBuffer();
    const [ann, bob] = await Promise.all([
      addWatermark(picture, 'ann.smith', 'webp'),
      addWatermark(picture, 'bob.jones', 'webp'),
    ]);
    expect(ann.equals(bob)).toBe(false);
    expect(await getMaxDifference(picture, ann)).toBeGreaterThan(20);
    const tiny = await sharp({ create: { width: 20, height: 9, channels: 3, background: '#7a8a99' } })
      .jpeg()
      .toBuffer();
    expect(await sharp(await addWatermark(tiny, '<b>&"x</b>', 'jpg')).metadata()).toMatchObject({
      width: 20,
      height: 9,
    });
  });
});
