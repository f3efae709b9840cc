/** A worker in its own process, which shares only the database and the folder with the web process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { mediaProcessed, mediaProgress } from '@stagedoor/contract/content/media.ts';
import { afterEach, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { createTestApp, type TestApp } from '../../../../../testing/app.ts';
import { createH264 } from '../../../media-processing/testing.ts';
import { createTusClient } from '../../tus.testing.ts';

const SERVE = fileURLToPath(new URL('../../../../../testing/serve.ts', import.meta.url));

const cleanups: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function startWorker({ ctx: { config } }: TestApp): ChildProcess {
  const child = spawn(process.execPath, [SERVE], {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      PROCESS_ROLE: 'worker',
      PORT: '0',
      DATA_DIR: config.dataDir,
      DATABASE_URL: config.databaseUrl,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  cleanups.push(() => {
    child.kill('SIGKILL');
    return exited;
  });
  return child;
}

it('a worker reports progress and completion to the owner, who is connected to another process', async () => {
  const web = await createTestApp({ env: { PROCESS_ROLE: 'web' } });
  cleanups.push(() => web.close());
  await web.app.start();
  const address = await web.app.http.listen({ port: 0, host: '127.0.0.1' });
  const creator = await web.signUp('creator');
  const stranger = await web.signUp('creator');
  const listenAs = async ({ cookie }: { cookie: string }) => {
    const socket = new WebSocket(`${address.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
      headers: { cookie },
    });
    cleanups.push(async () => socket.close());
    const messages: [string, unknown][] = [];
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('error', () => reject(new Error('no connection')));
      socket.addEventListener('message', ({ data }) => {
        const text = String(data);
        if (text.startsWith('0')) socket.send('40');
        if (text === '2') socket.send('3');
        if (text.startsWith('40')) resolve();
        if (text.startsWith('42')) messages.push(JSON.parse(text.slice(2)));
      });
    });
    return messages;
  };
  const [own, other] = await Promise.all([listenAs(creator), listenAs(stranger)]);
  startWorker(web);

  const film = await createH264({ seconds: 1, size: '64x36' });
  const id = await createTusClient(address, creator.cookie).upload(film, 'film.mp4', 'video/mp4');
  const processed = () =>
    own.flatMap(([name, payload]) => (name === mediaProcessed.name ? [z.parse(mediaProcessed.payload, payload)] : []));
  const stages = () =>
    own.flatMap(([name, payload]) => (name === mediaProgress.name ? [z.parse(mediaProgress.payload, payload)] : []));
  await vi.waitFor(() => expect(processed()).toContainEqual(expect.objectContaining({ id, stage: 'done' })), {
    timeout: 60_000,
  });
  expect(processed()[0]).toMatchObject({ id, status: 'ready' });
  expect(stages().map(({ stage }) => stage)).toEqual(expect.arrayContaining(['inspecting', 'packaging', 'improving']));
  expect(new Set(stages().map((one) => one.id))).toEqual(new Set([id]));
  expect(other.map(([name]) => name)).not.toContain(mediaProgress.name);
});
