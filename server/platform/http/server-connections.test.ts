import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createTestApp } from '../../testing/app.ts';
import { limitServerConnections } from './server-connections.ts';

async function openServer(limits: Parameters<typeof limitServerConnections>[1], isProxied: boolean) {
  const waiting: ServerResponse[] = [];
  const server = createServer((_, response) => void waiting.push(response));
  limitServerConnections(server, limits, isProxied);
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
