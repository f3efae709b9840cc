import { generateSync } from 'otplib';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createStaffCode } from './staff-codes.ts';
import { countMail } from './testing.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
/** No test must cross a step boundary. */
beforeEach(() => app.clock.set(new Date((Math.floor(app.clock.now().getTime() / 30_000) + 10) * 30_000)));

const WRONG = [{ field: 'code', message: 'This code is incorrect or has already been used.' }];
const codeAt = (secret: string, offsetSeconds = 0) =>
  generateSync({ strategy: 'totp', secret, epoch: app.clock.now().getTime() / 1000 + offsetSeconds });
const login = (user: { username: string; password: string }, code?: string) =>
  app.inject('POST', '/api/auth/login', { username: user.username, password: user.password, ...(code && { code }) });
/** Only operators need the invitation code. */
const startTwoFactor = async (user: TestUser, currentPassword = user.password) => {
  const invitationCode = await app.ctx.db.transaction((tx) => createStaffCode(app.ctx, tx, user));
  return user.inject('POST', '/api/auth/two-factor/setup', { currentPassword, invitationCode });
};
const enable = (user: TestUser, code: string) => user.inject('POST', '/api/auth/two-factor/enable', { code });
const disable = (user: TestUser, code: string, currentPassword = user.password) =>
  user.inject('POST', '/api/auth/two-factor/disable', { code, currentPassword });

async function createTwoFactorUser() {
  const user = await app.signUp('creator');
  const { secret } = (await startTwoFactor(user)).json();
  const { recoveryCodes } = (await enable(user, codeAt(secret))).json();
  app.clock.advance(60_000);
  return { user, secret, recoveryCodes };
}

test('set-up requires the password and does not enable two-factor yet', async () => {
  const user = await app.signUp('customer');
  expect((await startTwoFactor(user, 'Wrong7!pass')).json().error).toEqual([
    { field: 'currentPassword', message: 'Incorrect password.' },
  ]);
  expect((await enable(user, '123456')).json().code).toBe('CONFLICT');
  const started = (await startTwoFactor(user)).json();
  expect(started.secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(started.otpauthUrl).toBe(
    `otpauth://totp/Stagedoor:${user.username}?secret=${started.secret}&issuer=Stagedoor`,
  );
  expect(started.qrSvg).toMatch(/^<svg[\s\S]*<\/svg>\s*$/);
  expect((await login(user)).json()).toEqual({ id: user.id, type: 'customer' });
  expect((await user.inject('GET', '/api/auth/user')).json().isTwoFactorEnabled).toBe(false);
});

test('the secret is encrypted at rest and bound to its account', async () => {
  const user = await app.signUp('customer');
  const { secret } = (await startTwoFactor(user)).json();
  const other = await app.signUp('customer');
  const row = await app.ctx.db.query
    .selectFrom('users')
    .select('two_factor_secret')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  expect(row.two_factor_secret?.toString('latin1')).not.toContain(secret);
  await app.ctx.db.query
    .updateTable('users')
    .set({ two_factor_secret: row.two_factor_secret })
    .where('id', '=', other.id)
    .execute();
  expect((await enable(other, codeAt(secret))).statusCode).toBe(500);
});

test('one right code enables two-factor, and then log-in without a code starts no session', async () => {
  const user = await app.signUp('customer');
  const { secret } = (await startTwoFactor(user)).json();
  expect((await enable(user, '000000')).json().error).toEqual(WRONG);
  const response = await enable(user, codeAt(secret));
  const { recoveryCodes } = response.json();
  expect(new Set(recoveryCodes).size).toBe(10);
  for (const code of recoveryCodes) expect(code).toMatch(/^(?:[a-z0-9]{4}-){2}[a-z0-9]{4}$/);
  expect((await user.inject('GET', '/api/auth/user')).json().isTwoFactorEnabled).toBe(true);
  expect((await startTwoFactor(user)).json().code).toBe('CONFLICT');
  expect((await enable(user, codeAt(secret, 30))).json().code).toBe('CONFLICT');
  expect(await countMail(app.ctx, user.email)).toBe(1);
  app.clock.advance(60_000);
  const loginWithoutCode = await login(user);
  expect(loginWithoutCode.json()).toEqual({ isTwoFactorRequired: true });
  expect(loginWithoutCode.cookies).toEqual([]);
  const wrong = await login(user, '000000');
  expect(wrong.statusCode).toBe(400);
  expect(wrong.json().error).toEqual(WRONG);
  expect(wrong.cookies).toEqual([]);
  expect((await login(user, codeAt(secret))).json()).toEqual({ id: user.id, type: 'customer' });
  const wrongPassword = await login({ ...user, password: 'Wrong7!pass' }, codeAt(secret));
  expect(wrongPassword.json().error[0].field).toBe('password');
});

test('a code works once, also in concurrent requests, and not after a later one', async () => {
  const { user, secret } = await createTwoFactorUser();
  const code = codeAt(secret);
  const responses = await Promise.all([login(user, code), login(user, code), login(user, code)]);
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400]);
  expect((await login(user, codeAt(secret, -30))).json().error).toEqual(WRONG);
  expect((await login(user, codeAt(secret, 30))).statusCode).toBe(200);
  app.clock.advance(30_000);
  expect((await login(user, codeAt(secret))).json().error).toEqual(WRONG);
  app.clock.advance(30_000);
  expect((await login(user, codeAt(secret))).statusCode).toBe(200);
});

