/** Connections are few enough for everybody, and nobody takes them all. */
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createTestApp } from '../testing/app.ts';
import { limitConnections, networkOf } from './connections.ts';

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '::ffff:203.0.113.9'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['', ''],
])('%s is of the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  [false, 3],
  [true, 5],
])('of one network so many are taken, behind a proxy (%s) as many as in all', async (isProxied, taken) => {
  const server = createServer((_, response) => response.end('here'));
  limitConnections(server, { inAll: 5, ofNetwork: 3 }, isProxied);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const sockets: Socket[] = [];
  const ask = () =>
    new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
      sockets.push(socket);
      socket.once('data', () => resolve('answered'));
      socket.once('error', () => resolve('closed'));
      socket.once('close', () => resolve('closed'));
    });
  try {
    const answers: string[] = [];
    for (let n = 0; n < 7; n += 1) answers.push(await ask());
    expect(answers).toEqual([...Array(taken).fill('answered'), ...Array(7 - taken).fill('closed')]);
    const first = sockets[0];
    await new Promise<void>((resolve) => {
      first?.once('close', () => resolve());
      first?.destroy();
    });
    await expect.poll(ask).toBe('answered');
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

test('the product’s own server has room for so many, and so many of one network', async () => {
  // Of a thousand of one network, three.
  const { app, close } = await createTestApp({ env: { RATE_LIMIT_FACTOR: '0.003' } });
  const sockets: Socket[] = [];
  try {
    expect(app.http.server.maxConnections).toBe(20_000);
    const port = Number(new URL(await app.http.listen({ port: 0, host: '127.0.0.1' })).port);
    const ask = () =>
      new Promise<string>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'));
        sockets.push(socket);
        for (const [event, outcome] of [
          ['data', 'answered'],
          ['error', 'closed'],
          ['close', 'closed'],
        ] as const)
          socket.once(event, () => resolve(outcome));
      });
    const answers: string[] = [];
    for (let n = 0; n < 4; n += 1) answers.push(await ask());
    expect(answers).toEqual(['answered', 'answered', 'answered', 'closed']);
  } finally {
    for (const socket of sockets) socket.destroy();
    await close();
  }
});
