/** Runs the same job twice at the same time. No file may be lost, whichever finishes first. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type App, createApp } from '../../../../app.ts';
import type { Context } from '../../../../platform/context.ts';
import { createId } from '../../../../platform/ids.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { createH264, createInputArgs, createMediaFile } from '../../media-processing/testing.ts';
import { listFileKeys, teaserFile } from '../files.ts';
import { originalKey, teaserKey, variantKey } from '../keys.ts';
import { findMedia, type MediaKind } from '../store.ts';
import { fetchRenditions, makeReadyStream } from '../testing.ts';
import { avifJob, encodeJob, improveJob, pictureJob, streamJob, teaserJob } from './queue.ts';
import { makeTeaser, removeTeasers } from './video/teasers.ts';

let test: TestApp;
let other: App;
let creator: TestUser;
const processedIds: string[] = [];

beforeAll(async () => {
  test = await createTestApp();
  const { config, log } = test.ctx;
  const worker = { ...config, role: 'worker' as const };
  other = await createApp({ config: worker, databaseUrl: test.databaseUrl, log, clock: test.clock, hasPages: false });
  creator = await test.signUp('creator');
  test.ctx.events.addBroadcastHandler(
    'media.processed',
    'test.processed',
    ({ mediaId }) => mediaId,
    ({ payload }) => void processedIds.push(payload.mediaId),
  );
  await test.app.start();
  await other.start();
});
afterAll(async () => {
  await other.close();
  await test.close();
});

type MediaJob = typeof pictureJob;

async function addJobs(spec: MediaJob, id: string, times = 2): Promise<void> {
  await test.ctx.db.transaction(async (tx) => {
    for (let index = 0; index < times; index += 1) await test.ctx.jobs.add(tx, spec, { mediaId: id });
  });
}

async function upload(file: Buffer, kind: MediaKind = 'picture', contentType = 'image/jpeg'): Promise<string> {
  const id = createId(test.clock);
  await test.ctx.storage.put(originalKey(id), file, contentType);
  const row = { id, owner_id: creator.id, status: 'processing', kind, content_type: contentType, stage: 'queued' };
  await test.ctx.db.query
    .insertInto('media')
    .values({ ...row, byte_size: file.length })
    .execute();
  return id;
}

async function waitUntilIdle(timeout: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await test.ctx.db.pool.query(
        `select task_identifier, last_error from graphile_worker.jobs where task_identifier like 'media.%' and run_at < now() + interval '1 hour'`,
      );
      expect(rows).toEqual([]);
    },
    { timeout, interval: 100 },
  );
}

async function getRow(id: string) {
  const row = await findMedia(test.ctx.db, id);
  if (!row) throw new Error('there is no such medium');
  return row;
}

async function expectAllFiles(id: string, ctx: Context = test.ctx): Promise<void> {
  const row = await getRow(id);
  expect(row.status).toBe('ready');
  for (const key of [...listFileKeys(row), originalKey(id)]) expect(await ctx.storage.open(key), key).toBeDefined();
}

async function listSerials(id: string): Promise<string[]> {
  const folder = path.join(test.ctx.config.dataDir, 'media', 'private', 'm', id);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const relativePaths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, entry.parentPath));
  return [...new Set(relativePaths.map((relativePath) => relativePath.split(path.sep)[0] ?? ''))].sort();
}

async function createNoisePicture(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  return sharp({ create: { width, height, channels: 3, background: '#888', noise } })
    .jpeg()
    .toBuffer();
}

it('the slower of two attempts at the same picture deletes only its own files', {
  timeout: 120_000,
}, async () => {
  const id = await upload(await createNoisePicture(500, 400));
  const isReady = () => vi.waitFor(async () => expect((await getRow(id)).status).toBe('ready'), { timeout: 30_000 });
  for (const { storage } of [test.ctx, other.ctx]) {
    const { put } = storage;
    vi.spyOn(storage, 'put').mockImplementation(async (key, content, contentType) => {
      if (key.includes(`${id}/1/`)) await isReady();
      return put(key, content, contentType);
    });
  }
  await addJobs(pictureJob, id);
  await isReady();
  await waitUntilIdle(30_000);
  vi.restoreAllMocks();
  const row = await getRow(id);
  expect(row.picture_serial).toBe(2);
  await expectAllFiles(id);
  expect(await listSerials(id)).toEqual([String(row.picture_serial), String(row.avif_serial)].sort());
  const picture = (await creator.inject('GET', `/api/creator/media/${id}`)).json().picture;
  for (const url of [picture.url, ...picture.sources.map(({ srcset }: { srcset: string }) => srcset.split(' ')[0])])
    expect((await creator.inject('GET', url)).statusCode, url).toBe(200);
});

it('AVIF is made once when it is enqueued several times', async () => {
  const id = await upload(await createNoisePicture(500, 400));
  await addJobs(pictureJob, id, 1);
  await vi.waitFor(async () => expect((await getRow(id)).status).toBe('ready'), { timeout: 30_000 });
  await addJobs(avifJob, id, 3);
  await waitUntilIdle(40_000);
  await expectAllFiles(id);
  const row = await getRow(id);
  expect(row.avif_widths).toEqual([96, 192, 384, 500]);
  expect(await listSerials(id)).toEqual([String(row.picture_serial), String(row.avif_serial)].sort());
});

it('a video plays after it was packaged twice and improved twice at the same time', { timeout: 120_000 }, async () => {
  const id = await upload(await createH264({ seconds: 1, size: '364x364' }), 'video', 'video/mp4');
  await addJobs(streamJob, id);
  await vi.waitFor(async () => expect((await getRow(id)).status).toBe('ready'), { timeout: 40_000 });
  await addJobs(improveJob, id);
  await waitUntilIdle(90_000);
  await expectAllFiles(id);
  const row = await getRow(id);
  expect(row.stream).toMatchObject({ file: expect.stringContaining('f/video.mp4'), clip: expect.any(Number) });
  const { stream } = (await creator.inject('GET', `/api/creator/media/${id}`)).json();
  expect(await fetchRenditions(creator, stream.hls)).toHaveLength(row.source?.renditions.length ?? 0);
});

it('concurrent teaser jobs leave one teaser, and none after its creator removes it', {
  timeout: 120_000,
}, async () => {
  const id = await makeReadyStream(test.ctx, creator.id, { kind: 'audio' });
  const audioFile = await createMediaFile('a.m4a', ['-f', 'lavfi', '-i', 'sine=d=3', '-c:a', 'aac']);
  await test.ctx.storage.put(variantKey(id, 'f/audio.m4a'), audioFile, 'audio/mp4');
  const setTeaser = async (teaser: { start: number; end: number } | null) => {
    await creator.inject('PATCH', `/api/creator/media/${id}`, { teaser });
    await addJobs(teaserJob, id, 3);
    await waitUntilIdle(60_000);
  };
  const toTeaserKey = (row: Awaited<ReturnType<typeof getRow>>) => teaserKey(id, teaserFile(row, row.teaser_serial));
  const expectTeaser = async (seconds: number) => {
    const row = await getRow(id);
    expect(row.teaser_seconds).toBe(seconds);
    expect(await test.ctx.storage.open(toTeaserKey(row))).toBeDefined();
    return row;
  };
  await setTeaser({ start: 1, end: 3 });
  await expectTeaser(2);
  await setTeaser({ start: 0, end: 1 });
  const before = await expectTeaser(1);
  await setTeaser(null);
  expect(await test.ctx.storage.open(toTeaserKey(before))).toBeUndefined();
  const read = await getRow(id);
  await setTeaser({ start: 1, end: 2 });
  await removeTeasers(test.ctx, read);
  await expectTeaser(1);
});

it('a teaser that could not be cut is not recorded', async () => {
  const id = await makeReadyStream(test.ctx, creator.id, { kind: 'audio' });
  await test.ctx.db.query.updateTable('media').set({ teaser_start: 1, teaser_end: 3 }).where('id', '=', id).execute();
  await makeTeaser(test.ctx, id);
  expect((await getRow(id)).teaser_seconds).toBeNull();
});

it('a video plays after it was encoded twice at the same time', { timeout: 120_000 }, async () => {
  const videoArgs = createInputArgs({ seconds: 1, size: '64x36' });
  const id = await upload(
    await createMediaFile('twice.avi', [...videoArgs, '-c:v', 'mpeg4', '-c:a', 'mp3']),
    'video',
    'video/vnd.avi',
  );
  const isReady = () => vi.waitFor(async () => expect((await getRow(id)).status).toBe('ready'), { timeout: 40_000 });
  // The first attempt to encode waits until the other one, which starts meanwhile, is done.
  for (const { storage } of [test.ctx, other.ctx]) {
    const { putFile } = storage;
    vi.spyOn(storage, 'putFile').mockImplementation(async (key, file, contentType) => {
      if (key.includes(`${id}/2/`)) await isReady();
      return putFile(key, file, contentType);
    });
  }
  await addJobs(streamJob, id, 1);
  await vi.waitFor(async () => expect((await getRow(id)).serial).toBe(2), { timeout: 40_000, interval: 20 });
  await addJobs(encodeJob, id, 1);
  await waitUntilIdle(90_000);
  vi.restoreAllMocks();
  const row = await getRow(id);
  expect(row.source?.renditions.map(({ serial }) => serial)).toEqual([3]);
  await expectAllFiles(id);
});

it('an unusable upload is reported once, however many attempts find out', async () => {
  const id = await upload((await createNoisePicture(600, 400)).subarray(0, 5_000));
  await addJobs(pictureJob, id, 3);
  await waitUntilIdle(30_000);
  expect((await getRow(id)).status).toBe('failed');
  await test.ctx.events.waitUntilIdle();
  expect(processedIds.filter((processedId) => processedId === id)).toHaveLength(1);
  expect(await test.ctx.storage.open(originalKey(id))).toBeUndefined();
});
