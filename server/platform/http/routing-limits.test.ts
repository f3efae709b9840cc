import { logout } from '@stagedoor/contract/identity/accounts.ts';
import type { RouteSpec } from '@stagedoor/contract/shared/route.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../modules/index.ts';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';

let app: TestApp;
let creator: TestUser;
beforeAll(async () => {
  app = await createTestApp({ env: { RATE_LIMIT_FACTOR: '0.02', TRUST_PROXY: '127.0.0.1' } });
  creator = await app.signUp('creator');
});
afterAll(() => app.close());

const follow = (user: TestUser) => user.inject('POST', `/api/customer/follow/${creator.id}`, { isFollowed: true });
const readStatus = async (answer: Promise<{ statusCode: number }>) => (await answer).statusCode;

test('sessions of one account share a rate limit, and another account at the same address has its own', async () => {
  const fan = await app.signUp('customer');
  const [second, other] = [await app.logIn(fan), await app.signUp('customer')];
  expect([await readStatus(follow(fan)), await readStatus(follow(second)), await readStatus(follow(fan))]).toEqual([
    ...[200, 200, 200],
  ]);
  for (const session of [fan, second]) {
    const refused = await follow(session);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
  }
  expect(await readStatus(follow(other))).toBe(200);
  app.clock.advance(60_000);
  expect(await readStatus(follow(fan))).toBe(200);
});

test('one session cannot use up the rate limit of routes that another session needs to protect the account', async () => {
  const fan = await app.signUp('customer');
  const thief = await app.logIn(fan);
  const requests = [
    (user: TestUser) => user.inject('POST', '/api/auth/sessions/revoke-others'),
    (user: TestUser) => user.inject('PUT', '/api/customer/spending-limits/day', { limit: 100 }),
    (user: TestUser) => user.inject('DELETE', '/api/notifications/devices'),
    (user: TestUser) => user.inject('POST', '/api/account/deletion', { currentPassword: 'Wrong7!pass' }),
  ];
  for (const request of requests.slice(1)) {
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1) statuses.push(await readStatus(request(thief)));
    expect(statuses.at(-1)).toBe(429);
    expect(await readStatus(request(fan))).not.toBe(429);
  }
  expect(await readStatus(fan.inject('POST', '/api/auth/sessions/revoke-others'))).toBe(200);
  expect(await readStatus(thief.inject('GET', '/api/auth/user'))).toBe(401);
});

test('routes that stay available in maintenance include log-out and no GET', () => {
  const availableRoutes = ROUTES.map(({ route }): RouteSpec => route).filter(
    ({ allowedInMaintenance }) => allowedInMaintenance,
  );
  expect(availableRoutes).toContain(logout);
  expect(availableRoutes.filter(({ method }) => method === 'GET')).toEqual([]);
});

test('anonymous calls are counted by address, for IPv6 by the network of the customer', async () => {
  const requestPasswordReset = (from: string) =>
    readStatus(
      app.inject('POST', '/api/auth/forgot-password', { email: 'nobody@example.org' }, { 'x-forwarded-for': from }),
    );
  expect([
    await requestPasswordReset('2a02:1000::1'),
    await requestPasswordReset('2a02:1000:0:ff::2'),
    await requestPasswordReset('2a02:1000::1'),
  ]).toEqual([200, 200, 429]);
  expect(await requestPasswordReset('2a02:1000:0:100::1')).toBe(200);
});
