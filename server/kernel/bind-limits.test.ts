import { logout } from '@stagedoor/contract/accounts.ts';
import type { RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../features/index.ts';
import { createTestApp, type TestApp, type TestUser } from '../testing/app.ts';

let app: TestApp;
let creator: TestUser;
beforeAll(async () => {
  app = await createTestApp({ env: { RATE_LIMIT_FACTOR: '0.02', TRUST_PROXY: '127.0.0.1' } });
  creator = await app.signUp('creator');
});
afterAll(() => app.close());

const follow = (who: TestUser) => who.inject('POST', `/api/customer/follow/${creator.id}`, { isFollowed: true });
const statusOf = async (answer: Promise<{ statusCode: number }>) => (await answer).statusCode;

test('sessions of one account share a rate limit, and another account at the same address has its own', async () => {
  const fan = await app.signUp('customer');
  const [second, other] = [await app.logIn(fan), await app.signUp('customer')];
  expect([await statusOf(follow(fan)), await statusOf(follow(second)), await statusOf(follow(fan))]).toEqual([
    ...[200, 200, 200],
  ]);
  for (const session of [fan, second]) {
    const refused = await follow(session);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
  }
  expect(await statusOf(follow(other))).toBe(200);
  app.clock.advance(60_000);
  expect(await statusOf(follow(fan))).toBe(200);
});

test('one session cannot use up the rate limit of routes that another session needs to protect the account', async () => {
  const fan = await app.signUp('customer');
  const thief = await app.logIn(fan);
  const ways = [
    (who: TestUser) => who.inject('POST', '/api/auth/sessions/revoke-others'),
    (who: TestUser) => who.inject('PUT', '/api/customer/own-limits/day', { limit: 100 }),
    (who: TestUser) => who.inject('DELETE', '/api/notifications/devices'),
    (who: TestUser) => who.inject('POST', '/api/account/close', { currentPassword: 'Wrong7!pass' }),
  ];
  for (const way of ways.slice(1)) {
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1) statuses.push(await statusOf(way(thief)));
    expect(statuses.at(-1)).toBe(429);
    expect(await statusOf(way(fan))).not.toBe(429);
  }
  expect(await statusOf(fan.inject('POST', '/api/auth/sessions/revoke-others'))).toBe(200);
  expect(await statusOf(thief.inject('GET', '/api/auth/user'))).toBe(401);
});

test('routes that stay available in maintenance include log-out and no GET', () => {
  const outs = ROUTES.map(({ route }): RouteSpec => route).filter(({ goesOn }) => goesOn);
  expect(outs).toContain(logout);
  expect(outs.filter(({ method }) => method === 'GET')).toEqual([]);
});

test('anonymous calls are counted by address, for IPv6 by the network of the customer', async () => {
  const ask = (from: string) =>
    statusOf(
      app.inject('POST', '/api/auth/forgot-password', { email: 'nobody@example.org' }, { 'x-forwarded-for': from }),
    );
  expect([await ask('2a02:1000::1'), await ask('2a02:1000:0:ff::2'), await ask('2a02:1000::1')]).toEqual([
    200, 200, 429,
  ]);
  expect(await ask('2a02:1000:0:100::1')).toBe(200);
});
