import { once } from 'node:events';
import { createServer, IncomingMessage, type ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createTestApp } from '../../testing/app.ts';
import {
  calculateShare,
  cleanForwardedFor,
  createAddressResolver,
  limitConnections,
  toNetwork,
} from './client-address.ts';

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['0:0:0:0:0:ffff:203.0.113.9', '203.0.113.9'],
  ['2002:cb00:7109::1', '203.0.113.9'],
  ['2002:cb00:7109:1:2:3:4:5', '203.0.113.9'],
  ['64:ff9b::cb00:7109', '203.0.113.9'],
  ['64:ff9b::203.0.113.9', '203.0.113.9'],
  ['::ffff:58c6:a14', '88.198.10.20'],
  ['64:ff9b:1::cb00:7109', '64:ff9b:1:0'],
  ['2003:cb00:7109::1', '2003:cb00:7109:0'],
  ['2001:db8:1:2::9', '2001:db8:1:0'],
  ['2001:db8:1:2ff::9', '2001:db8:1:200'],
  ['2001:0db8:0001:ab34::9', '2001:db8:1:ab00'],
  ['2001:db8::', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['', ''],
])('%s belongs to the network %s', (address, network) => {
  expect(toNetwork(address)).toBe(network);
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:4711', '203.0.113.9'],
  ['[2001:db8::9]:4711', '2001:db8::9'],
  ['[2001:db8::9]', '2001:db8::9'],
  ['2001:db8::9', '2001:db8::9'],
  ['198.51.100.7:1, 203.0.113.9:2, 127.0.0.1:3', '198.51.100.7, 203.0.113.9, 127.0.0.1'],
  ['198.51.100.7, unknown, 203.0.113.9', '203.0.113.9'],
  ['203.0.113.9, rubbish', undefined],
  ['203.0.113.999', undefined],
  ['_hidden:80', undefined],
  ['', undefined],
  [undefined, undefined],
])('x-forwarded-for %j is reduced to the addresses after the last invalid hop', (header, addresses) => {
  const headers = header === undefined ? {} : { 'x-forwarded-for': header };
  cleanForwardedFor({ headers });
  expect(headers).toEqual(addresses === undefined ? {} : { 'x-forwarded-for': addresses });
});

test('a request behind a proxy belongs to the forwarded address without its port, or to the proxy if it is invalid', async () => {
  const app = await createTestApp({ env: { TRUST_PROXY: '127.0.0.1, 10.0.0.0/8' } });
  const http = app.app.http;
  http.get('/test/ip', (request) => ({ ip: request.ip }));
  const resolveAddress = createAddressResolver(['127.0.0.1', '10.0.0.0/8']);
  for (const [header, ip] of [
    ['203.0.113.9:1', '203.0.113.9'],
    ['203.0.113.9:2, 10.0.0.1:80', '203.0.113.9'],
    ['[2001:db8::9]:3', '2001:db8::9'],
    ['rubbish', '127.0.0.1'],
    ['203.0.113.9, rubbish, 10.0.0.1', '10.0.0.1'],
  ] as const) {
    const headers = { 'x-forwarded-for': header };
    expect([header, (await http.inject({ url: '/test/ip', headers })).json()]).toEqual([header, { ip }]);
    const request = Object.assign(new IncomingMessage(new Socket()), { headers: { ...headers } });
    Object.defineProperty(request.socket, 'remoteAddress', { value: '127.0.0.1' });
    expect(resolveAddress(request)).toBe(ip);
  }
  await app.close();
});

async function openServer(limits: Parameters<typeof limitConnections>[1], isProxied: boolean) {
  const waiting: ServerResponse[] = [];
  const server = createServer((_, response) => void waiting.push(response));
  limitConnections(server, limits, isProxied);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const sockets: Socket[] = [];
  const openRequest = async () => {
    const before = waiting.length;
    const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
    sockets.push(socket);
    socket.on('error', () => undefined);
    const isClosed = () => socket.destroyed || socket.readableEnded;
    socket.on('end', () => socket.destroy());
    socket.resume();
    await expect.poll(() => waiting.length > before || isClosed()).toBe(true);
    return { socket, isClosed, isPending: waiting.length > before, answer: () => waiting[before]?.end('here') };
  };
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port, openRequest, close };
}

test.each([
  [false, 4],
  [true, 5],
])('connections are limited per network, but behind a proxy (%s) only in total', async (isProxied, accepted) => {
  const { openRequest, close } = await openServer({ total: 5, perNetwork: 5 }, isProxied);
  try {
    const requests = [];
    for (let n = 0; n < 7; n += 1) requests.push(await openRequest());
    expect(requests.map(({ isPending }) => isPending)).toEqual([
      ...Array(accepted).fill(true),
      ...Array(7 - accepted).fill(false),
    ]);
    requests[0]?.socket.destroy();
    await expect.poll(async () => (await openRequest()).isPending).toBe(true);
  } finally {
    await close();
  }
});

test('a new connection replaces the longest idle one of its network, never one with a request in progress', async () => {
  const { port, openRequest, close } = await openServer({ total: 1_000, perNetwork: 3 }, false);
  try {
    const [first, second, third] = [await openRequest(), await openRequest(), await openRequest()];
    second.answer();
    await expect.poll(async () => (await openRequest()).isPending).toBe(true);
    await expect.poll(second.isClosed).toBe(true);
    expect((await openRequest()).isPending).toBe(false);
    expect([first, third].map(({ isClosed }) => isClosed())).toEqual([false, false]);
    first.socket.destroy();
    await expect.poll(first.isClosed).toBe(true);
    const idle = connect(port, '127.0.0.1');
    await once(idle, 'connect');
    await expect.poll(async () => (await openRequest()).isPending).toBe(true);
    idle.destroy();
  } finally {
    await close();
  }
});

test('the share of one caller shrinks with the remaining capacity once half of it is used', () => {
  expect(calculateShare(1_000, 0, 20_000)).toBe(1_000);
  expect(calculateShare(1_000, 10_000, 20_000)).toBe(1_000);
  expect(calculateShare(1_000, 15_000, 20_000)).toBe(500);
  expect(calculateShare(1_000, 19_999, 20_000)).toBe(1);
  expect(calculateShare(1_000, 20_000, 20_000)).toBe(0);
});

test('the server limits its connections in total and per network', async () => {
  const { app, close } = await createTestApp({ env: { RATE_LIMIT_FACTOR: '0.003' } });
  const sockets: Socket[] = [];
  try {
    expect(app.http.server.maxConnections).toBe(20_000);
    const port = Number(new URL(await app.http.listen({ port: 0, host: '127.0.0.1' })).port);
    const openRequest = () =>
      new Promise<string>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'));
        sockets.push(socket);
        socket.resume();
        for (const [event, outcome] of [
          ['data', 'answered'],
          ['error', 'closed'],
          ['close', 'closed'],
        ] as const)
          socket.once(event, () => resolve(outcome));
      });
    const answers: string[] = [];
    for (let n = 0; n < 4; n += 1) answers.push(await openRequest());
    expect(answers).toEqual(Array(4).fill('answered'));
    await expect.poll(() => sockets.map(({ readableEnded }) => readableEnded)).toEqual([true, false, false, false]);
  } finally {
    for (const socket of sockets) socket.destroy();
    await close();
  }
});
