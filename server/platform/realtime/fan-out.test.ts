import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Server as SocketServer } from 'socket.io';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openRawSocket, type RawSocket } from '../../testing/raw-socket.ts';
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

const until = (assertion: () => void) => vi.waitFor(assertion, { timeout: 30_000 });
const waitForRoom = (room: string, count = 1) =>
  until(() => expect(io.of('/').adapter.rooms.get(room)?.size).toBe(count));

async function openWebSocket(room: string): Promise<RawSocket> {
  const client = await openRawSocket(port, { auth: { room } });
  await waitForRoom(room);
  return client;
}

it('the fan-out sends payloads of every length, in order, to one room only', async () => {
  const [inside, outside] = [await openWebSocket('inside'), await openWebSocket('outside')];
  const payloads = ['', 'short', 'ü'.repeat(200), 'é'.repeat(40_000), { a: [1, null, '💬'] }];
  for (const payload of payloads) fanOut.send('inside', 'SAID', payload);
  io.to('inside').emit('SAID', 'by Socket.IO');
  fanOut.send('inside', 'SAID', 'last');
  const expected = [...payloads, 'by Socket.IO', 'last'].map((payload) => `42${JSON.stringify(['SAID', payload])}`);
  await until(() => expect(inside.listEvents()).toEqual(expected));
  expect(outside.listEvents()).toEqual([]);
  inside.socket.destroy();
  outside.socket.destroy();
  await until(() => expect(io.of('/').adapter.rooms.size).toBe(0));
  fanOut.send('inside', 'SAID', 'to nobody');
});

it('the fan-out loses only volatile events for a client that pauses reading', async () => {
  const { socket, listEvents: received } = await openWebSocket('slow');
  socket.pause();
  const long = 'x'.repeat(100_000);
  for (let n = 0; n < 100; n += 1) fanOut.send('slow', 'SAID', [n, long]);
  fanOut.send('slow', 'SAID', 'volatile', true);
  fanOut.send('slow', 'SAID', 'after');
  socket.resume();
  await until(() => expect(received()).toHaveLength(101));
  const receivedPayloads = received().map((text) => JSON.parse(text.slice(2))[1]);
  expect(receivedPayloads.slice(0, -1).map(([n]) => n)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  expect(receivedPayloads.at(-1)).toBe('after');
  fanOut.send('slow', 'SAID', 'volatile', true);
  await until(() => expect(received().at(-1)).toBe('42["SAID","volatile"]'));
  socket.destroy();
});

it('the fan-out holds one event back from a socket until released and reports whether there was one', async () => {
  const [one, other] = [await openWebSocket('held'), await openWebSocket('held-not')];
  const [id = ''] = io.of('/').adapter.rooms.get('held') ?? [];
  io.of('/').sockets.get(id)?.join('held-not');
  await waitForRoom('held-not', 2);
  const suppression = fanOut.suppressEvent(id, 'SAID');
  expect(suppression.wasSuppressed()).toBe(false);
  fanOut.send('held-not', 'SAID', 1);
  fanOut.send('held-not', 'TOLD', 2);
  await until(() => expect(other.listEvents()).toEqual(['42["SAID",1]', '42["TOLD",2]']));
  await until(() => expect(one.listEvents()).toEqual(['42["TOLD",2]']));
  expect([suppression.wasSuppressed(), suppression.wasSuppressed()]).toEqual([true, false]);
  suppression.release();
  fanOut.send('held', 'SAID', 3);
  await until(() => expect(one.listEvents()).toEqual(['42["TOLD",2]', '42["SAID",3]']));
  for (const { socket } of [one, other]) socket.destroy();
});

it('the fan-out reaches clients that poll', async () => {
  const url = `http://127.0.0.1:${port}/socket.io/?EIO=4&transport=polling`;
  const { sid } = JSON.parse((await (await fetch(url)).text()).slice(1));
  const poll = async () => (await fetch(`${url}&sid=${sid}`)).text();
  await fetch(`${url}&sid=${sid}`, { method: 'POST', body: `40${JSON.stringify({ room: 'polling' })}` });
  expect(await poll()).toMatch(/^40/);
  await waitForRoom('polling');
  fanOut.send('polling', 'SAID', 'one');
  fanOut.send('polling', 'SAID', 'two');
  let received = '';
  await until(async () => {
    received += await poll();
    expect(received.replaceAll('\x1e', '')).toBe('42["SAID","one"]42["SAID","two"]');
  });
});
