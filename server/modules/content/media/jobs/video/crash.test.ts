import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type App, createApp } from '../../../../../app.ts';
import { createTestApp, type TestApp } from '../../../../../testing/app.ts';
import { startObjectStore } from '../../../../../testing/object-store.ts';
import { createH264, createInputArgs, createMediaFile } from '../../../media-processing/testing.ts';
import { listFileKeys } from '../../files.ts';
import { originalKey } from '../../keys.ts';
import { purgeDeleted } from '../../maintenance/deleted.ts';
import { findMedia, type MediaKind } from '../../store.ts';
import { createPictureFile, fetchRenditions, waitForMedia } from '../../testing.ts';
import { openIdleUploadTest, openUploadTest } from '../../tus.testing.ts';
import { enqueueProcessing } from '../queue.ts';

const server = fileURLToPath(new URL('../../../../../', import.meta.url));
/** It never finishes a picture. */
const SCRIPT = `
  const { createApp } = await import('${server}app.ts');
  const { readConfig } = await import('${server}platform/config.ts');
  const { createLogger } = await import('${server}platform/log.ts');
  const app = await createApp({ config: readConfig(), databaseUrl: process.env.DATABASE_URL, log: createLogger({ level: 'silent' }), hasPages: false });
  const { storage } = app.ctx;
  const put = storage.put.bind(storage);
  storage.put = (key, ...rest) => (key.endsWith('.jpg') ? new Promise(() => undefined) : put(key, ...rest));
  await app.start();`;

let tools: string;
let film: Buffer;
beforeAll(async () => {
  tools = await mkdtemp(path.join(tmpdir(), 'stagedoor-tools-'));
  // It encodes at the pace of the film, so that it is interrupted in the middle and costs nothing.
  const slowScript = 'case "$*" in *libx264*) exec ffmpeg -re "$@" ;; esac';
  for (const [name, script] of [
    ['ffmpeg', `${slowScript}\nexec ffmpeg "$@"`],
    ['ffprobe', 'exec ffprobe "$@"'],
  ] as const) {
    await writeFile(path.join(tools, name), `#!/bin/sh\n${script}\n`);
    await chmod(path.join(tools, name), 0o755);
  }
  const codecArgs = ['-c:v', 'mpeg4', '-q:v', '8', '-c:a', 'mp3'];
  film = await createMediaFile('film.avi', [...createInputArgs({ seconds: 60, size: '64x36' }), ...codecArgs]);
});
afterAll(() => rm(tools, { recursive: true, force: true }));

function startServer({ ctx: { config } }: TestApp): { child: ChildProcess; exited: Promise<unknown> } {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    cwd: server,
    env: {
      ...process.env,
      NODE_ENV: 'test',
      FFMPEG_PATH: path.join(tools, 'ffmpeg'),
      DATA_DIR: config.dataDir,
      DATABASE_URL: config.databaseUrl,
      LOG_LEVEL: 'silent',
    },
    stdio: 'inherit',
  });
  return { child, exited: new Promise((resolve) => child.once('exit', resolve)) };
}

