/** Log-in and log-out, and what failed attempts reveal (rows A4–A6, A9). */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const MINUTE_MS = 60_000;
const WRONG = {
  code: 'VALIDATION',
  message: 'Incorrect username or password.',
  error: [{ field: 'password', message: 'Incorrect username or password.' }],
};
const login = (username: string, password: string, headers: Record<string, string> = {}) =>
  app.inject('POST', '/api/auth/login', { username, password }, headers);
const toCookieHeader = (response: { cookies: { name: string; value: string }[] }) =>
  response.cookies
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ');
const getViewer = (cookie: string) => app.inject('GET', '/api/auth/user', undefined, { cookie });

describe('log-in', () => {
  test('accepts username or e-mail in any case, returns id and type and sets the cookies', async () => {
    const user = await app.signUp('creator', { email: 'Mixed.Case@example.com' });
    for (const name of [user.username, user.username.toUpperCase(), 'mixed.case@EXAMPLE.com', ` ${user.username} `]) {
      const response = await login(name, user.password);
      expect(response.json()).toEqual({ id: user.id, type: 'creator' });
      expect(response.cookies).toEqual([
        {
          name: 'sid',
          value: expect.stringMatching(/^[\w-]{43}$/),
          maxAge: 2_592_000,
          path: '/',
          httpOnly: true,
          sameSite: 'Lax',
        },
        { name: 'loggedIn', value: 'true', maxAge: 2_592_000, path: '/', sameSite: 'Lax' },
        {
          name: 'device',
          value: expect.stringMatching(/^[\w-]{43}$/),
          maxAge: 31_536_000,
          path: '/',
          httpOnly: true,
          sameSite: 'Lax',
        },
      ]);
    }
  });

  test('sets Secure cookies over HTTPS and binds the session cookie to the host', async () => {
    const secure = await createTestApp({ env: { PUBLIC_URL: 'https://stagedoor.example' } });
    try {
      const user = await secure.signUp('customer');
      const body = { username: user.username, password: user.password };
      const response = await secure.inject('POST', '/api/auth/login', body, { origin: 'https://stagedoor.example' });
      const attributes = response.cookies.map(({ name, secure: isSecure, path }) => ({ name, isSecure, path }));
      expect(attributes).toEqual([
        { name: '__Host-sid', isSecure: true, path: '/' },
        { name: 'loggedIn', isSecure: true, path: '/' },
        { name: '__Host-device', isSecure: true, path: '/' },
      ]);
      expect((await user.inject('GET', '/api/auth/user')).statusCode).toBe(200);
    } finally {
      await secure.close();
    }
  });

  test('returns the viewer with a balance in USD and without secrets', async () => {
    const user = await app.signUp('customer', { name: "Zoë <b>O'Hara</b>", avatarKey: 'avatars/1/2' });
    expect((await user.inject('GET', '/api/auth/user')).json()).toEqual({
      id: user.id,
      username: user.username,
      name: "Zoë <b>O'Hara</b>",
      email: user.email,
      type: 'customer',
      avatarUrl: '/media/public/avatars/1/2/384.webp',
      deposit: 0,
      depositRevision: 0,
      isEmailVerified: true,
      isTwoFactorEnabled: false,
    });
  });

  test('never reuses a session token, neither a planted one nor that of the previous session', async () => {
    const user = await app.signUp('customer');
    const planted = 'A'.repeat(43);
    const first = await login(user.username, user.password, { cookie: `sid=${planted}` });
    expect(toCookieHeader(first)).not.toContain(planted);
    expect((await getViewer(`sid=${planted}`)).statusCode).toBe(401);
    const second = await login(user.username, user.password, { cookie: toCookieHeader(first) });
    expect(toCookieHeader(second)).not.toBe(toCookieHeader(first));
    expect((await getViewer(toCookieHeader(second))).statusCode).toBe(200);
    expect((await getViewer(toCookieHeader(first))).statusCode).toBe(401);
  });

  test('grants nothing for the readable cookie alone', async () => {
    expect((await getViewer('loggedIn=true')).json()).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('starts no session for an unverified address', async () => {
    const user = await app.signUp('customer', { isEmailVerified: false });
    const response = await login(user.username, user.password);
    expect(response.json()).toEqual({ isEmailVerificationRequired: true });
    expect(response.cookies).toEqual([]);
    expect((await login(user.username, 'Wrong7!pass')).json()).toEqual(WRONG);
  });

  test('reveals a block only with the right password, and lets existing sessions of the account only log out', async () => {
    const user = await app.signUp('customer');
    await app.ctx.db.query.updateTable('users').set({ is_blocked: true }).where('id', '=', user.id).execute();
    expect((await login(user.username, 'Wrong7!pass')).json()).toEqual(WRONG);
    const response = await login(user.username, user.password);
    expect(response.statusCode).toBe(403);
    expect(response.json().code).toBe('account_blocked');
    expect(response.cookies).toEqual([]);
    expect((await user.inject('GET', '/api/auth/user')).json().code).toBe('account_blocked');
    expect((await user.inject('POST', '/api/auth/logout')).statusCode).toBe(200);
    expect((await user.inject('GET', '/api/auth/user')).json().code).toBe('UNAUTHORIZED');
  });
});

describe('failed log-ins', () => {
  test('return the same body and headers for a wrong password and for an unknown name', async () => {
    const user = await app.signUp('customer');
    const responses = await Promise.all(
      [user.username, user.email, 'nobody.here', 'nobody@example.com', "' or 1=1 --", '<b>%00</b>', 'nobody\u202e'].map(
        (name) => login(name, 'Wrong7!pass'),
      ),
    );
    for (const response of responses) {
      expect(response.statusCode).toBe(400);
      expect(response.json()).toEqual(WRONG);
      expect(Object.keys(response.headers).sort()).toEqual(Object.keys(responses[0]?.headers ?? {}).sort());
    }
  });

  test('take as long for an unknown name as for a wrong password', async () => {
    const user = await app.signUp('customer');
    const measureLogin = async (name: string) => {
      const start = performance.now();
      await login(name, 'Wrong7!pass');
      return performance.now() - start;
    };
    const times: { known: number; unknown: number }[] = [];
    for (let round = 0; round < 7; round += 1) {
      times.push({ known: await measureLogin(user.username), unknown: await measureLogin(`unknown.${round}`) });
    }
    const ratio = times.map(({ known, unknown }) => unknown / known).sort((x, y) => x - y)[3];
    // Without the dummy verification the ratio is about 0.05.
    expect(ratio).toBeGreaterThan(0.25);
    expect(ratio).toBeLessThan(4);
  });

  test.each([
    { username: '', password: 'x' },
    { username: 'x'.repeat(255), password: 'x' },
    { username: 'someone', password: '' },
    { username: 'someone', password: 'x'.repeat(201) },
    { username: ['someone'], password: { length: 3 } },
    { username: 'some\u0000one', password: 'Wrong7!pass' },
    { username: 'someone', password: 'x', code: '12345' },
    null,
    'text',
    [],
  ])('refuse an invalid body before any lookup (case %#)', async (body) => {
    const response = await app.inject('POST', '/api/auth/login', JSON.stringify(body), {
      'content-type': 'application/json',
    });
    expect(response.statusCode).toBe(400);
    expect(response.json().code).toBe('VALIDATION');
  });
});

describe('attempt limits', () => {
  const attempts = (name: () => string, password: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => login(name(), password)));
  const codes = (responses: Awaited<ReturnType<typeof attempts>>) =>
    responses.map((response) => response.json().code).sort();

  test.each(['known', 'unknown'])('allow ten of thirty simultaneous attempts on a %s account', async (kind) => {
    const user = await app.signUp('customer');
    const unknownName = `nobody.${user.username}`.slice(0, 20);
    let attemptIndex = 0;
    const name = () => (kind === 'unknown' ? unknownName : attemptIndex++ % 2 ? user.email : user.email.toUpperCase());
    const responses = await attempts(name, 'Wrong7!pass', 30);
    expect(codes(responses)).toEqual([...Array(20).fill('RATE_LIMITED'), ...Array(10).fill('VALIDATION')]);
    const refused = await login(name(), user.password);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBe(15 * 60);
    app.clock.advance(15 * MINUTE_MS);
    expect((await login(name(), 'Wrong7!pass')).json()).toEqual(WRONG);
    if (kind === 'known') expect((await login(name(), user.password)).json()).toMatchObject({ id: user.id });
  });

  test('are reset by the right password', async () => {
    const user = await app.signUp('customer');
    for (let round = 0; round < 3; round += 1) {
      expect(codes(await attempts(() => user.username, 'Wrong7!pass', 9))).toEqual(Array(9).fill('VALIDATION'));
      expect((await login(user.username, user.password)).statusCode).toBe(200);
    }
  });

  test('allow sixty sensitive calls a minute for a shared address and ten for a session', async () => {
    const strict = await createTestApp({ env: { RATE_LIMIT_FACTOR: '1' } });
    try {
      const statuses: number[] = [];
      for (let call = 0; call < 62; call += 1) {
        const path = `/api/auth/check-email?email=a${call}@example.com`;
        statuses.push((await strict.inject('GET', path)).statusCode);
      }
      expect(statuses).toEqual([...Array(60).fill(200), 429, 429]);
      const fan = await strict.signUp('customer');
      const own: number[] = [];
      for (let call = 0; call < 11; call += 1)
        own.push((await fan.inject('GET', `/api/auth/check-email?email=b${call}@example.com`)).statusCode);
      expect(own).toEqual([...Array(10).fill(200), 429]);
    } finally {
      await strict.close();
    }
  });
});

describe('log-out', () => {
  afterEach(() => vi.restoreAllMocks());

  test('ends the session at once, closes its sockets and clears both cookies', async () => {
    const user: TestUser = await app.signUp('customer');
    await user.inject('GET', '/api/auth/user');
    const [session] = (await user.inject('GET', '/api/auth/sessions')).json().data;
    const disconnect = vi.spyOn(app.ctx.realtime, 'disconnect');
    const response = await user.inject('POST', '/api/auth/logout');
    expect(response.json()).toEqual({ info: 'You’re logged out.' });
    expect(response.cookies.map(({ name, value, path, expires }) => ({ name, value, path, expires }))).toEqual([
      { name: 'sid', value: '', path: '/', expires: new Date(0) },
      { name: 'loggedIn', value: '', path: '/', expires: new Date(0) },
    ]);
    expect(disconnect).toHaveBeenCalledWith({ sessionIds: [session.id] });
    expect((await user.inject('GET', '/api/auth/user')).statusCode).toBe(401);
  });

  test('returns the same response when repeated or without a session', async () => {
    const user = await app.signUp('customer');
    await user.inject('POST', '/api/auth/logout');
    for (const response of [
      await user.inject('POST', '/api/auth/logout'),
      await app.inject('POST', '/api/auth/logout'),
    ]) {
      expect(response.statusCode).toBe(200);
      expect(response.cookies).toHaveLength(2);
    }
  });

  test('refuses requests from another site, and so does log-in', async () => {
    const user = await app.signUp('customer');
    const foreign = { origin: 'https://evil.example' };
    expect((await user.inject('POST', '/api/auth/logout', undefined, foreign)).json().code).toBe('FORBIDDEN');
    expect((await login(user.username, user.password, foreign)).json().code).toBe('FORBIDDEN');
    const sibling = { 'sec-fetch-site': 'same-site' };
    expect((await login(user.username, user.password, sibling)).json().code).toBe('FORBIDDEN');
    expect((await user.inject('GET', '/api/auth/user')).statusCode).toBe(200);
  });
});
