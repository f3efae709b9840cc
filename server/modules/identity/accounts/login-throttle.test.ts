import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { countAttempt } from './login-throttle.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ env: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => app.close());

type LoginOrigin = { network?: string; device?: string };
const HOME: LoginOrigin = { network: '198.51.100.7' };
const WRONG = 'Wrong7!pass';

const login = (username: string, password: string, { network = '203.0.113.9', device }: LoginOrigin, code?: string) =>
  app.inject(
    'POST',
    '/api/auth/login',
    { username, password, ...(code !== undefined && { code }) },
    { 'x-forwarded-for': network, ...(device !== undefined && { cookie: `device=${device}` }) },
  );
const readDeviceCookie = (response: { cookies: { name: string; value: string }[] }) =>
  response.cookies.find(({ name }) => name === 'device')?.value ?? '';
const collectCodes = async (count: number, sendRequest: (n: number) => ReturnType<typeof login>) =>
  (await Promise.all(Array.from({ length: count }, (_, n) => sendRequest(n)))).map((response) => response.json().code);

async function lockOut(user: { username: string }): Promise<void> {
  for (let guess = 0; guess <= 100; guess += 1)
    await countAttempt(app.ctx, `login:${user.username}`, 100).catch((error: unknown) =>
      expect(guess, String(error)).toBe(100),
    );
}

test('ten wrong passwords from one network lock out that network only', async () => {
  const user = await app.signUp('creator');
  expect(await collectCodes(10, () => login(user.username, WRONG, {}))).toEqual(Array(10).fill('VALIDATION'));
  expect((await login(user.username, user.password, {})).json().code).toBe('RATE_LIMITED');
  expect((await login(user.username, user.password, HOME)).json()).toMatchObject({ id: user.id });
});

test('all IPv6 addresses of one customer of a provider count as one network', async () => {
  const user = await app.signUp('customer');
  const codes = await collectCodes(12, (n) =>
    login(user.username, WRONG, { network: `2001:db8:1:2::${n.toString(16)}` }),
  );
  expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(2);
});

test.each(['known', 'unknown'])(
  'a hundred guesses from all networks together at a %s account are checked, and more are refused',
  async (kind) => {
    const user = await app.signUp('customer');
    const name = kind === 'known' ? user.username : `nobody.${user.username}`.slice(0, 20);
    const from = (n: number) => ({
      network: `2001:db8:${kind === 'known' ? 1 : 2}:${(Math.floor(n / 10) * 256).toString(16)}::1`,
    });
    for (let guess = 0; guess < 80; guess += 1) await countAttempt(app.ctx, `login:${name}`, 100);
    const codes = await collectCodes(25, (n) => login(name, WRONG, from(n)));
    expect(codes.filter((code) => code === 'VALIDATION')).toHaveLength(20);
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(5);
    expect((await login(name, user.password, HOME)).json().code).toBe('RATE_LIMITED');
  },
);

test('a browser that the owner has used is not locked out with others and has ten guesses of its own', async () => {
  const user = await app.signUp('creator');
  const device = readDeviceCookie(await login(user.username, user.password, HOME));
  expect(device).toMatch(/^[\w-]{43}$/);
  await lockOut(user);
  expect((await login(user.username, user.password, {})).json().code).toBe('RATE_LIMITED');
  expect(await collectCodes(10, () => login(user.username, WRONG, { device }))).toEqual(Array(10).fill('VALIDATION'));
  expect((await login(user.username, user.password, { device })).json().code).toBe('RATE_LIMITED');
  app.clock.advance(15 * 60_000);
  const secondLogin = await login(user.username, user.password, { device });
  expect(secondLogin.json()).toMatchObject({ id: user.id });
  expect(readDeviceCookie(secondLogin)).toBe(device);
});

test('another account’s device cookie and a forged one count as unknown browsers', async () => {
  const [user, other] = [await app.signUp('customer'), await app.signUp('customer')];
  const foreignDevice = readDeviceCookie(await login(other.username, other.password, HOME));
  await lockOut(user);
  for (const device of [foreignDevice, 'A'.repeat(43), '', "' or 1=1 --"])
    expect((await login(user.username, user.password, { ...HOME, device })).json().code).toBe('RATE_LIMITED');
  const planted = 'B'.repeat(43);
  const combinedCookie = readDeviceCookie(await login(other.username, other.password, { ...HOME, device: planted }));
  expect(combinedCookie).toMatch(new RegExp(`^[\\w-]{43}\\.${planted}$`));
  await lockOut(other);
  expect((await login(other.username, other.password, { ...HOME, device: planted })).json().code).toBe('RATE_LIMITED');
  expect((await login(other.username, other.password, { device: combinedCookie })).json()).toMatchObject({
    id: other.id,
  });
});

test('one browser is known to the last five accounts that logged in from it', async () => {
  let device = '';
  const users: TestUser[] = [];
  for (let count = 0; count < 6; count += 1) {
    const user = await app.signUp('customer');
    device = readDeviceCookie(await login(user.username, user.password, { ...HOME, device }));
    users.push(user);
  }
  expect(device).toMatch(/^[\w-]{43}(\.[\w-]{43}){4}$/);
  for (const user of users) await lockOut(user);
  const [first, ...known] = users;
  for (const user of known) {
    const secondLogin = await login(user.username, user.password, { device });
    expect(secondLogin.json()).toMatchObject({ id: user.id });
    expect(readDeviceCookie(secondLogin)).toBe(device);
  }
  expect((await login(first?.username ?? '', first?.password ?? '', { device })).json().code).toBe('RATE_LIMITED');
});

test('a password change forgets known browsers and resets the guesses of strangers', async () => {
  const user = await app.signUp('customer');
  const device = readDeviceCookie(await login(user.username, user.password, HOME));
  await lockOut(user);
  const newPassword = 'Second9!curtain';
  const changed = await user.inject(
    'POST',
    '/api/customer/profile-pass-change',
    { currentPassword: user.password, newPassword },
    { 'x-forwarded-for': HOME.network ?? '', 'idempotency-key': randomUUID() },
  );
  expect(changed.statusCode).toBe(200);
  expect((await login(user.username, newPassword, {})).json()).toMatchObject({ id: user.id });
  await lockOut(user);
  expect((await login(user.username, newPassword, { device })).json().code).toBe('RATE_LIMITED');
});

test('a lock-out by username does not reveal the e-mail address of the account', async () => {
  const user = await app.signUp('creator');
  await collectCodes(10, () => login(user.username, WRONG, {}));
  expect((await login(user.username, WRONG, {})).json().code).toBe('RATE_LIMITED');
  const [ownEmail, unknownEmail] = [await login(user.email, WRONG, {}), await login('somebody@example.com', WRONG, {})];
  expect([ownEmail.statusCode, ownEmail.json()]).toEqual([unknownEmail.statusCode, unknownEmail.json()]);
});