test('a clock may be off by one time step but not by two', async () => {
  const { user, secret } = await createTwoFactorUser();
  app.clock.advance(300_000);
  expect((await login(user, codeAt(secret, -60))).json().error).toEqual(WRONG);
  expect((await login(user, codeAt(secret, 60))).json().error).toEqual(WRONG);
  expect((await login(user, codeAt(secret, -30))).statusCode).toBe(200);
  expect((await login(user, codeAt(secret, 30))).statusCode).toBe(200);
});

test('the code that enabled two-factor cannot be used again', async () => {
  const user = await app.signUp('customer');
  const { secret } = (await startTwoFactor(user)).json();
  const code = codeAt(secret);
  await enable(user, code);
  expect((await login(user, code)).json().error).toEqual(WRONG);
});

test('a recovery code works once and only for its account', async () => {
  const { user, recoveryCodes } = await createTwoFactorUser();
  const other = await createTwoFactorUser();
  const [first, second] = recoveryCodes;
  expect((await login(other.user, first)).json().error).toEqual(WRONG);
  const responses = await Promise.all([login(user, first), login(user, first)]);
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
  expect((await login(user, second)).statusCode).toBe(200);
  const { rows } = await app.ctx.db.pool.query('select code_hash from recovery_codes where user_id = $1', [user.id]);
  expect(rows.some((row) => row.code_hash.toString().includes(first))).toBe(false);
});

test('ten codes can be guessed in 15 minutes, even if the password is right in between', async () => {
  const { user, secret } = await createTwoFactorUser();
  for (let guess = 0; guess < 10; guess += 1) {
    expect((await login(user, '000000')).json().error).toEqual(WRONG);
    if (guess < 9) expect((await login(user)).json()).toEqual({ isTwoFactorRequired: true });
  }
  expect((await login(user, codeAt(secret))).statusCode).toBe(429);
});

test('disabling two-factor requires password and code, and deletes the recovery codes', async () => {
  const { user, secret, recoveryCodes } = await createTwoFactorUser();
  expect((await disable(user, codeAt(secret), 'Wrong7!pass')).json().error[0].field).toBe('currentPassword');
  expect((await disable(user, '000000')).json().error).toEqual(WRONG);
  expect((await disable(user, recoveryCodes[0])).statusCode).toBe(200);
  expect((await disable(user, codeAt(secret))).json().code).toBe('CONFLICT');
  expect((await login(user)).json()).toEqual({ id: user.id, type: 'creator' });
  const { rows } = await app.ctx.db.pool.query('select 1 from recovery_codes where user_id = $1', [user.id]);
  expect(rows).toEqual([]);
});

test('codes cannot be guessed from within a session, even with the right password', async () => {
  const { user } = await createTwoFactorUser();
  const statuses: number[] = [];
  for (let guess = 0; guess < 11; guess += 1) statuses.push((await disable(user, '000000')).statusCode);
  expect(statuses).toEqual([...Array(10).fill(400), 429]);
});

