/** Malformed HTTP outside the contract's routes. */

import { readdir, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { ERRORS } from '@stagedoor/contract/shared/errors.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from './app.ts';

let app: TestApp;
let port = 0;
beforeAll(async () => {
  app = await createTestApp({ env: { RATE_LIMIT_FACTOR: '0.5', TRUST_PROXY: '127.0.0.1', PROCESS_ROLE: 'web' } });
  await app.app.start();
  await app.app.http.listen({ port: 0, host: '127.0.0.1' });
  const address = app.app.http.server.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterAll(() => app.close());

function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let response = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      response += chunk;
    });
    socket.on('close', () => resolve(response));
    socket.on('error', reject);
  });
}

test.each([
  ['PUT', '/nothing', 'NOT_FOUND'],
  ['DELETE', '/', 'NOT_FOUND'],
  ['GET', '/api/%zz', 'VALIDATION'],
  ['GET', '/%c0%ae', 'VALIDATION'],
] as const)('%s %s is refused with a JSON error of the contract', async (method, url, code) => {
  const response = await app.inject(method, url);
  expect(response.json().code).toBe(code);
  expect(response.statusCode).toBe(ERRORS[code].status);
  expect(response.headers['cache-control']).toBe('no-store');
});

test('a JSON content type is accepted on every request, also without a body (row W1)', async () => {
  const announced = { 'content-type': 'application/json' };
  const fan = await app.signUp('customer');
  expect((await fan.inject('GET', '/api/auth/user', undefined, announced)).statusCode).toBe(200);
  const [session] = (await fan.inject('GET', '/api/auth/sessions')).json().data;
  const url = `/api/auth/sessions/${session.id}`;
  expect(
    (
      await fan.inject(
        'DELETE',
        url.replace(/.$/, (end) => (end === '0' ? '1' : '0')),
        undefined,
        announced,
      )
    ).statusCode,
  ).toBe(404);
  expect((await fan.inject('POST', '/api/auth/logout', undefined, announced)).json()).toEqual({
    info: 'You’re logged out.',
  });
  const empty = await app.inject('POST', '/api/auth/login', undefined, announced);
  expect(empty.json()).toMatchObject({ code: 'VALIDATION', error: [{ field: 'body' }] });
  for (const method of ['POST', 'DELETE'])
    expect(
      await sendRaw(
        `${method} /api/auth/logout HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      ),
    ).toMatch(method === 'POST' ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 404 /);
});

test.each(['http://evil.example/api/auth/user', 'https://evil.example', '*'])(
  'the request target %s is refused with 400',
  async (target) => {
    const response = await sendRaw(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(response).toContain('"code":"VALIDATION"');
  },
);

test.each([
  ['nonsense', 'NONSENSE\r\n\r\n', '400'],
  [
    'two lengths',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    '400',
  ],
  ['endless headers', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '431'],
])('%s is refused with a JSON error of the contract', async (_, text, status) => {
  const response = await sendRaw(text);
  expect(response.startsWith(`HTTP/1.1 ${status} `)).toBe(true);
  expect(JSON.parse(response.slice(response.indexOf('{')))).toEqual({
    code: 'VALIDATION',
    message: expect.any(String),
  });
});

test('a request with two Host headers is refused, even if they are equal', async () => {
  for (const second of ['evil.example', 'x'])
    expect(await sendRaw(`GET /healthz HTTP/1.1\r\nHost: x\r\nhOST: ${second}\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*"code":"VALIDATION"/,
    );
  const upgrade =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  const response = await sendRaw(
    `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nHost: evil.example\r\n${upgrade}\r\n\r\n`,
  );
  expect(response).toMatch(/^HTTP\/1\.1 4/);
});

test.each(['h2c', 'TLS/1.0', 'h2c, websocket'])(
  'an upgrade offer to %s is ignored and the request gets a response',
  async (offer) => {
    const head = `GET /healthz HTTP/1.1\r\nHost: x\r\nUpgrade: ${offer}\r\nHTTP2-Settings: AAMAAABkAAQAAP__`;
    const response = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(`${head}\r\nConnection: Upgrade, HTTP2-Settings\r\n\r\n`),
      );
      socket.once('data', (chunk) => {
        resolve(chunk.toString());
        socket.destroy();
      });
      socket.once('error', reject);
      socket.once('close', () => resolve('closed without an answer'));
    });
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
  },
);

test('the API documentation page runs only scripts with the nonce and loads nothing from other hosts', async () => {
  const response = await app.inject('GET', '/api/docs/');
  const nonce = /'nonce-([^']+)'/.exec(String(response.headers['content-security-policy']))?.[1];
  const scripts = response.body.match(/<script[^>]*>/g) ?? [];
  expect(scripts.length).toBeGreaterThan(1);
  for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
  expect(response.body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
});

