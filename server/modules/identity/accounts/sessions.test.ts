import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { toDeviceLabel } from './device-label.ts';
import { createSession, purgeExpired } from './sessions.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36';

test.each([
  [MAC, 'Chrome on macOS'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130.0 Safari/537.36 Edg/130.0', 'Edge on Windows'],
  [
    'Mozilla/5.0 (Linux; Android 14) SamsungBrowser/26.0 Chrome/122.0 Mobile Safari/537.36',
    'Samsung Internet on Android',
  ],
  ['<script>alert(1)</script>', 'Unknown device'],
  [undefined, 'Unknown device'],
])('the device of %s is %s', (header, device) => {
  expect(toDeviceLabel(header)).toBe(device);
});

test('an extremely long User-Agent is not parsed to its end', () => {
  expect(toDeviceLabel(`${'a'.repeat(100_000)} Chrome/1`)).toBe('Unknown device');
});

async function login(user: { username: string; password: string }, headers: Record<string, string> = {}) {
  const { username, password } = user;
  const response = await app.inject('POST', '/api/auth/login', { username, password }, headers);
  const cookie = response.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  return { get: () => app.inject('GET', '/api/auth/user', undefined, { cookie }), cookie };
}

test('a session ends 30 days after it was last used', async () => {
  const user = await app.signUp('customer');
  for (let month = 0; month < 2; month += 1) {
    app.clock.advance(30 * DAY_MS - 1);
    expect((await user.inject('GET', '/api/auth/user')).statusCode).toBe(200);
  }
  app.clock.advance(30 * DAY_MS);
  expect((await user.inject('GET', '/api/auth/user')).statusCode).toBe(401);
});

test('a session ends 90 days after it began, however much it is used', async () => {
  const user = await app.signUp('customer');
  for (let day = 10; day < 90; day += 10) {
    app.clock.advance(10 * DAY_MS);
    expect((await user.inject('GET', '/api/auth/user')).statusCode).toBe(200);
  }
  app.clock.advance(10 * DAY_MS);
  expect((await user.inject('GET', '/api/auth/user')).statusCode).toBe(401);
});

test('cookies are renewed from one day after log-in while the session is used', async () => {
  const user = await app.signUp('customer');
  expect((await user.inject('GET', '/api/auth/user')).cookies).toEqual([]);
  app.clock.advance(DAY_MS);
  const renewed = (await user.inject('GET', '/api/auth/user')).cookies;
  expect(renewed.map(({ name, maxAge }) => ({ name, maxAge }))).toEqual([
    { name: 'sid', maxAge: 2_592_000 },
    { name: 'loggedIn', maxAge: 2_592_000 },
  ]);
  expect(user.cookie).toContain(`sid=${renewed[0]?.value}`);
});

test('the last-seen time is written at most every five minutes', async () => {
  const user = await app.signUp('customer');
  const readLastSeen = async () => (await user.inject('GET', '/api/auth/sessions')).json().data[0].lastSeenAt;
  const first = await readLastSeen();
  app.clock.advance(5 * MINUTE_MS - 1);
  expect(await readLastSeen()).toBe(first);
  // A session is also cached for five seconds.
  app.clock.advance(5_001);
  expect(await readLastSeen()).toBe(app.clock.now().toISOString());
});

test('the session list shows device, display mode and the current session, and none of other users', async () => {
  const user = await app.signUp('customer');
  await app.signUp('customer');
  app.clock.advance(1000);
  await login(user, { 'user-agent': MAC, 'x-display-mode': 'standalone' });
  const { data } = (await user.inject('GET', '/api/auth/sessions')).json();
  expect(data).toEqual([
    {
      id: expect.any(String),
      device: 'Chrome on macOS',
      displayMode: 'standalone',
      createdAt: app.clock.now().toISOString(),
      lastSeenAt: app.clock.now().toISOString(),
      isCurrent: false,
    },
    expect.objectContaining({ device: 'Test', displayMode: 'browser', isCurrent: true }),
  ]);
});

test('an unknown display mode counts as browser', async () => {
  const user = await app.signUp('customer');
  await login(user, { 'x-display-mode': '<script>' });
  const { data } = (await user.inject('GET', '/api/auth/sessions')).json();
  expect(data.map(({ displayMode }: { displayMode: string }) => displayMode)).toEqual(['browser', 'browser']);
});

test('a session can be ended by its owner only', async () => {
  const user = await app.signUp('customer');
  const stranger = await app.signUp('customer');
  const other = await login(user);
  expect((await other.get()).statusCode).toBe(200);
  const { data } = (await user.inject('GET', '/api/auth/sessions')).json();
  const { id } = data.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
  for (const attempt of [id, 'not-an-id', "' or true --", '00000000-0000-7000-8000-000000000000']) {
    const response = await stranger.inject('DELETE', `/api/auth/sessions/${encodeURIComponent(attempt)}`);
    expect(response.json()).toEqual({ code: 'NOT_FOUND', message: 'Not found.' });
  }
  expect((await other.get()).statusCode).toBe(200);
  const disconnect = vi.spyOn(app.ctx.realtime, 'disconnect');
  expect((await user.inject('DELETE', `/api/auth/sessions/${id}`)).statusCode).toBe(200);
  expect(disconnect).toHaveBeenCalledWith({ sessionIds: [id] });
  expect((await other.get()).statusCode).toBe(401);
  expect((await user.inject('DELETE', `/api/auth/sessions/${id}`)).statusCode).toBe(404);
  expect((await user.inject('GET', '/api/auth/user')).statusCode).toBe(200);
});

test('ending the current session clears the cookies', async () => {
  const user = await app.signUp('customer');
  const [{ id }] = (await user.inject('GET', '/api/auth/sessions')).json().data;
  expect((await user.inject('DELETE', `/api/auth/sessions/${id}`)).cookies).toHaveLength(2);
  expect((await user.inject('GET', '/api/auth/user')).statusCode).toBe(401);
});

test('all other sessions are ended at once', async () => {
  const user = await app.signUp('customer');
  const others = await Promise.all([login(user), login(user), login(user)]);
  for (const other of others) expect((await other.get()).statusCode).toBe(200);
  expect((await user.inject('POST', '/api/auth/sessions/revoke-others')).statusCode).toBe(200);
  for (const other of others) expect((await other.get()).statusCode).toBe(401);
  expect((await user.inject('GET', '/api/auth/sessions')).json().data).toHaveLength(1);
});

test('an account retains the fifty most recently used sessions', async () => {
  const user = await app.signUp('customer');
  const tokens: string[] = [];
  for (let index = 0; index < 51; index += 1) {
    app.clock.advance(1000);
    tokens.push((await createSession(app.ctx, app.ctx.db, user.id, { device: 'Test', displayMode: 'browser' })).token);
  }
  const readStatus = async (token: string | undefined) =>
    (await app.inject('GET', '/api/auth/user', undefined, { cookie: `sid=${token}` })).statusCode;
  expect((await user.inject('GET', '/api/auth/user')).statusCode).toBe(401);
  expect([await readStatus(tokens[0]), await readStatus(tokens[1]), await readStatus(tokens[50])]).toEqual([
    401, 200, 200,
  ]);
});

test('the purge removes expired rows only', async () => {
  const user = await app.signUp('customer');
  const count = async () => {
    const { rows } = await app.ctx.db.pool.query(
      'select (select count(*) from sessions) as sessions, (select count(*) from mail_tokens) as tokens, (select count(*) from login_attempts) as login_attempts',
    );
    return rows[0];
  };
  await app.inject('POST', '/api/auth/login', { username: 'nobody', password: 'x' });
  await app.inject('POST', '/api/auth/forgot-password', { email: user.email });
  await app.ctx.events.waitUntilIdle();
  const before = await count();
  expect(before.tokens).toBe(1);
  expect(before.login_attempts).toBeGreaterThan(0);
  app.clock.advance(60 * MINUTE_MS);
  await purgeExpired(app.ctx);
  const after = await count();
  expect(after).toMatchObject({ tokens: 0, login_attempts: 0 });
  expect(after.sessions).toBeGreaterThan(0);
  expect((await user.inject('GET', '/api/auth/user')).statusCode).toBe(200);
  app.clock.advance(31 * DAY_MS);
  await purgeExpired(app.ctx);
  expect(await count()).toEqual({ sessions: 0, tokens: 0, login_attempts: 0 });
});
