/** Runs the same job twice at the same time. No file may be lost, whichever finishes first. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type App, createApp } from '../../app.ts';
import type { Context } from '../../kernel/context.ts';
import { newId } from '../../kernel/ids.ts';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { keysOf } from './files.ts';
import { originalKey, teaserKey } from './keys.ts';
import { avifJob, encodeJob, improveJob, pictureJob, streamJob, teaserJob } from './queue.ts';
import { findMedia, type MediaKind } from './store.ts';
import { makeReadyStream } from './testing.ts';
import { makeTeaser, removeTeasers } from './video/teasers.ts';
import { follow, h264, inputs, made } from './video/testing.ts';

let test: TestApp;
let other: App;
let creator: TestUser;
const heard: string[] = [];

beforeAll(async () => {
  test = await createTestApp();
  const { config, log } = test.ctx;
  const worker = { ...config, role: 'worker' as const };
  other = await createApp({ config: worker, databaseUrl: test.databaseUrl, log, clock: test.clock, hasPages: false });
  creator = await test.signUp('creator');
  test.ctx.events.tell(
    'media.processed',
    'test.hear',
    ({ mediaId }) => mediaId,
    ({ payload }) => void heard.push(payload.mediaId),
  );
  await test.app.start();
  await other.start();
});
afterAll(async () => {
  await other.close();
  await test.close();
});

type OnMedia = typeof pictureJob;

async function ask(spec: OnMedia, id: string, times = 2): Promise<void> {
  await test.ctx.db.transaction(async (tx) => {
    for (let time = 0; time < times; time += 1) await test.ctx.jobs.add(tx, spec, { mediaId: id });
  });
}

async function upload(file: Buffer, kind: MediaKind = 'picture', contentType = 'image/jpeg'): Promise<string> {
  const id = newId(test.clock);
  await test.ctx.storage.put(originalKey(id), file, contentType);
  const row = { id, owner_id: creator.id, status: 'processing', kind, content_type: contentType, stage: 'queued' };
  await test.ctx.db.query
    .insertInto('media')
    .values({ ...row, byte_size: file.length })
    .execute();
  return id;
}

async function idle(timeout: number): Promise<void> {
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

async function rowOf(id: string) {
  const row = await findMedia(test.ctx.db, id);
  if (!row) throw new Error('there is no such medium');
  return row;
}

async function expectWhole(id: string, ctx: Context = test.ctx): Promise<void> {
  const row = await rowOf(id);
  expect(row.status).toBe('ready');
  for (const key of [...keysOf(row), originalKey(id)]) expect(await ctx.storage.open(key), key).toBeDefined();
}

async function serialsIn(id: string): Promise<string[]> {
  const folder = path.join(test.ctx.config.dataDir, 'media', 'private', 'm', id);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const places = entries.filter((entry) => entry.isFile()).map((entry) => path.relative(folder, entry.parentPath));
  return [...new Set(places.map((place) => place.split(path.sep)[0] ?? ''))].sort();
}

async function heavy(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  return sharp({ create: { width, height, channels: 3, background: '#888', noise } })
    .jpeg()
    .toBuffer();
}

it('the slower of two attempts at the same picture deletes only its own files', {
  timeout: 120_000,
}, async () => {
  const id = await upload(await heavy(1200, 900));
  const isReady = () => vi.waitFor(async () => expect((await rowOf(id)).status).toBe('ready'), { timeout: 30_000 });
  for (const { storage } of [test.ctx, other.ctx]) {
    const { put } = storage;
    vi.spyOn(storage, 'put').mockImplementation(async (key, content, contentType) => {
      if (key.includes(`${id}/1/`)) await isReady();
      return put(key, content, contentType);
    });
  }
  await ask(pictureJob, id);
  await isReady();
  await idle(30_000);
  vi.restoreAllMocks();
  const row = await rowOf(id);
  expect(row.picture_serial).toBe(2);
  await expectWhole(id);
  expect(await serialsIn(id)).toEqual([String(row.picture_serial), String(row.avif_serial)].sort());
  const picture = (await creator.inject('GET', `/api/creator/media/${id}`)).json().picture;
  for (const url of [picture.url, ...picture.sources.map(({ srcset }: { srcset: string }) => srcset.split(' ')[0])])
    expect((await creator.inject('GET', url)).statusCode, url).toBe(200);
});

it('no picture is lost when two processes work on three heavy pictures at the same time', {
  timeout: 180_000,
}, async () => {
  const file = await heavy(1600, 1400);
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) ids.push(await upload(file));
  const [held] = ids;
  let holds = 0;
  for (const { storage } of [test.ctx, other.ctx]) {
    const { put } = storage;
    vi.spyOn(storage, 'put').mockImplementation(async (key, content, contentType) => {
      // This is longer than it takes until a worker is considered dead.
      if (key.includes(`${held}/`) && key.endsWith('.jpg') && holds++ === 0) await sleep(12_000);
      return put(key, content, contentType);
    });
  }
  for (const id of ids) await ask(pictureJob, id);
  await vi.waitFor(
    async () => {
      const rows = await Promise.all(ids.map(rowOf));
      expect(rows.map(({ status }) => status)).toEqual(ids.map(() => 'ready'));
      const { rows: left } = await test.ctx.db.pool.query(
        `select 1 from graphile_worker.jobs where task_identifier = 'media.process'`,
      );
      expect(left).toEqual([]);
    },
    { timeout: 200_000, interval: 100 },
  );
  await test.ctx.db.pool.query(
    `delete from graphile_worker._private_jobs where locked_at is null and key like 'media.avif:%'`,
  );
  await idle(120_000);
  vi.restoreAllMocks();
  expect(holds).toBeGreaterThan(1);
  for (const id of ids) await expectWhole(id);
});

it('AVIF is made once when it is enqueued several times', async () => {
  const id = await upload(await heavy(900, 700));
  await ask(pictureJob, id, 1);
  await vi.waitFor(async () => expect((await rowOf(id)).status).toBe('ready'), { timeout: 30_000 });
  await ask(avifJob, id, 3);
  await idle(40_000);
  await expectWhole(id);
  const row = await rowOf(id);
  expect(row.avif_widths).toEqual([96, 192, 384, 640, 900]);
  expect(await serialsIn(id)).toEqual([String(row.picture_serial), String(row.avif_serial)].sort());
});

it('a video plays after it was packaged twice and improved twice at the same time', { timeout: 120_000 }, async () => {
  const id = await upload(await h264({ seconds: 6, size: '1280x720' }), 'video', 'video/mp4');
  await ask(streamJob, id);
  await vi.waitFor(async () => expect((await rowOf(id)).status).toBe('ready'), { timeout: 40_000 });
  await ask(improveJob, id);
  await idle(90_000);
  await expectWhole(id);
  const row = await rowOf(id);
  expect(row.stream).toMatchObject({ file: expect.stringContaining('f/video.mp4'), clip: expect.any(Number) });
  const { stream } = (await creator.inject('GET', `/api/creator/media/${id}`)).json();
  expect(await follow(creator, stream.hls)).toHaveLength(row.source?.rungs.length ?? 0);
});

it('concurrent teaser jobs leave one teaser, and none after its creator removes it', {
  timeout: 120_000,
}, async () => {
  const id = await upload(await h264({ seconds: 5 }), 'video', 'video/mp4');
  await ask(streamJob, id, 1);
  await vi.waitFor(async () => expect((await rowOf(id)).status).toBe('ready'), { timeout: 40_000 });
  await idle(60_000);
  const give = async (teaser: { start: number; end: number } | null) => {
    await creator.inject('PATCH', `/api/creator/media/${id}`, { teaser });
    await ask(teaserJob, id, 3);
    await idle(60_000);
  };
  await give({ start: 1, end: 3 });
  expect((await rowOf(id)).teaser_seconds).toBe(2);
  await expectWhole(id);
  await give({ start: 0, end: 2 });
  await expectWhole(id);
  const before = await rowOf(id);
  await give(null);
  expect(await test.ctx.storage.open(teaserKey(id, `${before.teaser_serial}.mp4`))).toBeUndefined();
  const read = await rowOf(id);
  await give({ start: 1, end: 2 });
  await removeTeasers(test.ctx, read);
  await expectWhole(id);
});

it('a teaser that could not be cut is not recorded', async () => {
  const id = await makeReadyStream(test.ctx, creator.id, { kind: 'audio' });
  await test.ctx.db.query.updateTable('media').set({ teaser_start: 1, teaser_end: 3 }).where('id', '=', id).execute();
  await makeTeaser(test.ctx, id);
  expect((await rowOf(id)).teaser_seconds).toBeNull();
});

it('a video plays after it was encoded twice at the same time', { timeout: 120_000 }, async () => {
  const film = await made('twice.avi', [...inputs({ seconds: 5, size: '640x360' }), '-c:v', 'mpeg4', '-c:a', 'mp3']);
  const id = await upload(film, 'video', 'video/vnd.avi');
  await ask(streamJob, id, 1);
  await vi.waitFor(async () => expect((await rowOf(id)).stage).toBe('encoding'), { timeout: 40_000, interval: 20 });
  await ask(encodeJob, id);
  await idle(90_000);
  await expectWhole(id);
});

it('an unusable upload is reported once, however many attempts find out', async () => {
  const id = await upload((await heavy(600, 400)).subarray(0, 5_000));
  await ask(pictureJob, id, 3);
  await idle(30_000);
  expect((await rowOf(id)).status).toBe('failed');
  await test.ctx.events.settle();
  expect(heard.filter((heardOf) => heardOf === id)).toHaveLength(1);
  expect(await test.ctx.storage.open(originalKey(id))).toBeUndefined();
});