test.each(['12345', '1234567', 'abcdef', '１２３４５６', 'aaaa-bbbb', {}, 123456])(
  '%j is not a valid code',
  async (code) => {
    const user = await app.signUp('customer');
    const response = await user.inject('POST', '/api/auth/two-factor/enable', { code });
    expect(response.json().error).toEqual([{ field: 'code', message: 'Enter the 6-digit code or a recovery code' }]);
  },
);

test('a password change also requires a code when two-factor is enabled', async () => {
  const { user, secret } = await createTwoFactorUser();
  const newPassword = 'Second9!curtain';
  const change = (code?: string) =>
    user.inject('POST', '/api/customer/profile-pass-change', { currentPassword: user.password, newPassword, code });
  expect((await change()).json().error).toEqual([
    { field: 'code', message: 'Enter the 6-digit code or a recovery code' },
  ]);
  const wrong = await Promise.all(Array.from({ length: 12 }, () => change('000000')));
  expect(wrong.map((response) => response.json().code).sort()).toEqual([
    ...Array(2).fill('RATE_LIMITED'),
    ...Array(10).fill('VALIDATION'),
  ]);
  app.clock.advance(15 * 60_000);
  expect((await login({ ...user, password: newPassword })).json().message).toBe('Incorrect username or password.');
  const code = codeAt(secret);
  expect((await change(code)).statusCode).toBe(200);
  expect((await login({ ...user, password: newPassword })).json()).toEqual({ isTwoFactorRequired: true });
});

test.each(['customer', 'creator', 'operator'] as const)(
  'enabling two-factor as a %s ends all other sessions and disconnects their sockets',
  async (type) => {
    const user = await app.signUp(type, { hasSecondFactor: false });
    const other = await app.logIn(user);
    const stranger = await app.signUp(type, { hasSecondFactor: false });
    const [{ id = '' } = {}] = (await other.inject('GET', '/api/auth/sessions'))
      .json()
      .data.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    const { secret } = (await startTwoFactor(user)).json();
    const disconnect = vi.spyOn(app.ctx.realtime, 'disconnect');
    expect((await enable(user, '000000')).statusCode).toBe(400);
    expect((await other.inject('GET', '/api/auth/user')).statusCode).toBe(200);
    expect((await enable(user, codeAt(secret))).statusCode).toBe(200);
    expect(disconnect.mock.calls).toEqual([[{ sessionIds: [id] }]]);
    disconnect.mockRestore();
    const readStatus = async (user: TestUser) => (await user.inject('GET', '/api/auth/user')).statusCode;
    expect([await readStatus(user), await readStatus(other), await readStatus(stranger)]).toEqual([200, 401, 200]);
  },
);

test('the enabling code counts as an operator’s proof of identity, and the earlier log-in does not', async () => {
  const operator = await app.signUp('operator', { hasSecondFactor: false });
  const other = await app.logIn(operator);
  app.clock.advance(10 * 60_000);
  const { secret } = (await startTwoFactor(operator)).json();
  await enable(operator, codeAt(secret));
  const { stepUpExpiresAt } = (await operator.inject('GET', '/api/admin/me')).json();
  expect(new Date(stepUpExpiresAt)).toEqual(
    new Date(app.clock.now().getTime() + app.ctx.config.operatorSessions.stepUpMs),
  );
  expect((await other.inject('GET', '/api/admin/me')).statusCode).toBe(401);
});

test('an operator without two-factor can only set it up, and loses access again after disabling it', async () => {
  const operator = await app.signUp('operator', { hasSecondFactor: false });
  const listDebtors = () => operator.inject('GET', '/api/admin/debtors');
  const refused = await listDebtors();
  expect([refused.statusCode, refused.json()]).toEqual([
    403,
    {
      code: 'FORBIDDEN',
      message: 'Set up two-factor authentication first.',
      href: '/admin/account',
    },
  ]);
  expect((await login(operator)).json()).toEqual({ id: operator.id, type: 'operator' });
  const { secret } = (await startTwoFactor(operator)).json();
  expect((await listDebtors()).statusCode).toBe(403);
  expect((await enable(operator, codeAt(secret))).statusCode).toBe(200);
  expect((await listDebtors()).statusCode).toBe(200);
  expect((await login(operator)).json()).toEqual({ isTwoFactorRequired: true });
  app.clock.advance(60_000);
  expect((await disable(operator, codeAt(secret))).statusCode).toBe(200);
  expect((await listDebtors()).statusCode).toBe(403);
});
