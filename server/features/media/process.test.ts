/** Processing: HEIC, an object store, attempts that fail, an owner who changes their mind, and a process killed in the middle. */
import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { media as mediaView } from '@stagedoor/contract/media.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { startObjectStore } from '../../testing/object-store.ts';
import { originalKey } from './keys.ts';
import { decodePicture, previewOf } from './pictures.ts';
import { enqueueProcessing } from './queue.ts';
import { pictureFile } from './testing.ts';
import { tusClient } from './tus.testing.ts';

async function settled(creator: TestUser, id: string, timeoutMs = 15_000) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const view = z.parse(mediaView, (await creator.inject('GET', `/api/creator/media/${id}`)).json());
    if (view.status !== 'processing') return view;
    if (Date.now() > deadline) throw new Error('processing does not end');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** An upload that is complete in the store, with its job enqueued. */
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

const publicFiles = (test: TestApp, id: string) =>
  readdir(path.join(test.ctx.config.dataDir, 'media', 'private', 'm', id)).catch(() => []);

describe('with a folder', () => {
  let test: TestApp;
  let creator: TestUser;
  let client: ReturnType<typeof tusClient>;

  beforeAll(async () => {
    test = await createTestApp();
    await test.app.start();
    creator = await test.signUp('creator');
    client = tusClient(await test.app.http.listen({ port: 0, host: '127.0.0.1' }), creator.cookie);
  });
  afterAll(() => test.close());

  it('takes HEIC as phones make it, turned as the file says', async () => {
    const file = await readFile(new URL('./fixtures/turned-320x240.heic', import.meta.url));
    const view = await settled(creator, await client.upload(file, 'IMG_0001.HEIC'));
    expect(view).toMatchObject({ status: 'ready', fileName: 'IMG_0001.HEIC', picture: { width: 240, height: 320 } });
    const broken = await settled(creator, await client.upload(file.subarray(0, file.length - 900)));
    expect(broken).toMatchObject({ status: 'failed', failure: expect.stringContaining('damaged') });
  });

  it('tells its owner, and makes AVIF afterwards by itself', async () => {
    const told: unknown[] = [];
    vi.spyOn(test.ctx.realtime, 'toUser').mockImplementation((_userId, _event, payload) => void told.push(payload));
    const id = await client.upload(await pictureFile({ width: 500, height: 400 }));
    await settled(creator, id);
    await test.ctx.events.settle();
    expect(told).toContainEqual(expect.objectContaining({ id, status: 'ready' }));
    await vi.waitFor(async () => expect((await settled(creator, id)).picture?.sources[0]?.type).toBe('image/avif'), {
      timeout: 10_000,
      interval: 100,
    });
  });

  it('tries again when the store fails, and says so in the end', async () => {
    const put = vi.spyOn(test.ctx.storage, 'put');
    const file = await pictureFile({ width: 300, height: 200 });
    const id = await client.upload(file);
    await settled(creator, id);
    const again = '01999999-0000-7000-8000-000000000001';
    put.mockImplementation(async (key) => {
      if (key.includes(again)) throw new Error('the store is full');
    });
    await test.ctx.db.query
      .insertInto('media')
      .values({ id: again, owner_id: creator.id, status: 'processing', byte_size: 1 })
      .execute();
    vi.spyOn(test.ctx.storage, 'open').mockImplementation(async () => ({
      byteSize: file.length,
      stream: async () => (await import('node:stream')).Readable.from([file]),
    }));
    await test.ctx.db.transaction((tx) => enqueueProcessing(test.ctx, tx, again, 'picture'));
    const attempts = async () => {
      const { rows } = await test.ctx.db.pool.query<{ attempts: number }>(
        `update graphile_worker._private_jobs set run_at = now() where key = $1 and locked_at is null and attempts > 0 returning attempts`,
        [`media.process:${again}`],
      );
      return rows[0]?.attempts;
    };
    const deadline = Date.now() + 15_000;
    const seen = new Set<number>();
    for (;;) {
      const row = await test.ctx.db.query
        .selectFrom('media')
        .select(['status', 'failure'])
        .where('id', '=', again)
        .executeTakeFirstOrThrow();
      if (row.status === 'failed') {
        expect(row.failure).toBe('This picture could not be processed. Please try another copy of it.');
        break;
      }
      const count = await attempts();
      if (count) seen.add(count);
      if (Date.now() > deadline) throw new Error('the last attempt does not come');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect([...seen]).toEqual([1, 2, 3, 4]);
    vi.restoreAllMocks();
  });

  it('leaves no file of an upload that was discarded meanwhile', async () => {
    const file = await pictureFile({ width: 3000, height: 2000 });
    const id = await client.upload(file);
    expect((await creator.inject('DELETE', `/api/creator/media/${id}`)).statusCode).toBe(200);
    await vi.waitFor(
      async () => {
        const { rows } = await test.ctx.db.pool.query(
          `select 1 from graphile_worker.jobs where task_identifier in ('media.process', 'media.discard') and run_at <= now()`,
        );
        expect(rows).toEqual([]);
      },
      { timeout: 10_000, interval: 50 },
    );
    expect(await publicFiles(test, id)).toEqual([]);
    expect(await test.ctx.storage.open(originalKey(id))).toBeUndefined();
  });
});

it('does all of it on an object store too', async () => {
  const objects = await startObjectStore();
  const test = await createTestApp({ env: objects.env });
  try {
    await test.app.start();
    const creator = await test.signUp('creator');
    const client = tusClient(await test.app.http.listen({ port: 0, host: '127.0.0.1' }), creator.cookie);
    const id = await client.upload(await pictureFile({ width: 700, height: 500 }));
    const { status, picture } = await settled(creator, id);
    expect(status).toBe('ready');
    const whole = await creator.inject('GET', picture?.url ?? '');
    expect(whole.statusCode).toBe(200);
    expect(await sharp(whole.rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 700 });
    const part = await creator.inject('GET', picture?.url ?? '', undefined, { range: 'bytes=1-9' });
    expect([part.statusCode, part.rawPayload.equals(whole.rawPayload.subarray(1, 10))]).toEqual([206, true]);
    expect((await test.inject('GET', picture?.url ?? '')).statusCode).toBe(404);
    expect((await test.inject('GET', `/media/public/p/${id}/preview.webp`)).statusCode).toBe(200);
    expect((await test.inject('GET', '/readyz')).statusCode).toBe(200);
  } finally {
    await test.close();
    await objects.close();
  }
});

it('goes on after a kill in the middle: the job is taken up by the next process', { timeout: 60_000 }, async () => {
  const test = await createTestApp();
  const { config } = test.ctx;
  const server = fileURLToPath(new URL('../../', import.meta.url));
  const script = `
    const { createApp } = await import('${server}app.ts');
    const { readConfig } = await import('${server}kernel/config.ts');
    const { createLogger } = await import('${server}kernel/log.ts');
    const app = await createApp({ config: readConfig(), databaseUrl: process.env.DATABASE_URL, log: createLogger({ level: 'silent' }), hasPages: false });
    await app.start();`;
  try {
    const creator = await test.signUp('creator');
    const id = '01999999-0000-7000-8000-000000000002';
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const file = await sharp({ create: { width: 4800, height: 3200, channels: 3, background: '#888', noise } })
      .jpeg()
      .toBuffer();
    await enqueue(test, creator.id, id, file);
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: server,
      env: {
        ...process.env,
        NODE_ENV: 'test',
        DATA_DIR: config.dataDir,
        DATABASE_URL: config.databaseUrl,
        LOG_LEVEL: 'silent',
      },
      stdio: 'inherit',
    });
    const gone = new Promise((resolve) => child.once('exit', resolve));
    await vi.waitFor(
      async () => {
        expect(await publicFiles(test, id)).not.toEqual([]);
      },
      { timeout: 30_000, interval: 10 },
    );
    child.kill('SIGKILL');
    await gone;
    const { rows } = await test.ctx.db.pool.query(
      'select 1 from graphile_worker._private_jobs where locked_by is not null',
    );
    expect(rows).toHaveLength(1);
    const row = await test.ctx.db.query
      .selectFrom('media')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.status).toBe('processing');

    await test.app.start();
    const view = await settled(creator, id, 40_000);
    expect(view).toMatchObject({ status: 'ready', picture: { width: 3840 } });
    expect((await publicFiles(test, id)).filter((name) => name.endsWith('.partial'))).toEqual([]);
  } finally {
    await test.close();
  }
});

it('destroys what a preview shows: two pictures that differ in detail alone give the same light', async () => {
  const base = sharp({ create: { width: 800, height: 1000, channels: 3, background: '#405060' } });
  const text = (word: string) =>
    Buffer.from(
      Array.from({ length: 800 * 1000 * 4 }, (_, index) =>
        index % 4 === 3 ? (Math.floor(index / 4 / (word === 'a' ? 3 : 5)) % 2) * 255 : 200,
      ),
    );
  const looks = await Promise.all(
    ['a', 'b'].map(async (word) => {
      const file = await base
        .clone()
        .composite([{ input: text(word), raw: { width: 800, height: 1000, channels: 4 } }])
        .png()
        .toBuffer();
      const { files } = await previewOf(await decodePicture(file));
      return sharp(files[0]?.content).resize(64, 80).raw().toBuffer();
    }),
  );
  const [first, second] = looks;
  if (!first || !second) throw new Error('no preview');
  const furthest = Math.max(...first.map((value, index) => Math.abs(value - (second[index] ?? 0))));
  expect(furthest).toBeLessThan(12);
});
