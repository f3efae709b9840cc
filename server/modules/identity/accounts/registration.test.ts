/** Sign-up and e-mail confirmation (rows A1–A3, V1–V4). */
import { PASSWORD_RULE, PASSWORD_TOO_SHORT } from '@stagedoor/contract/identity/accounts.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { countMail, getMailedToken, listMailedLinks } from './testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const PASSWORD = 'Curtain7!call';
const HOUR_MS = 60 * 60_000;
let count = 0;

function createRegistration(overrides: Record<string, unknown> = {}) {
  count += 1;
  const username = `person${count}`;
  return { username, email: `${username}@example.com`, password: PASSWORD, accountType: 'customer', ...overrides };
}
const register = (overrides: Record<string, unknown> = {}, path = '/api/customer/register') =>
  app.inject('POST', path, createRegistration(overrides));

describe('sign-up', () => {
  test('creates a fan account that waits for confirmation and starts no session', async () => {
    const body = createRegistration({ isGiveConsent: true, referralCode: 'abc' });
    const response = await app.inject('POST', '/api/customer/register', body);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      username: body.username,
      email: body.email,
      info: expect.any(String),
    });
    expect(response.headers['set-cookie']).toBeUndefined();
    const user = await app.ctx.db.query
      .selectFrom('users')
      .selectAll()
      .where('username', '=', body.username)
      .executeTakeFirstOrThrow();
    expect(user).toMatchObject({
      type: 'customer',
      name: body.username,
      referral_code: 'abc',
      email_verified_at: null,
    });
    expect(user.consented_at).toEqual(app.clock.now());
    expect(user.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const links = await listMailedLinks(app.ctx, body.email);
    expect(links).toEqual([expect.stringMatching(/^http:\/\/localhost:3000\/confirm-mail\?token=[\w-]{43}$/)]);
    const stored = await app.ctx.db.query.selectFrom('mail_tokens').select('token_hash').execute();
    const token = await getMailedToken(app.ctx, body.email);
    expect(stored.some(({ token_hash }) => token_hash.toString().includes(token))).toBe(false);
  });

  test('creates a creator with a profile and notifies other modules', async () => {
    const createdEvents: unknown[] = [];
    app.ctx.events.addBroadcastHandler(
      'account.created',
      'test.created',
      () => 'test',
      ({ payload }) => void createdEvents.push(payload),
    );
    const body = createRegistration({ accountType: 'creator' });
    const { id } = (await app.inject('POST', '/api/auth/register', body)).json();
    const creator = await app.ctx.db.query
      .selectFrom('creators')
      .select('search_text')
      .where('user_id', '=', id)
      .executeTakeFirst();
    expect(creator?.search_text).toContain(body.username);
    await app.ctx.events.waitUntilIdle();
    expect(createdEvents).toContainEqual({ userId: id, type: 'creator', username: body.username, referralCode: null });
  });

  test.each([
    ['/api/customer/register', 'creator'],
    ['/api/auth/register', 'customer'],
    ['/api/customer/register', 'operator'],
    ['/api/auth/register', 'operator'],
    ['/api/auth/register', undefined],
  ])('at %s refuses the account type %s', async (path, accountType) => {
    const response = await register({ accountType }, path);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({
      code: 'VALIDATION',
      message: 'Please select account type',
      error: [{ field: 'accountType', message: 'Please select account type' }],
    });
  });

  test.each([
    ['email', '', 'Please enter email'],
    ['email', undefined, 'Please enter email'],
    ['email', 'nobody', 'Invalid email'],
    ['email', `${'a'.repeat(260)}@example.com`, 'Invalid email'],
    ['email', { $ne: null }, 'Please enter email'],
    ['username', '', 'Cannot be empty'],
    ['username', ['array1'], 'Cannot be empty'],
    ['username', 'short', 'Please provide a valid username.'],
    ['username', 'x'.repeat(100_000), 'Please provide a valid username.'],
    ['username', "a'; drop table users; --", 'Please provide a valid username.'],
    ['username', '<script>alert(1)</script>', 'Please provide a valid username.'],
    ['password', 'Short1!', PASSWORD_TOO_SHORT],
    ['password', 12345678, PASSWORD_TOO_SHORT],
    ['password', 'alllowercase1', PASSWORD_RULE],
    ['password', 'Has spaces 1!', PASSWORD_RULE],
    ['password', `Aa1${'x'.repeat(198)}`, 'Password must be at most 200 characters long'],
    ['password', 'Password1!', 'This password is too common. Choose a different one.'],
    ['password', 'P@ssw0rd', 'This password is too common. Choose a different one.'],
    ['referralCode', 'x'.repeat(41), 'At most 40 characters'],
    ['referralCode', 'a\u0000b', 'This contains unsupported characters'],
    ['referralCode', '\ud800', 'This contains unsupported characters'],
  ])('refuses a bad %s with the exact message (case %#)', async (field, value, message) => {
    const response = await register({ [field]: value });
    expect(response.json()).toEqual({ code: 'VALIDATION', message, error: [{ field, message }] });
  });

  test('reports every invalid field at once', async () => {
    const response = await app.inject('POST', '/api/customer/register', {});
    const fields = response.json().error.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(['username', 'email', 'password', 'accountType']);
  });

  test('refuses a password that is the user’s own name or address', async () => {
    const response = await register({ username: 'barnaby.rudge', email: 'dolly@example.com', password: 'Dolly1234!' });
    expect(response.json().error).toEqual([
      { field: 'password', message: 'Your password can’t be your username or email.' },
    ]);
  });

  test.each([
    'helpful',
    'admina.kovac',
    'team.sport',
    'supporter',
    'the.helper',
    'badminton',
    'ada.official',
    'systemic',
  ])('accepts the username %s, which does not suggest staff', async (username) => {
    expect((await app.inject('GET', `/api/auth/check-username?username=${username}`)).json()).toEqual({
      isTaken: false,
    });
  });

  test.each([
    ...['stagedoor', 'Stage.D00r_help', 'the.support', 'Adrnin.istrator', 'official.admin12', 'he1p.desk'],
    ...['admin.help', 'support_admin', 'the.help.desk.team', 'official', 'official.team', 'demo.admin2', 'admin.ada'],
    ...['official2', 'refunds_24'],
    ...[
      'demoadmin',
      'ada_m0derator',
      'sys.adm1n',
      'maya.support',
      'st4ff.staff',
      'security',
      'trust.and.safety',
      'payouts.team',
    ],
  ])('refuses the username %s, which suggests staff', async (username) => {
    expect((await app.inject('GET', `/api/auth/check-username?username=${username}`)).json()).toEqual({
      isTaken: true,
    });
    expect((await register({ username })).json().error).toEqual([
      { field: 'username', message: 'This username is taken.' },
    ]);
  });

  test('refuses taken names in any case and reports username and e-mail together', async () => {
    const body = createRegistration();
    expect((await app.inject('POST', '/api/customer/register', body)).statusCode).toBe(200);
    const sameNames = { ...body, username: body.username.toUpperCase(), email: body.email.toUpperCase() };
    const response = await app.inject('POST', '/api/auth/register', { ...sameNames, accountType: 'creator' });
    expect(response.json()).toEqual({
      code: 'VALIDATION',
      message: 'This username is taken.',
      error: [
        { field: 'username', message: 'This username is taken.' },
        { field: 'email', message: 'An account with this email already exists.' },
      ],
    });
    const checkName = async (path: string) => (await app.inject('GET', path)).json();
    expect(await checkName(`/api/auth/check-username?username=${body.username.toUpperCase()}`)).toEqual({
      isTaken: true,
    });
    expect(await checkName('/api/auth/check-username?username=nobody.yet')).toEqual({ isTaken: false });
    expect(await checkName(`/api/auth/check-email?email=${body.email.toUpperCase()}`)).toEqual({ isTaken: true });
    expect(await checkName('/api/auth/check-email?email=nobody@example.com')).toEqual({ isTaken: false });
    expect(await checkName('/api/auth/check-email?email=')).toMatchObject({ message: 'Please enter email' });
  });

  test('succeeds once when many use the same names at the same time', async () => {
    const body = createRegistration();
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => app.inject('POST', '/api/customer/register', body)),
    );
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(7).fill(400)]);
    for (const response of responses.filter(({ statusCode }) => statusCode === 400)) {
      expect(response.json().error[0]).toEqual({ field: 'username', message: 'This username is taken.' });
    }
    expect(await countMail(app.ctx, body.email)).toBe(1);
  });

  test('refuses a form instead of JSON and an unreadable body', async () => {
    const form = await app.inject('POST', '/api/customer/register', 'a=b', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(form.json().code).toBe('UNSUPPORTED_TYPE');
    const broken = await app.inject('POST', '/api/customer/register', '{', { 'content-type': 'application/json' });
    expect(broken.json()).toEqual({ code: 'VALIDATION', message: 'The request could not be read.' });
    const polluted = '{"__proto__":{"isAdmin":true},"username":"abcdef"}';
    const response = await app.inject('POST', '/api/customer/register', polluted, {
      'content-type': 'application/json',
    });
    expect(response.json().code).toBe('VALIDATION');
  });
});