const PATIENCE = { timeout: 30_000 };

const PART = '--b\r\ncontent-disposition: form-data; name="file"; filename="x.png"\r\n\r\nslow';
const FORM = 'multipart/form-data; boundary=b';

function startForm(cookie: string) {
  const head = ['POST /api/creator/profile/avatar HTTP/1.1', 'host: x', `cookie: ${cookie}`, `content-type: ${FORM}`];
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`${head.join('\r\n')}\r\ncontent-length: 1000000\r\n\r\n${PART}`);
  return socket;
}

async function arrived(): Promise<number> {
  const dir = path.join(app.ctx.config.dataDir, 'forms');
  const names = await readdir(dir).catch(() => []);
  const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(dir, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

test('a user may have three forms in progress, and unfinished forms of others do not block uploads', async () => {
  const [creator, other] = [await app.signUp('creator'), await app.signUp('creator')];
  const send = (by: TestUser) =>
    by.inject('POST', '/api/creator/profile/avatar', `${PART}\r\n--b--\r\n`, { 'content-type': FORM });
  const open = [0, 1, 2].map(() => startForm(creator.cookie));
  for (let n = 0; n < 5; n += 1) {
    const { cookie } = await app.signUp('creator');
    open.push(startForm(cookie), startForm(cookie), startForm(cookie));
  }
  await vi.waitFor(async () => expect(await arrived()).toBe(18 * 'slow'.length), PATIENCE);
  expect((await send(creator)).json().code).toBe('UNAVAILABLE');
  expect((await send(other)).json().code).toBe('UNSUPPORTED_TYPE');
  for (const socket of open) socket.destroy();
  await vi.waitFor(async () => expect(await arrived()).toBe(0), PATIENCE);
  expect((await send(creator)).json().code).toBe('UNSUPPORTED_TYPE');
});

test('a form that arrives too slowly is cut off, and a steady one is read', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const [slow, steady] = [await app.signUp('creator'), await app.signUp('creator')];
  const [dropped, steadyForm] = [startForm(slow.cookie), startForm(steady.cookie)];
  try {
    await vi.waitFor(async () => expect(await arrived()).toBe(2 * 'slow'.length), PATIENCE);
    for (let round = 1; round <= 3; round += 1) {
      steadyForm.write(Buffer.alloc(20_000));
      await vi.waitFor(async () => expect(await arrived()).toBeGreaterThanOrEqual(round * 20_000), PATIENCE);
      vi.advanceTimersByTime(15_000);
    }
    await vi.waitFor(() => expect(dropped.closed).toBe(true), PATIENCE);
    expect(steadyForm.closed).toBe(false);
  } finally {
    vi.useRealTimers();
    for (const socket of [dropped, steadyForm]) socket.destroy();
  }
});

test('rate limits count an IPv6 /64 network as one client, and other networks separately', async () => {
  const check = (address: string) =>
    app.inject('GET', '/api/auth/check-email?email=a@example.com', undefined, { 'x-forwarded-for': address });
  const statuses: number[] = [];
  for (let at = 1; at <= 32; at += 1) statuses.push((await check(`2001:db8:1:2::${at.toString(16)}`)).statusCode);
  expect(statuses).toEqual([...Array(30).fill(200), 429, 429]);
  expect((await check('2001:db8:1:2:ffff:1:2:3')).statusCode).toBe(429);
  expect((await check('2001:db8:1:102::1')).statusCode).toBe(200);
  expect((await check('::ffff:192.0.2.1')).statusCode).toBe(200);
  expect((await check('192.0.2.2')).statusCode).toBe(200);
});

test('invented session cookies of one network use a limited part of the database pool, so that others are served', async () => {
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
  const { promise: freed, resolve: free } = Promise.withResolvers<void>();
  const holding = app.owner.transaction(async (tx) => {
    await tx.run({ name: 'test-lock-sessions', text: 'lock table sessions in access exclusive mode' }, []);
    lock();
    await freed;
  });
  try {
    await locked;
    const { pool } = app.ctx.db;
    const stranger = { 'x-forwarded-for': '203.0.113.60' };
    const made = Array.from({ length: 20 }, (_, n) =>
      app.inject('GET', '/api/public/terms', undefined, { ...stranger, cookie: `sid=${String(n).padStart(43, 'x')}` }),
    );
    await vi.waitFor(() => expect(pool.totalCount - pool.idleCount).toBeGreaterThanOrEqual(6), { timeout: 10_000 });
    const served = await app.inject('GET', '/api/public/terms', undefined, { 'x-forwarded-for': '203.0.113.61' });
    expect(served.statusCode, served.body).toBe(200);
    free();
    await holding;
    for (const response of await Promise.all(made)) expect(response.statusCode).toBe(200);
  } finally {
    free();
    await holding;
  }
});
