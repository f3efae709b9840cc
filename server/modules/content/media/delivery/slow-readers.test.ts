import { mkdtemp, open, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestApp } from '../../../../testing/app.ts';
import { sendLocal } from './send-local.ts';

const FILM_BYTES = 32 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;
const WAIT_OPTIONS = { timeout: 30_000, interval: 50 };

let dir = '';
let server: Server;
let port = 0;
let ended = 0;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-film-'));
  const film = path.join(dir, 'film.mp4');
  const file = await open(film, 'w');
  await file.truncate(FILM_BYTES);
  await file.close();
  server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': FILM_BYTES });
    void sendLocal(response, film, 0, FILM_BYTES - 1).then(() => {
      ended += 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(dir, { recursive: true, force: true });
});

async function openStalledReader(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.once('data', () => resolve()));
  socket.pause();
  return socket;
}

test('two hundred stalled readers hold less than 100 MB, and their buffers are reused', async () => {
  const before = process.memoryUsage().arrayBuffers;
  const sockets = await Promise.all(Array.from({ length: 200 }, openStalledReader));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * MEGABYTE);
  const endedBefore = ended;
  for (const socket of sockets) socket.destroy();
  await vi.waitFor(() => expect(ended - endedBefore).toBe(200), WAIT_OPTIONS);
  const reader = connect(port, '127.0.0.1', () =>
    reader.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
  );
  let bytes = 0;
  reader.on('data', (chunk) => {
    bytes += chunk.length;
  });
  await new Promise((resolve) => reader.once('close', resolve));
  expect(bytes).toBeGreaterThan(FILM_BYTES);
});

test('a reader that takes nothing is disconnected after a while, a slow reader is not', async () => {
  server.timeout = 1_500;
  const [silent, slow] = [await openStalledReader(), await openStalledReader()];
  const slowReads = setInterval(() => slow.read(128 * 1024), 50);
  try {
    const disconnected = new Promise<void>((resolve) => silent.once('close', () => resolve()));
    await vi.waitFor(
      async () => expect(await new Promise((resolve) => server.getConnections((_, count) => resolve(count)))).toBe(1),
      WAIT_OPTIONS,
    );
    silent.resume();
    await disconnected;
    expect(slow.closed).toBe(false);
  } finally {
    clearInterval(slowReads);
    server.timeout = 0;
    slow.destroy();
  }
});

test('the app’s own server disconnects clients that are silent for a minute', async () => {
  const app = await createTestApp();
  try {
    expect(app.app.http.server.timeout).toBe(60_000);
  } finally {
    await app.close();
  }
});
