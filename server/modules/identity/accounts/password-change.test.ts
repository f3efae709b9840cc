/** Forgotten, reset and changed passwords (row A7). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { waitForBlockedQueries } from '../../../testing/locks.ts';
import { countMail, getMailedToken, listMailedLinks } from './testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const MINUTE_MS = 60_000;
const NEW = 'Overture9&act';
const login = (username: string, password: string) => app.inject('POST', '/api/auth/login', { username, password });
const forgot = async (email: string) => {
  const response = await app.inject('POST', '/api/auth/forgot-password', { email });
  await app.ctx.events.waitUntilIdle();
  return response;
};
const reset = (token: string, newPassword = NEW) =>
  app.inject('POST', '/api/auth/reset-password', { token, newPassword });
const change = (user: { inject: TestApp['inject'] }, body: unknown) =>
  user.inject('POST', '/api/customer/profile-pass-change', body as object);

describe('a password reset', () => {
  test('returns the same response for known, unknown and hostile addresses, and mails only the known one', async () => {
    const user = await app.signUp('customer');
    const known = await forgot(user.email.toUpperCase());
    const unknown = await forgot('nobody@example.com');
    expect(unknown.statusCode).toBe(200);
    expect(unknown.json()).toEqual(known.json());
    expect(Object.keys(unknown.headers)).toEqual(Object.keys(known.headers));
    expect(await countMail(app.ctx, user.email)).toBe(1);
    expect(await countMail(app.ctx, 'nobody@example.com')).toBe(0);
    const [resetDevice] = await listMailedLinks(app.ctx, user.email);
    expect(resetDevice).toMatch(/^http:\/\/localhost:3000\/forgot-password\?token=[\w-]{43}$/);
    await forgot(user.email);
    expect(await countMail(app.ctx, user.email)).toBe(1);
  });

  test('sends one mail when it is requested many times at once', async () => {
    const user = await app.signUp('customer');
    const requestReset = () => app.inject('POST', '/api/auth/forgot-password', { email: user.email });
    await Promise.all(Array.from({ length: 6 }, requestReset));
    await app.ctx.events.waitUntilIdle();
    expect(await countMail(app.ctx, user.email)).toBe(1);
  });

  test('sets a new password once, ends every session and confirms the address', async () => {
    const user = await app.signUp('customer', { isEmailVerified: false });
    expect((await user.inject('GET', '/api/auth/user')).statusCode).toBe(200);
    await forgot(user.email);
    const token = await getMailedToken(app.ctx, user.email);
    const responses = await Promise.all([reset(token), reset(token, 'Encore11&bow')]);
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404]);
    expect((await reset(token)).json().code).toBe('NOT_FOUND');
    expect((await user.inject('GET', '/api/auth/user')).statusCode).toBe(401);
    expect((await login(user.username, user.password)).json().message).toBe('Incorrect username or password.');
    const winner = responses[0]?.statusCode === 200 ? NEW : 'Encore11&bow';
    expect((await login(user.username, winner)).json()).toEqual({ id: user.id, type: 'customer' });
    expect(await listMailedLinks(app.ctx, user.email, 'Your password was changed')).toHaveLength(1);
  });

  test('works for one hour', async () => {
    const user = await app.signUp('customer');
    await forgot(user.email);
    const token = await getMailedToken(app.ctx, user.email);
    app.clock.advance(60 * MINUTE_MS);
    expect((await reset(token)).json()).toMatchObject({ code: 'NOT_FOUND' });
    expect((await login(user.username, user.password)).statusCode).toBe(200);
  });

  test('invalidates all earlier links once one was used', async () => {
    const user = await app.signUp('customer');
    await forgot(user.email);
    const first = await getMailedToken(app.ctx, user.email);
    app.clock.advance(2 * MINUTE_MS);
    await forgot(user.email);
    const second = await getMailedToken(app.ctx, user.email);
    expect(second).not.toBe(first);
    expect((await reset(second)).statusCode).toBe(200);
    expect((await reset(first)).statusCode).toBe(404);
  });

  test('leaves the link valid after a weak password was refused', async () => {
    const user = await app.signUp('customer');
    await forgot(user.email);
    const token = await getMailedToken(app.ctx, user.email);
    expect((await reset(token, 'short')).json().error[0].field).toBe('newPassword');
    expect((await reset(token, 'Welcome123')).json().error).toEqual([
      { field: 'newPassword', message: 'This password is too common. Choose a different one.' },
    ]);
    expect((await reset(token)).statusCode).toBe(200);
  });

  test('unlocks an account that was locked by guesses', async () => {
    const user = await app.signUp('customer');
    await Promise.all(Array.from({ length: 10 }, () => login(user.username, 'Wrong7!pass')));
    expect((await login(user.username, user.password)).statusCode).toBe(429);
    await forgot(user.email);
    await reset(await getMailedToken(app.ctx, user.email));
    expect((await login(user.username, NEW)).statusCode).toBe(200);
  });

  test('ends a log-in that was in progress with the old password', async () => {
    const user = await app.signUp('customer');
    await forgot(user.email);
    const token = await getMailedToken(app.ctx, user.email);
    const [, ...logins] = await Promise.all([
      reset(token),
      ...Array.from({ length: 4 }, () => login(user.username, user.password)),
    ]);
    for (const response of logins) {
      const sid = response.cookies.find(({ name }) => name === 'sid')?.value;
      const after = await app.inject('GET', '/api/auth/user', undefined, { cookie: `sid=${sid}` });
      expect(after.statusCode).toBe(401);
    }
  });
});

describe('a password change', () => {
  test('refuses a concurrent log-in with the old password', async () => {
    const { id, username, password } = await app.signUp('customer');
    const blockingClient = await app.owner.pool.connect();
    try {
      await blockingClient.query('begin');
      await blockingClient.query('select from users where id = $1 for update', [id]);
      const loginPromise = login(username, password);
      await waitForBlockedQueries(app);
      await blockingClient.query(`update users set password_hash = 'another' where id = $1`, [id]);
      await blockingClient.query('commit');
      const response = await loginPromise;
      expect([response.statusCode, response.json().error?.[0]?.field]).toEqual([400, 'password']);
    } finally {
      blockingClient.release();
    }
  });

  test('ends the other sessions but not the current one when the current password is given', async () => {
    const user = await app.signUp('creator');
    app.clock.advance(60 * MINUTE_MS);
    const other = (await login(user.username, user.password)).cookies.map(({ name, value }) => `${name}=${value}`);
    const response = await change(user, { newPassword: NEW, currentPassword: user.password });
    expect(response.json()).toEqual({ info: expect.any(String) });
    expect((await user.inject('GET', '/api/auth/user')).statusCode).toBe(200);
    const otherNow = await app.inject('GET', '/api/auth/user', undefined, { cookie: other.join('; ') });
    expect(otherNow.statusCode).toBe(401);
    expect((await login(user.username, NEW)).statusCode).toBe(200);
    expect(await listMailedLinks(app.ctx, user.email, 'Your password was changed')).toHaveLength(1);
  });

  test('needs the current password even right after the log-in', async () => {
    const user = await app.logIn(await app.signUp('customer'));
    const refused = await change(user, { newPassword: NEW });
    expect(refused.json()).toMatchObject({ code: 'FORBIDDEN', message: 'Enter your current password.' });
    expect((await login(user.username, user.password)).statusCode).toBe(200);
  });

  test('works with the new password alone for 5 minutes after a proof of identity in the same session', async () => {
    const user = await app.signUp('customer');
    const otherDevice = await app.logIn(user);
    const prove = (currentPassword: string) => user.inject('POST', '/api/auth/prove-identity', { currentPassword });
    expect((await prove('Wrong7!pass')).json().error[0].field).toBe('currentPassword');
    expect((await change(user, { newPassword: NEW })).json().code).toBe('FORBIDDEN');
    expect((await prove(user.password)).json()).toEqual({ info: expect.any(String) });
    expect((await change(otherDevice, { newPassword: NEW })).json().code).toBe('FORBIDDEN');
    app.clock.advance(5 * MINUTE_MS + 1);
    expect((await change(user, { newPassword: NEW })).json().code).toBe('FORBIDDEN');
    await prove(user.password);
    app.clock.advance(5 * MINUTE_MS);
    expect((await change(user, { newPassword: NEW })).statusCode).toBe(200);
    expect((await login(user.username, NEW)).statusCode).toBe(200);
  });

  test('reports a wrong current password on its field and counts it as an attempt', async () => {
    const user = await app.signUp('customer');
    const attempt = () => change(user, { newPassword: NEW, currentPassword: 'Wrong7!pass' });
    const responses = await Promise.all(Array.from({ length: 12 }, attempt));
    const codes = responses.map((response) => response.json().code).sort();
    expect(codes).toEqual(['RATE_LIMITED', 'RATE_LIMITED', ...Array(10).fill('VALIDATION')]);
    const refused = responses.find(({ statusCode }) => statusCode === 400);
    expect(refused?.json().error).toEqual([{ field: 'currentPassword', message: 'Incorrect password.' }]);
    expect((await login(user.username, user.password)).statusCode).toBe(200);
  });

  test('refuses an empty or weak new password', async () => {
    const user = await app.signUp('customer');
    for (const newPassword of ['', undefined, 'Qwerty123!', `${user.username}!A`, { $gt: '' }]) {
      const response = await change(user, { newPassword, currentPassword: user.password });
      expect(response.json().error[0].field).toBe('newPassword');
    }
    expect((await change(user, { newPassword: NEW, currentPassword: '' })).json().error[0].field).toBe(
      'currentPassword',
    );
  });

  test('leaves only its own browser known, and log-ins from forgotten browsers are mailed to the owner', async () => {
    const user = await app.signUp('customer');
    const readDeviceCookie = (response: { cookies: { name: string; value: string }[] }) =>
      response.cookies.find(({ name }) => name === 'device')?.value ?? '';
    const loginFrom = async (device: string, password: string) => {
      const headers = { cookie: `device=${device}` };
      return readDeviceCookie(
        await app.inject('POST', '/api/auth/login', { username: user.username, password }, headers),
      );
    };
    const listNewDeviceMails = async () => {
      const subject = 'New login to your account';
      const mails = app.ctx.db.query.selectFrom('development_mail').select('body').where('recipient', '=', user.email);
      return (await mails.where('subject', '=', subject).execute()).map(({ body }) => body);
    };
    const ownDevice = await loginFrom('', user.password);
    const strangerDevice = await loginFrom('', user.password);
    expect(await listNewDeviceMails()).toEqual([
      expect.stringMatching(/ UTC there was a new login[\s\S]*\/forgot-password\n/),
    ]);
    const body = { newPassword: NEW, currentPassword: user.password };
    const headers = { cookie: `${user.cookie}; device=${ownDevice}` };
    const changed = await app.inject('POST', '/api/customer/profile-pass-change', body, headers);
    expect([changed.statusCode, readDeviceCookie(changed)]).toEqual([200, ownDevice]);
    await loginFrom(ownDevice, NEW);
    expect(await listNewDeviceMails()).toHaveLength(1);
    await loginFrom(strangerDevice, NEW);
    expect(await listNewDeviceMails()).toHaveLength(2);
    await forgot(user.email);
    const resetDevice = readDeviceCookie(await reset(await getMailedToken(app.ctx, user.email), 'Encore11&bow'));
    await loginFrom(resetDevice, 'Encore11&bow');
    expect(await listNewDeviceMails()).toHaveLength(2);
    await loginFrom(ownDevice, 'Encore11&bow');
    expect(await listNewDeviceMails()).toHaveLength(3);
  });

  test('succeeds once when two run at the same time, and the other is refused', async () => {
    const user = await app.signUp('customer');
    const responses = await Promise.all([
      change(user, { newPassword: NEW, currentPassword: user.password }),
      change(user, { newPassword: 'Encore11&bow', currentPassword: user.password }),
    ]);
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403]);
  });
});

describe('the well-known address for password managers', () => {
  test.each([
    ['customer', '/fan/profile#password'],
    ['creator', '/creator/profile/settings#password'],
  ] as const)('leads a %s to %s', async (type, address) => {
    const { headers, statusCode } = await (await app.signUp(type)).inject('GET', '/.well-known/change-password');
    expect([statusCode, headers.location]).toEqual([302, address]);
  });

  test('leads visitors to the log-in and back', async () => {
    const { headers } = await app.inject('GET', '/.well-known/change-password');
    expect(headers.location).toBe('/login?next=%2F.well-known%2Fchange-password');
  });
});
