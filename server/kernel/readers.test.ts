import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server as SocketServer } from 'socket.io';
import { afterEach, expect, it, vi } from 'vitest';
import { openRaw, type RawWeb } from '../testing/raw-web.ts';
import { createFanOut, type FanOut } from './fan-out.ts';
import { createLogger } from './log.ts';
import { type Limits, type Readers, watchReaders } from './readers.ts';

const MB = 1024 * 1024;
/** To 20 clients that is 300 MB, more than the limit of memory. */
const MESSAGES = 150;
type Place = { http: Server; io: SocketServer; fanOut: FanOut; readers: Readers; port: number };
const places: Place[] = [];
afterEach(async () => {
  for (const { io, readers } of places.splice(0)) {
    readers.stop();
    await io.close();
  }
});

async function place(limits: Partial<Limits> = {}): Promise<Place> {
  const http = createServer();
  const io = new SocketServer(http, {
    perMessageDeflate: false,
    serveClient: false,
    pingInterval: 200,
    pingTimeout: 20_000,
  });
  const fanOut = createFanOut(io);
  const log = createLogger({ level: 'silent', isPretty: false });
  const readers = watchReaders(io, log, { maxBytes: MB, maxMs: 60_000, everyMs: 50, ...limits });
  io.on('connection', (socket) => void socket.join('all'));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const made = { http, io, fanOut, readers, port: (http.address() as AddressInfo).port };
  places.push(made);
  return made;
}

const until = (look: () => void) => vi.waitFor(look, { timeout: 30_000, interval: 20 });
const settled = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const sizeOf = ({ io }: Place) => io.of('/').sockets.size;

function answerPings({ socket, say }: RawWeb): void {
  const timer = setInterval(() => say('3'), 150);
  socket.once('close', () => clearInterval(timer));
}

it('20 clients that never read are closed before they use much memory, and another receives everything', async () => {
  const at = await place();
  const deaf = await Promise.all(Array.from({ length: 20 }, () => openRaw(at.port)));
  const good = await openRaw(at.port);
  for (const client of [...deaf, good]) answerPings(client);
  for (const { socket } of deaf) socket.pause();
  await until(() => expect(sizeOf(at)).toBe(21));
  const text = 'x'.repeat(100_000);
  const before = process.memoryUsage().rss;
  let most = 0;
  for (let n = 0; n < MESSAGES; n += 1) {
    at.fanOut.send('all', 'SAID', [n, text]);
    await settled(2);
    most = Math.max(most, process.memoryUsage().rss - before);
  }
  await until(() => expect(sizeOf(at)).toBe(1));
  await until(() => expect(good.heard()).toHaveLength(MESSAGES));
  expect(good.heard().map((heard) => JSON.parse(heard.slice(2))[1][0])).toEqual(
    Array.from({ length: MESSAGES }, (_, n) => n),
  );
  process.stdout.write(
    `twenty that never read, 300 MB said to them: at most ${Math.round(most / MB)} MB more memory\n`,
  );
  expect(most).toBeLessThan(200 * MB);
  for (const { socket } of [...deaf, good]) socket.destroy();
});

it('a client with unread data for too long is closed, and a slow reader is not', async () => {
  const at = await place({ maxBytes: 1_000 * MB, maxMs: 3_000 });
  const [deaf, slow] = [await openRaw(at.port), await openRaw(at.port)];
  for (const client of [deaf, slow]) {
    answerPings(client);
    client.socket.pause();
  }
  const reading = setInterval(() => (slow.socket.isPaused() ? slow.socket.resume() : slow.socket.pause()), 200);
  const text = 'x'.repeat(100_000);
  for (let n = 0; n < 200; n += 1) at.fanOut.send('all', 'SAID', text);
  await settled(1_000);
  expect(sizeOf(at)).toBe(2);
  await until(() => expect(sizeOf(at)).toBe(1));
  clearInterval(reading);
  slow.socket.resume();
  await until(() => expect(slow.heard()).toHaveLength(200));
  expect(slow.socket.destroyed).toBe(false);
  for (const { socket } of [deaf, slow]) socket.destroy();
});

it('a client that stopped polling but answers pings is closed', async () => {
  const at = await place();
  const url = `http://127.0.0.1:${at.port}/socket.io/?EIO=4&transport=polling`;
  const { sid } = JSON.parse((await (await fetch(url)).text()).slice(1));
  const post = async (body: string) => (await fetch(`${url}&sid=${sid}`, { method: 'POST', body })).text();
  await post('40');
  expect(await (await fetch(`${url}&sid=${sid}`)).text()).toContain('40');
  const timer = setInterval(() => void post('3').catch(() => undefined), 150);
  await until(() => expect(sizeOf(at)).toBe(1));
  for (let n = 0; n < 30; n += 1) at.fanOut.send('all', 'SAID', 'x'.repeat(100_000));
  await until(() => expect(sizeOf(at)).toBe(0));
  clearInterval(timer);
});

it('drained() resolves when a client received everything or disconnected', async () => {
  const at = await place();
  const client = await openRaw(at.port);
  answerPings(client);
  await until(() => expect(sizeOf(at)).toBe(1));
  const [server] = at.io.of('/').sockets.values();
  if (!server) throw new Error('nobody is connected');
  await at.readers.drained(server.conn);
  client.socket.pause();
  const waits = async () => {
    server.emit('SAID', 'x'.repeat(500_000));
    let isDone = false;
    const done = at.readers.drained(server.conn).then(() => {
      isDone = true;
    });
    await settled(50);
    return { isDone, done };
  };
  let last = await waits();
  while (last.isDone) last = await waits();
  client.socket.resume();
  await last.done;
  client.socket.pause();
  last = await waits();
  while (last.isDone) last = await waits();
  client.socket.destroy();
  await last.done;
});
