import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server as SocketServer } from 'socket.io';
import { afterEach, expect, it, vi } from 'vitest';
import { openRawSocket, type RawSocket } from '../../testing/raw-socket.ts';
import { createLogger } from '../log.ts';
import { createFanOut, type FanOut } from './fan-out.ts';
import { type BacklogLimits, type SlowConsumers, watchSlowConsumers } from './slow-consumers.ts';

const MB = 1024 * 1024;
/** To 20 clients that is 300 MB, more than the limit of memory. */
const MESSAGES = 150;
type TestServer = { http: Server; io: SocketServer; fanOut: FanOut; slowConsumers: SlowConsumers; port: number };
const servers: TestServer[] = [];
afterEach(async () => {
  for (const { io, slowConsumers } of servers.splice(0)) {
    slowConsumers.stop();
    await io.close();
  }
});

async function openServer(limits: Partial<BacklogLimits> = {}): Promise<TestServer> {
  const http = createServer();
  const io = new SocketServer(http, {
    perMessageDeflate: false,
    serveClient: false,
    pingInterval: 200,
    pingTimeout: 20_000,
  });
  const fanOut = createFanOut(io);
  const log = createLogger({ level: 'silent', isPretty: false });
  const slowConsumers = watchSlowConsumers(io, log, { maxBytes: MB, maxMs: 60_000, everyMs: 50, ...limits });
  io.on('connection', (socket) => void socket.join('all'));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const made = { http, io, fanOut, slowConsumers, port: (http.address() as AddressInfo).port };
  servers.push(made);
  return made;
}

const until = (assertion: () => void) => vi.waitFor(assertion, { timeout: 30_000, interval: 20 });
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const countSockets = ({ io }: TestServer) => io.of('/').sockets.size;

function answerPings({ socket, send }: RawSocket): void {
  const timer = setInterval(() => send('3'), 150);
  socket.once('close', () => clearInterval(timer));
}

it('20 clients that never read are closed before they use much memory, and another receives everything', async () => {
  const testServer = await openServer();
  const deafClients = await Promise.all(Array.from({ length: 20 }, () => openRawSocket(testServer.port)));
  const attentive = await openRawSocket(testServer.port);
  for (const client of [...deafClients, attentive]) answerPings(client);
  for (const { socket } of deafClients) socket.pause();
  await until(() => expect(countSockets(testServer)).toBe(21));
  const text = 'x'.repeat(100_000);
  const before = process.memoryUsage().rss;
  let maxGrowth = 0;
  for (let n = 0; n < MESSAGES; n += 1) {
    testServer.fanOut.send('all', 'SAID', [n, text]);
    await wait(2);
    maxGrowth = Math.max(maxGrowth, process.memoryUsage().rss - before);
  }
  await until(() => expect(countSockets(testServer)).toBe(1));
  await until(() => expect(attentive.listEvents()).toHaveLength(MESSAGES));
  expect(attentive.listEvents().map((message) => JSON.parse(message.slice(2))[1][0])).toEqual(
    Array.from({ length: MESSAGES }, (_, n) => n),
  );
  process.stdout.write(
    `twenty that never read, 300 MB said to them: at most ${Math.round(maxGrowth / MB)} MB more memory\n`,
  );
  expect(maxGrowth).toBeLessThan(200 * MB);
  for (const { socket } of [...deafClients, attentive]) socket.destroy();
});

it('a client with unread data for too long is closed, and a slow reader is not', async () => {
  const testServer = await openServer({ maxBytes: 1_000 * MB, maxMs: 3_000 });
  const [deaf, slow] = [await openRawSocket(testServer.port), await openRawSocket(testServer.port)];
  for (const client of [deaf, slow]) {
    answerPings(client);
    client.socket.pause();
  }
  const reading = setInterval(() => (slow.socket.isPaused() ? slow.socket.resume() : slow.socket.pause()), 200);
  const text = 'x'.repeat(100_000);
  for (let n = 0; n < 200; n += 1) testServer.fanOut.send('all', 'SAID', text);
  await wait(1_000);
  expect(countSockets(testServer)).toBe(2);
  await until(() => expect(countSockets(testServer)).toBe(1));
  clearInterval(reading);
  slow.socket.resume();
  await until(() => expect(slow.listEvents()).toHaveLength(200));
  expect(slow.socket.destroyed).toBe(false);
  for (const { socket } of [deaf, slow]) socket.destroy();
});

it('a client that stopped polling but answers pings is closed', async () => {
  const testServer = await openServer();
  const url = `http://127.0.0.1:${testServer.port}/socket.io/?EIO=4&transport=polling`;
  const { sid } = JSON.parse((await (await fetch(url)).text()).slice(1));
  const post = async (body: string) => (await fetch(`${url}&sid=${sid}`, { method: 'POST', body })).text();
  await post('40');
  expect(await (await fetch(`${url}&sid=${sid}`)).text()).toContain('40');
  const timer = setInterval(() => void post('3').catch(() => undefined), 150);
  await until(() => expect(countSockets(testServer)).toBe(1));
  for (let n = 0; n < 30; n += 1) testServer.fanOut.send('all', 'SAID', 'x'.repeat(100_000));
  await until(() => expect(countSockets(testServer)).toBe(0));
  clearInterval(timer);
});

it('waitUntilDrained() resolves when a client received everything or disconnected', async () => {
  const testServer = await openServer();
  const client = await openRawSocket(testServer.port);
  answerPings(client);
  await until(() => expect(countSockets(testServer)).toBe(1));
  const [server] = testServer.io.of('/').sockets.values();
  if (!server) throw new Error('nobody is connected');
  await testServer.slowConsumers.waitUntilDrained(server.conn);
  client.socket.pause();
  const startDrain = async () => {
    server.emit('SAID', 'x'.repeat(500_000));
    let isDone = false;
    const done = testServer.slowConsumers.waitUntilDrained(server.conn).then(() => {
      isDone = true;
    });
    await wait(50);
    return { isDone, done };
  };
  let last = await startDrain();
  while (last.isDone) last = await startDrain();
  client.socket.resume();
  await last.done;
  client.socket.pause();
  last = await startDrain();
  while (last.isDone) last = await startDrain();
  client.socket.destroy();
  await last.done;
});
