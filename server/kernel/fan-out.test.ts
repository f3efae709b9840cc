/** Frames written past the queues of Socket.IO: of any length, in order, to every kind of client, and lost by nobody. */
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server as SocketServer } from 'socket.io';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createFanOut, type FanOut } from './fan-out.ts';

let http: Server;
let io: SocketServer;
let fanOut: FanOut;
let port = 0;
beforeAll(async () => {
  http = createServer();
  io = new SocketServer(http, { perMessageDeflate: false, serveClient: false });
  fanOut = createFanOut(io);
  io.on('connection', (socket) => void socket.join(String(socket.handshake.auth.room)));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterAll(async () => io.close());

const until = (look: () => void) => vi.waitFor(look, { timeout: 10_000 });
const isThere = (room: string, count = 1) => until(() => expect(io.of('/').adapter.rooms.get(room)?.size).toBe(count));

/** Cuts a server's frames into texts. */
function texts(bytes: Buffer): string[] {
  const found: string[] = [];
  let at = 0;
  while (at < bytes.length) {
    const short = bytes.readUInt8(at + 1);
    const head = short === 126 ? 4 : short === 127 ? 10 : 2;
    const length =
      short === 126 ? bytes.readUInt16BE(at + 2) : short === 127 ? Number(bytes.readBigUInt64BE(at + 2)) : short;
    found.push(bytes.toString('utf8', at + head, at + head + length));
    at += head + length;
  }
  return found;
}

/** A client by WebSocket whose connection can be stopped from reading. */
async function openWeb(room: string): Promise<{ socket: Duplex; heard(): string[] }> {
  const asked = request({
    port,
    host: '127.0.0.1',
    path: '/socket.io/?EIO=4&transport=websocket',
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    },
  }).end();
  const [, socket, early]: [unknown, Duplex, Buffer] = await new Promise((resolve) =>
    asked.on('upgrade', (...all) => resolve(all)),
  );
  const chunks = [early];
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
  const connect = Buffer.from(`40${JSON.stringify({ room })}`);
  // Masked with zeroes: as it is.
  socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | connect.length, 0, 0, 0, 0]), connect]));
  await isThere(room);
  return { socket, heard: () => texts(Buffer.concat(chunks)).filter((text) => text.startsWith('42')) };
}

it('sends texts of every length, in order, to that room alone', async () => {
  const [inside, outside] = [await openWeb('inside'), await openWeb('outside')];
  const payloads = ['', 'short', 'ü'.repeat(200), 'é'.repeat(40_000), { a: [1, null, '💬'] }];
  for (const payload of payloads) fanOut('inside', 'SAID', payload);
  io.to('inside').emit('SAID', 'by Socket.IO');
  fanOut('inside', 'SAID', 'last');
  const expected = [...payloads, 'by Socket.IO', 'last'].map((payload) => `42${JSON.stringify(['SAID', payload])}`);
  await until(() => expect(inside.heard()).toEqual(expected));
  expect(outside.heard()).toEqual([]);
  inside.socket.destroy();
  outside.socket.destroy();
  await until(() => expect(io.of('/').adapter.rooms.size).toBe(0));
  fanOut('inside', 'SAID', 'to nobody');
});

it('loses nothing to who does not read for a while, but for what is volatile', async () => {
  const { socket, heard } = await openWeb('slow');
  socket.pause();
  const long = 'x'.repeat(100_000);
  for (let n = 0; n < 100; n += 1) fanOut('slow', 'SAID', [n, long]);
  // Now its queue is full for certain.
  fanOut('slow', 'SAID', 'volatile', true);
  fanOut('slow', 'SAID', 'after');
  socket.resume();
  await until(() => expect(heard()).toHaveLength(101));
  const said = heard().map((text) => JSON.parse(text.slice(2))[1]);
  expect(said.slice(0, -1).map(([n]) => n)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  expect(said.at(-1)).toBe('after');
  fanOut('slow', 'SAID', 'volatile', true);
  await until(() => expect(heard().at(-1)).toBe('42["SAID","volatile"]'));
  socket.destroy();
});

it('reaches who polls', async () => {
  const url = `http://127.0.0.1:${port}/socket.io/?EIO=4&transport=polling`;
  const { sid } = JSON.parse((await (await fetch(url)).text()).slice(1));
  const poll = async () => (await fetch(`${url}&sid=${sid}`)).text();
  await fetch(`${url}&sid=${sid}`, { method: 'POST', body: `40${JSON.stringify({ room: 'polling' })}` });
  expect(await poll()).toMatch(/^40/);
  await isThere('polling');
  fanOut('polling', 'SAID', 'one');
  fanOut('polling', 'SAID', 'two');
  let heard = '';
  await until(async () => {
    heard += await poll();
    expect(heard.replaceAll('\x1e', '')).toBe('42["SAID","one"]42["SAID","two"]');
  });
});