describe('e-mail confirmation', () => {
  const verify = (token: string) => app.inject('POST', '/api/auth/verify', { token });
  const signUp = async (next?: string) => {
    const body = { ...createRegistration(), ...(next !== undefined && { next }) };
    await app.inject('POST', '/api/customer/register', body);
    return { ...body, token: await getMailedToken(app.ctx, body.email) };
  };

  test('returns the address, also when the link is followed twice', async () => {
    const { token, email } = await signUp();
    const response = await verify(token);
    expect(response.json()).toEqual({ email });
    expect(response.headers['set-cookie']).toBeUndefined();
    expect((await verify(token)).json()).toEqual({ email });
    const [first, second] = await Promise.all([signUp(), signUp()]);
    const responses = await Promise.all([verify(first.token), verify(first.token), verify(second.token)]);
    expect(responses.map((response) => response.statusCode)).toEqual([200, 200, 200]);
  });

  test('leads back to where the sign-up began, also by a link that was sent again', async () => {
    const next = '/fan/chat?with=ada';
    const { token, email, username } = await signUp(next);
    app.clock.advance(60_001);
    await app.inject('POST', '/api/auth/resend_email', { username });
    await app.ctx.events.waitUntilIdle();
    const newToken = await getMailedToken(app.ctx, email);
    expect(newToken).not.toBe(token);
    for (const each of [token, newToken]) expect((await verify(each)).json()).toEqual({ email, next });
  });

  test.each([
    '//evil.example',
    'https://evil.example/post/1',
    '/\\evil.example',
    '/..//evil.example',
    'javascript:alert(1)',
  ])('ignores %s, which is no path of this site, as the place to return to', async (next) => {
    const { token, email } = await signUp(next);
    expect((await verify(token)).json()).toEqual({ email });
  });

  test('accepts a link for 24 hours', async () => {
    const early = await signUp();
    const late = await signUp();
    app.clock.advance(24 * HOUR_MS - 1);
    expect((await verify(early.token)).statusCode).toBe(200);
    app.clock.advance(1);
    expect((await verify(late.token)).json()).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('refuses an unknown, foreign or malformed token', async () => {
    const user = await app.signUp('customer', { isEmailVerified: false });
    expect((await verify('x'.repeat(43))).json().code).toBe('NOT_FOUND');
    expect((await verify('short')).json()).toMatchObject({
      error: [{ field: 'token', message: 'This link is invalid' }],
    });
    await app.inject('POST', '/api/auth/forgot-password', { email: user.email });
    await app.ctx.events.waitUntilIdle();
    const resetToken = await getMailedToken(app.ctx, user.email);
    expect(resetToken).toHaveLength(43);
    expect((await verify(resetToken)).json().code).toBe('NOT_FOUND');
  });

  test('refuses a link that was mailed to an address the user no longer has', async () => {
    const { token, email, username } = await signUp();
    await app.ctx.db.query
      .updateTable('users')
      .set({ email: `new.${email}` })
      .where('username', '=', username)
      .execute();
    expect((await verify(token)).json().code).toBe('NOT_FOUND');
  });

  test('resends with the same response for all, at most once a minute, and the older link stays valid', async () => {
    const { token, email, username } = await signUp();
    const resend = async (name: string) => {
      const response = await app.inject('POST', '/api/auth/resend_email', { username: name });
      await app.ctx.events.waitUntilIdle();
      return { status: response.statusCode, body: response.json() };
    };
    const known = await resend(username);
    expect(await countMail(app.ctx, email)).toBe(1);
    app.clock.advance(60_001);
    expect(await resend(email)).toEqual(known);
    expect(await resend(username)).toEqual(known);
    expect(await countMail(app.ctx, email)).toBe(2);
    expect(await resend('nobody.at.all')).toEqual(known);
    expect(await resend("'; drop table users; --")).toEqual(known);
    expect((await verify(token)).statusCode).toBe(200);
    app.clock.advance(60_001);
    expect(await resend(username)).toEqual(known);
    expect(await countMail(app.ctx, email)).toBe(2);
  });
});