async function listCommands(dir: string): Promise<string[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const processes = await Promise.all(
    pids.map(async (pid) => ({ pid, at: await readlink(`/proc/${pid}/cwd`).catch(() => '') })),
  );
  const inside = processes.filter(({ at }) => at.startsWith(dir));
  return Promise.all(inside.map(({ pid }) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
}

async function enqueue(test: TestApp, ownerId: string, kind: MediaKind, contentType: string, file: Buffer) {
  const id = `01999999-0000-7000-8000-0000000000${kind === 'video' ? '11' : '12'}`;
  await test.ctx.storage.put(originalKey(id), file, contentType);
  await test.ctx.db.transaction(async (tx) => {
    const row = { id, owner_id: ownerId, status: 'processing', stage: 'queued', kind, content_type: contentType };
    await tx.query
      .insertInto('media')
      .values({ ...row, byte_size: file.length })
      .execute();
    await enqueueProcessing(test.ctx, tx, id, kind);
  });
  return id;
}

async function listMissingKeys(test: TestApp, id: string): Promise<string[]> {
  const row = await findMedia(test.ctx.db, id);
  if (!row) throw new Error('there is no such medium');
  const keys = listFileKeys(row);
  expect(keys.length).toBeGreaterThan(3);
  const files = await Promise.all(keys.map((key) => test.ctx.storage.open(key)));
  return keys.filter((_, index) => files[index] === undefined);
}

describe.skipIf(process.platform !== 'linux')(
  'a process that is killed while it works on a video and a picture',
  () => {
    it('ends ffmpeg too, and the next process cleans up the folder and finishes both', {
      timeout: 120_000,
    }, async () => {
      const test = await createTestApp();
      const { ctx } = test;
      const work = path.join(ctx.config.dataDir, 'work');
      const first = startServer(test);
      let next: App | undefined;
      try {
        const creator = await test.signUp('creator');
        const video = await enqueue(test, creator.id, 'video', 'video/vnd.avi', film);
        const picture = await enqueue(test, creator.id, 'picture', 'image/jpeg', await createPictureFile());
        const files = path.join(ctx.config.dataDir, 'media', 'private', 'm', picture);
        await vi.waitFor(
          async () => {
            expect(await listCommands(work)).toEqual([expect.stringContaining('-re')]);
            expect(await readdir(files)).not.toEqual([]);
          },
          { timeout: 60_000, interval: 20 },
        );
        first.child.kill('SIGKILL');
        await first.exited;
        await vi.waitFor(async () => expect(await listCommands(work)).toEqual([]), { timeout: 30_000, interval: 20 });
        const leftover = await readdir(work);
        // The picture may have a folder of its own, too.
        expect(leftover.length).toBeGreaterThan(0);
        const { rows } = await ctx.db.pool.query(
          'select key from graphile_worker._private_jobs where locked_by is not null and key = any($1)',
          [[`media.encode:${video}`, `media.process:${picture}`]],
        );
        expect(rows).toHaveLength(2);
        const view = async (id: string) => (await creator.inject('GET', `/api/creator/media/${id}`)).json();
        expect(await view(video)).toMatchObject({ status: 'processing', stage: 'encoding' });
        expect(await view(picture)).toMatchObject({ status: 'processing' });

        next = await createApp({
          config: { ...ctx.config, role: 'worker' },
          databaseUrl: test.databaseUrl,
          log: ctx.log,
          hasPages: false,
          jobsCheckMs: 300,
        });
        await next.start();
        const { stream } = await waitForMedia(creator, video, ({ status }) => status === 'ready', 90_000);
        const [rendition] = await fetchRenditions(creator, stream?.hls ?? '');
        expect(rendition?.resolution).toBe('64x36');
        const shown = await waitForMedia(creator, picture, ({ status }) => status === 'ready', 90_000);
        expect(shown).toMatchObject({ picture: { width: 1200, height: 900 } });
        expect(await listMissingKeys(test, picture)).toEqual([]);
        expect((await readdir(work)).filter((folder) => leftover.includes(folder))).toEqual([]);
      } finally {
        first.child.kill('SIGKILL');
        await first.exited;
        await next?.close();
        await test.close();
      }
    });
  },
);

it('a server that is stopped while it encodes shuts down within 15 seconds', { timeout: 120_000 }, async () => {
  const { test, creator, client } = await openUploadTest({ FFMPEG_PATH: path.join(tools, 'ffmpeg') });
  let closeStartedAt = 0;
  try {
    const id = await client.upload(film, 'film.avi', 'video/vnd.avi');
    await waitForMedia(creator, id, ({ stage }) => stage === 'encoding');
    if (process.platform === 'linux')
      await vi.waitFor(
        async () => expect(await listCommands(path.join(test.ctx.config.dataDir, 'work'))).toHaveLength(1),
        { timeout: 30_000, interval: 20 },
      );
  } finally {
    closeStartedAt = Date.now();
    await test.close();
  }
  expect(Date.now() - closeStartedAt).toBeLessThan(15_000);
});

it('a video and a picture are processed, served by ranges and erased on an object store', {
  timeout: 120_000,
}, async () => {
  const objects = await startObjectStore();
  const { test, creator, client, makeReady, improve } = await openIdleUploadTest(objects.env);
  try {
    const ids = [
      await client.upload(await createH264({ seconds: 4, size: '64x36' }), 'film.mp4', 'video/mp4'),
      await client.upload(await createPictureFile({ width: 700, height: 500 })),
    ] as const;
    const [video, picture] = ids;
    await makeReady(video);
    const view = await improve(video);
    expect(view).toMatchObject({ status: 'ready', stage: 'done' });
    expect(await fetchRenditions(creator, view.stream?.hls ?? '')).toHaveLength(1);
    const part = await creator.inject('GET', view.stream?.file ?? '', undefined, { range: 'bytes=4-7' });
    expect([part.statusCode, part.body]).toEqual([206, 'ftyp']);
    const poster = await creator.inject('PATCH', `/api/creator/media/${video}`, { posterSecond: 3.5 });
    expect(poster.statusCode, poster.body).toBe(200);

    const url = (await makeReady(picture)).picture?.url ?? '';
    const whole = await creator.inject('GET', url);
    expect(whole.statusCode).toBe(200);
    expect(await sharp(whole.rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 700 });
    const piece = await creator.inject('GET', url, undefined, { range: 'bytes=1-9' });
    expect([piece.statusCode, piece.rawPayload.equals(whole.rawPayload.subarray(1, 10))]).toEqual([206, true]);
    expect((await test.inject('GET', url)).statusCode).toBe(404);
    expect((await test.inject('GET', `/media/public/p/${picture}/1/preview.webp`)).statusCode).toBe(200);
    expect((await test.inject('GET', '/readyz')).statusCode).toBe(200);

    expect(await readdir(path.join(test.ctx.config.dataDir, 'work'))).toEqual([]);
    expect(await readdir(path.join(test.ctx.config.dataDir, 'uploads'))).toEqual([]);
    for (const id of ids) expect((await creator.inject('DELETE', `/api/creator/media/${id}`)).statusCode).toBe(200);
    test.clock.advance(30 * 86_400_000);
    await purgeDeleted(test.ctx);
    await test.ctx.jobs.runDue(['media.remove', 'media.discard']);
    const remainingKeys: string[] = [];
    for (const prefix of ['private', 'public'])
      for await (const { key } of test.ctx.storage.list(prefix)) remainingKeys.push(key);
    expect(remainingKeys).toEqual([]);
  } finally {
    await test.close();
    await objects.close();
  }
});
