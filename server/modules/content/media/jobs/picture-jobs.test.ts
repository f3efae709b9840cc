import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { media as mediaView } from '@stagedoor/contract/content/media.ts';
import { PICTURE_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { createId } from '../../../../platform/ids.ts';
import type { TestApp, TestUser } from '../../../../testing/app.ts';
import { createPreview, decodePicture, MEDIA_MESSAGES, ProcessingTimeoutError } from '../../media-processing/index.ts';
import { originalKey } from '../keys.ts';
import { auditMedia } from '../maintenance/audit.ts';
import { purgeDeleted } from '../maintenance/deleted.ts';
import * as findings from '../maintenance/findings.ts';
import { findMedia } from '../store.ts';
import { createPictureFile } from '../testing.ts';
import { openUploadTest, type TusClient } from '../tus.testing.ts';
import { createProgress, GoneError } from './progress.ts';
import { enqueueProcessing, pictureJob, retryLater } from './queue.ts';

async function waitUntilProcessed(creator: TestUser, id: string, timeoutMs = 60_000) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const view = z.parse(mediaView, (await creator.inject('GET', `/api/creator/media/${id}`)).json());
    if (view.status !== 'processing') return view;
    if (Date.now() > deadline) throw new Error('processing does not end');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function enqueue(test: TestApp, ownerId: string, id: string, file: Buffer) {
  await test.ctx.storage.put(originalKey(id), file, 'image/jpeg');
  await test.ctx.db.transaction(async (tx) => {
    await tx.query
      .insertInto('media')
      .values({ id, owner_id: ownerId, status: 'processing', byte_size: file.length })
      .execute();
    await enqueueProcessing(test.ctx, tx, id, 'picture');
  });
}

const listStoredFiles = async (test: TestApp, id: string) => {
  const folder = path.join(test.ctx.config.dataDir, 'media', 'private', 'm', id);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
};

describe('picture processing with local storage', () => {
  let test: TestApp;
  let creator: TestUser;
  let client: TusClient;

  beforeAll(async () => {
    ({ test, creator, client } = await openUploadTest());
  });
  afterAll(() => test.close());

  it('accepts HEIC as phones write it, and applies its rotation', async () => {
    const file = await readFile(new URL('../../media-processing/fixtures/turned-320x240.heic', import.meta.url));
    const view = await waitUntilProcessed(creator, await client.upload(file, 'IMG_0001.HEIC'));
    expect(view).toMatchObject({ status: 'ready', fileName: 'IMG_0001.HEIC', picture: { width: 240, height: 320 } });
    const broken = await waitUntilProcessed(creator, await client.upload(file.subarray(0, file.length - 900)));
    expect(broken).toMatchObject({ status: 'failed', failure: expect.stringContaining('damaged') });
  });

  it('enforces the maximum size of a picture exactly, whatever type was declared', async () => {
    const file = await createPictureFile({ width: 64, height: 64 });
    const max = PICTURE_LIMITS.maxBytes;
    // A declared picture is refused before its bytes are sent.
    expect((await client.create(max + 1)).status).toBe(413);
    expect((await client.create(max)).status).toBe(201);
    const upload = async (bytes: number, type: string) => {
      const url = (await client.create(bytes, { filename: 'film.mp4', filetype: type })).headers.get('location') ?? '';
      const id = url.slice('/files/'.length);
      const receivedFile = path.join(test.ctx.config.dataDir, 'uploads', id);
      await writeFile(receivedFile, file);
      await truncate(receivedFile, bytes - 1);
      expect((await client.patch(url, bytes - 1, Buffer.alloc(1))).status).toBe(204);
      return waitUntilProcessed(creator, id);
    };
    const tooLarge = { status: 'failed', failure: MEDIA_MESSAGES.pictureTooLarge };
    for (const type of ['video/mp4', '']) expect(await upload(max + 1, type)).toMatchObject(tooLarge);
    expect(await upload(max, 'video/mp4')).toMatchObject({ status: 'ready', kind: 'picture' });
    const other = createId(test.ctx.clock);
    await enqueue(test, creator.id, other, Buffer.concat([file, Buffer.alloc(max + 1 - file.length)]));
    expect(await waitUntilProcessed(creator, other)).toMatchObject(tooLarge);
  });

  it('notifies the owner, and makes AVIF afterwards', async () => {
    const payloads: unknown[] = [];
    vi.spyOn(test.ctx.realtime, 'emitToUser').mockImplementation(
      (_userId, _event, payload) => void payloads.push(payload),
    );
    const id = await client.upload(await createPictureFile({ width: 500, height: 400 }));
    await waitUntilProcessed(creator, id);
    await test.ctx.events.waitUntilIdle();
    expect(payloads).toContainEqual(expect.objectContaining({ id, status: 'ready' }));
    await vi.waitFor(
      async () => expect((await waitUntilProcessed(creator, id)).picture?.sources[0]?.type).toBe('image/avif'),
      {
        timeout: 30_000,
        interval: 100,
      },
    );
  });

  it('retries while the store fails, gives up after days, and retains the original', async () => {
    const { ctx, clock } = test;
    const id = '01999999-0000-7000-8000-000000000001';
    const file = await createPictureFile({ width: 300, height: 200 });
    const put = ctx.storage.put.bind(ctx.storage);
    vi.spyOn(ctx.storage, 'put').mockImplementation(async (key, ...rest) => {
      if (key !== originalKey(id) && key.includes(id)) throw new Error('the store is full');
      await put(key, ...rest);
    });
    await enqueue(test, creator.id, id, file);
    const read = async () => {
      const row = await findMedia(ctx.db, id);
      if (!row) throw new Error('there is no such medium');
      return row;
    };
    const runAllAttempts = async () => {
      const attemptCounts = new Set<number>();
      await vi.waitFor(
        async () => {
          const { rows } = await ctx.db.pool.query<{ attempts: number }>(
            `update graphile_worker._private_jobs set run_at = now() where key = $1 and locked_at is null and attempts > 0 returning attempts`,
            [`media.process:${id}`],
          );
          for (const { attempts } of rows) attemptCounts.add(attempts);
          // Otherwise the worker looks for jobs only every two seconds.
          if (rows.length > 0) await ctx.db.pool.query(`select pg_notify('jobs:insert', '{"count":1}')`);
          const waitingJobs = await ctx.db.pool.query<{ run_at: Date }>(
            `select run_at from graphile_worker._private_jobs where key = $1 and attempts = 0 and locked_at is null`,
            [`media.process:${id}`],
          );
          const isOver = (await read()).status !== 'processing';
          if (!isOver)
            expect(waitingJobs.rows[0]?.run_at.getTime()).toBeGreaterThan(clock.now().getTime() + 29 * 60_000);
        },
        { timeout: 30_000, interval: 50 },
      );
      return [...attemptCounts];
    };
    expect(await runAllAttempts()).toEqual([1, 2, 3, 4]);
    expect(await read()).toMatchObject({ status: 'processing', failure: null });

    const daysAgo = (days: number) => new Date(clock.now().getTime() - days * 86_400_000);
    const set = (values: { created_at: Date } | { finished_at: Date }) =>
      ctx.db.query.updateTable('media').set(values).where('id', '=', id).execute();
    await set({ created_at: daysAgo(3) });
    await ctx.db.transaction((tx) => enqueueProcessing(ctx, tx, id, 'picture'));
    await runAllAttempts();
    expect(await read()).toMatchObject({
      status: 'failed',
      failure: 'Couldn’t process this photo. Try another copy.',
    });
    vi.restoreAllMocks();
    const orphans = async () => {
      await auditMedia(ctx);
      return findings.listFindings(ctx.db, 'orphan', clock.now(), 100);
    };
    expect(await orphans()).not.toContain(originalKey(id));
    expect(await ctx.storage.open(originalKey(id))).toBeDefined();
    await set({ finished_at: daysAgo(31) });
    expect(await orphans()).toContain(originalKey(id));
  });

  it('reports a last attempt that timed out as slow, and retains the original', async () => {
    const { ctx } = test;
    const id = '01999999-0000-7000-8000-000000000003';
    await ctx.storage.put(originalKey(id), Buffer.from('large'), 'image/jpeg');
    await ctx.db.query
      .insertInto('media')
      .values({ id, owner_id: creator.id, status: 'processing', byte_size: 5 })
      .execute();
    const row = await findMedia(ctx.db, id);
    if (!row) throw new Error('there is no such medium');
    await retryLater(ctx, pictureJob, row, {
      error: new ProcessingTimeoutError('late'),
      message: MEDIA_MESSAGES.processingFailed,
    });
    expect(await findMedia(ctx.db, id)).toMatchObject({ status: 'failed', failure: MEDIA_MESSAGES.timedOut });
    const { rows } = await ctx.db.pool.query(
      'select 1 from graphile_worker._private_jobs where payload::text like $1',
      [`%${id}%`],
    );
    expect(rows).toEqual([]);
    expect(await ctx.storage.open(originalKey(id))).toBeDefined();
  });

  it('does not reset a medium that another attempt made ready', async () => {
    const id = await client.upload(await createPictureFile({ width: 200, height: 200 }));
    await waitUntilProcessed(creator, id);
    await vi.waitFor(async () => expect((await findMedia(test.ctx.db, id))?.stage).toBe('done'), { timeout: 30_000 });
    const row = await findMedia(test.ctx.db, id);
    if (!row) throw new Error('there is no such medium');
    const lateProgress = createProgress(test.ctx, { ...row, status: 'processing' });
    await lateProgress.enter('packaging');
    expect(lateProgress.signal.reason).toBeInstanceOf(GoneError);
    expect(await findMedia(test.ctx.db, id)).toMatchObject({ status: 'ready', stage: 'done' });
  });

  it('leaves no file of an upload that was deleted meanwhile, except the original until its retention ends', async () => {
    const file = await createPictureFile({ width: 1600, height: 1200 });
    const id = await client.upload(file);
    expect((await creator.inject('DELETE', `/api/creator/media/${id}`)).statusCode).toBe(200);
    await vi.waitFor(
      async () => {
        const { rows } = await test.ctx.db.pool.query(
          `select 1 from graphile_worker.jobs where task_identifier in ('media.process', 'media.remove') and run_at <= now()`,
        );
        expect(rows).toEqual([]);
      },
      { timeout: 30_000, interval: 50 },
    );
    expect(await listStoredFiles(test, id)).toEqual([]);
    expect(await test.ctx.storage.open(originalKey(id))).toBeDefined();
    test.clock.advance(30 * 86_400_000);
    await purgeDeleted(test.ctx);
    await vi.waitFor(async () => expect(await test.ctx.storage.open(originalKey(id))).toBeUndefined(), {
      timeout: 30_000,
    });
  });
});

it('a locked preview destroys detail: two pictures that differ only in detail have the same preview', async () => {
  const base = sharp({ create: { width: 800, height: 1000, channels: 3, background: '#405060' } });
  const text = (word: string) =>
    Buffer.from(
      Array.from({ length: 800 * 1000 * 4 }, (_, index) =>
        index % 4 === 3 ? (Math.floor(index / 4 / (word === 'a' ? 3 : 5)) % 2) * 255 : 200,
      ),
    );
  const previews = await Promise.all(
    ['a', 'b'].map(async (word) => {
      const file = await base
        .clone()
        .composite([{ input: text(word), raw: { width: 800, height: 1000, channels: 4 } }])
        .png()
        .toBuffer();
      const { files } = await createPreview(await decodePicture(file));
      return sharp(files[0]?.content).resize(64, 80).raw().toBuffer();
    }),
  );
  const [first, second] = previews;
  if (!first || !second) throw new Error('no preview');
  const maxDifference = Math.max(...first.map((value, index) => Math.abs(value - (second[index] ?? 0))));
  expect(maxDifference).toBeLessThan(12);
});
