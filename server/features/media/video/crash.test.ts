import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, readlink } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { startObjectStore } from '../../../testing/object-store.ts';
import { originalKey } from '../keys.ts';
import { enqueueProcessing } from '../queue.ts';
import { openStage } from '../tus.testing.ts';
import { purgeDeleted } from '../upkeep/deleted.ts';
import { follow, h264, inputs, made, until } from './testing.ts';

const server = fileURLToPath(new URL('../../../', import.meta.url));
const SCRIPT = `
  const { createApp } = await import('${server}app.ts');
  const { readConfig } = await import('${server}kernel/config.ts');
  const { createLogger } = await import('${server}kernel/log.ts');
  const app = await createApp({ config: readConfig(), databaseUrl: process.env.DATABASE_URL, log: createLogger({ level: 'silent' }), hasPages: false });
  await app.start();
  process.once('SIGTERM', () => app.close().then(() => process.exit(0)));`;

function startServer({ ctx: { config } }: TestApp): { child: ChildProcess; gone: Promise<unknown> } {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], {
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
  return { child, gone: new Promise((resolve) => child.once('exit', resolve)) };
}

async function workingIn(dir: string): Promise<string[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const places = await Promise.all(
    pids.map(async (pid) => ({ pid, at: await readlink(`/proc/${pid}/cwd`).catch(() => '') })),
  );
  return places.filter(({ at }) => at.startsWith(dir)).map(({ pid }) => pid);
}

describe.skipIf(process.platform !== 'linux')('a process that is killed while it encodes', () => {
  it('ends ffmpeg too, and the next process cleans up the folder and finishes the video', {
    timeout: 120_000,
  }, async () => {
    const test = await createTestApp();
    const work = path.join(test.ctx.config.dataDir, 'work');
    const servers: ReturnType<typeof startServer>[] = [];
    try {
      const creator = await test.signUp('creator');
      const id = '01999999-0000-7000-8000-000000000011';
      const film = await made('film.avi', [
        ...inputs({ seconds: 25, size: '1280x720' }),
        '-c:v',
        'mpeg4',
        '-q:v',
        '8',
        '-c:a',
        'mp3',
      ]);
      await test.ctx.storage.put(originalKey(id), film, 'video/vnd.avi');
      await test.ctx.db.transaction(async (tx) => {
        const row = {
          id,
          owner_id: creator.id,
          status: 'processing',
          stage: 'queued',
          kind: 'video',
          content_type: 'video/vnd.avi',
        };
        await tx.query
          .insertInto('media')
          .values({ ...row, byte_size: film.length })
          .execute();
        await enqueueProcessing(test.ctx, tx, id, 'video');
      });
      const first = startServer(test);
      servers.push(first);
      const encoding = async () => {
        const [folder] = await readdir(work).catch(() => []);
        return folder && (await readdir(path.join(work, folder))).includes('v480.mp4') ? folder : undefined;
      };
      await vi.waitFor(async () => expect(await encoding()).toBeDefined(), { timeout: 60_000, interval: 20 });
      expect(await workingIn(work)).not.toEqual([]);
      first.child.kill('SIGKILL');
      await first.gone;
      await vi.waitFor(async () => expect(await workingIn(work)).toEqual([]), { timeout: 30_000, interval: 50 });
      const [leftover] = await readdir(work);
      expect(leftover).toBeDefined();
      expect((await creator.inject('GET', `/api/creator/media/${id}`)).json()).toMatchObject({
        status: 'processing',
        stage: 'encoding',
      });

      servers.push(startServer(test));
      const view = await until(creator, id, ({ status }) => status === 'ready', 90_000);
      expect(await readdir(work)).not.toContain(leftover);
      const [rung] = await follow(creator, view.stream?.hls ?? '');
      expect(rung?.resolution).toBe('854x480');
    } finally {
      for (const { child } of servers) child.kill('SIGKILL');
      await Promise.all(servers.map(({ gone }) => gone));
      await test.close();
    }
  });
});

it('a server that is stopped while it encodes shuts down within 15 seconds', async () => {
  const { test, creator, client } = await openStage();
  let began = 0;
  try {
    const film = await made('film.mkv', [
      ...inputs({ seconds: 20, size: '960x540' }),
      '-c:v',
      'mpeg4',
      '-q:v',
      '8',
      '-c:a',
      'mp3',
    ]);
    const id = await client.upload(film, 'film.mkv', 'video/x-matroska');
    await until(creator, id, ({ stage }) => stage === 'encoding');
  } finally {
    began = Date.now();
    await test.close();
  }
  expect(Date.now() - began).toBeLessThan(15_000);
}, 120_000);

it('a video is packaged, improved, served by ranges and erased on an object store', {
  timeout: 120_000,
}, async () => {
  const objects = await startObjectStore();
  const { test, creator, client } = await openStage(objects.env);
  try {
    const id = await client.upload(await h264({ seconds: 5 }), 'film.mp4', 'video/mp4');
    const view = await until(creator, id, ({ stage }) => stage === 'done');
    expect(await follow(creator, view.stream?.hls ?? '')).toHaveLength(1);
    const part = await creator.inject('GET', view.stream?.file ?? '', undefined, { range: 'bytes=4-7' });
    expect([part.statusCode, part.body]).toEqual([206, 'ftyp']);
    const poster = await creator.inject('PATCH', `/api/creator/media/${id}`, { posterSecond: 4.5 });
    expect(poster.statusCode, poster.body).toBe(200);
    expect(await readdir(path.join(test.ctx.config.dataDir, 'work'))).toEqual([]);
    expect(await readdir(path.join(test.ctx.config.dataDir, 'uploads'))).toEqual([]);
    expect((await creator.inject('DELETE', `/api/creator/media/${id}`)).statusCode).toBe(200);
    test.clock.advance(30 * 86_400_000);
    await purgeDeleted(test.ctx);
    const left = async () => {
      const keys: string[] = [];
      for (const prefix of ['private', 'public'])
        for await (const { key } of test.ctx.storage.list(prefix)) keys.push(key);
      return keys;
    };
    await expect.poll(left, { timeout: 30_000 }).toEqual([]);
  } finally {
    await test.close();
    await objects.close();
  }
});
