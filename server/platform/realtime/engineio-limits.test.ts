import { EventEmitter } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { createTestApp } from '../../testing/app.ts';
import { createTestClock } from '../clock.ts';
import { createRateLimits } from '../limits/rate-limit.ts';
import { createEngineIoLimits } from './engineio-limits.ts';

afterEach(() => void vi.useRealTimers());

class FakeEngine extends EventEmitter {
  readonly request: IncomingMessage;
  isClosed = false;
  constructor(request: IncomingMessage) {
    super();
    this.request = request;
  }
  close(): void {
    this.emit('close');
  }
}

function open(rateFactor = 1) {
  const clock = createTestClock(new Date());
  const engines = createEngineIoLimits<FakeEngine>({
    ...{ clock, limits: createRateLimits(clock, undefined, rateFactor), rateFactor },
    getNetwork: ({ headers }) => headers.from ?? '',
    findAccount: async ({ headers }) => headers.authorization,
    closeEngine: (connection) => {
      connection.isClosed = true;
      connection.close();
    },
  });
  const tryConnect = async (from: string, account?: string) => {
    const request = new IncomingMessage(new Socket());
    request.headers = { from, ...(account !== undefined && { authorization: account }) };
    if (!(await engines.tryOpen(request))) return undefined;
    return new FakeEngine(request);
  };
  const connect = async (from: string, account?: string) => {
    const connection = await tryConnect(from, account);
    if (connection) {
      engines.track(connection);
      engines.markAdmitted(connection);
    }
    return connection;
  };
  const fill = async (count: number, from: string, account?: string) => {
    const made: FakeEngine[] = [];
    for (let n = 0; n < count; n += 1) {
      const connection = await connect(from, account);
      if (!connection) break;
      made.push(connection);
    }
    return made;
  };
  return { clock, engines, tryConnect, connect, fill };
}

test('open connections are limited per account and, for anonymous clients, per network until one closes', async () => {
  const { connect, fill, clock } = open();
  const account = await fill(1_000, 'home', 'ada');
  expect(account.length).toBe(400);
  expect(await connect('abroad', 'ada')).toBeUndefined();
  expect(await connect('home', 'eva')).toBeDefined();
  const anonymous = await fill(1_000, 'home');
  expect(anonymous.length).toBe(250);
  expect(await connect('home')).toBeUndefined();
  expect(await connect('home', 'eva')).toBeDefined();
  expect(await connect('elsewhere')).toBeDefined();
  clock.advance(60_000);
  for (const connection of [...anonymous, ...account]) {
    connection.close();
    connection.close();
  }
  expect((await fill(1_000, 'home', 'ada')).length).toBe(400);
  clock.advance(60_000);
  expect((await fill(1_000, 'home')).length).toBe(250);
});

test('limits shrink with the remaining capacity, and accounts still connect when anonymous clients cannot', async () => {
  const { clock, connect, fill } = open();
  for (let n = 0; n < 60; n += 1) {
    await fill(1_000, `network ${n}`);
    clock.advance(60_000);
  }
  expect((await fill(1_000, 'late')).length).toBeGreaterThan(80);
  for (let n = 0; n < 2_000; n += 1) {
    await fill(1_000, `other ${n}`);
    clock.advance(60_000);
  }
  for (let n = 0; n < 200; n += 1) await connect(`last ${n}`);
  expect(await connect('another')).toBeUndefined();
  expect((await fill(100, 'another', 'ada')).length).toBeGreaterThan(20);
});

test('new connections per minute are limited per network and for all anonymous clients without affecting accounts', async () => {
  const { connect, clock } = open();
  const countOpened = async (count: number, from: (n: number) => string) => {
    let made = 0;
    for (let n = 0; n < count; n += 1) {
      const connection = await connect(from(n));
      connection?.close();
      if (connection) made += 1;
    }
    return made;
  };
  expect(await countOpened(2_100, () => 'home')).toBe(2_000);
  clock.advance(60_000);
  expect(await countOpened(45_000, (n) => `network ${n % 100}`)).toBe(32_000);
  expect(await connect('home', 'ada')).toBeDefined();
});

test('the slot of a connection that never opens is released, and one without a socket in time is closed', async () => {
  vi.useFakeTimers();
  const { tryConnect, engines } = open(0.001);
  const never = await tryConnect('home');
  expect(never).toBeDefined();
  expect(await tryConnect('home')).toBeUndefined();
  vi.advanceTimersByTime(15_000);
  const silent = await tryConnect('home');
  if (!silent) throw new Error('its slot was not released');
  engines.track(silent);
  expect(await tryConnect('home')).toBeUndefined();
  vi.advanceTimersByTime(15_000);
  expect(silent.isClosed).toBe(true);
});

test('an admitted connection stays open, and one that was not allowed is closed', async () => {
  vi.useFakeTimers();
  const { engines, connect } = open();
  const stays = await connect('home');
  vi.advanceTimersByTime(60_000);
  expect(stays?.isClosed).toBe(false);
  const unknown = new FakeEngine(new IncomingMessage(new Socket()));
  engines.track(unknown);
  expect(unknown.isClosed).toBe(true);
});

test('polling is counted per client behind the proxy, and cross-site connections are refused and logged', async () => {
  const app = await createTestApp({ env: { RATE_LIMIT_FACTOR: '0.012', TRUST_PROXY: '127.0.0.1' } });
  try {
    await app.app.start();
    const port = Number(new URL(await app.app.http.listen({ port: 0, host: '127.0.0.1' })).port);
    const poll = async (headers: Record<string, string>) =>
      (await fetch(`http://127.0.0.1:${port}/socket.io/?EIO=4&transport=polling`, { headers })).status;
    const pollMany = async (headers: Record<string, string>, count: number) => {
      const statuses: number[] = [];
      for (let n = 0; n < count; n += 1) statuses.push(await poll(headers));
      return statuses;
    };
    const home = { 'x-forwarded-for': '2a02:1000:0:1::1' };
    expect(await pollMany(home, 4)).toEqual([200, 200, 200, 403]);
    expect(await poll({ 'x-forwarded-for': '2a02:1000:0:ff::1' })).toBe(403);
    expect(await poll({ 'x-forwarded-for': '2a02:1000:0:100::1' })).toBe(200);
    const fan = await app.signUp('customer');
    expect(await pollMany({ ...home, cookie: fan.cookie }, 6)).toEqual([...Array(5).fill(200), 403]);
    const other = await app.signUp('customer');
    expect(await poll({ ...home, cookie: other.cookie })).toBe(200);

    const crossSite = { origin: 'https://evil.example', 'x-forwarded-for': '198.51.100.7' };
    expect(await poll(crossSite)).toBe(403);
    await app.ctx.security.flush();
    const { rows } = await app.owner.pool.query('select kind, network, detail from security_log');
    expect(rows).toEqual([{ kind: 'originRefused', network: '198.51.100.7', detail: 'socket' }]);
  } finally {
    await app.close();
  }
});
