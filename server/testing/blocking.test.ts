import { ERRORS } from '@stagedoor/contract/shared/errors.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPaidDeposit, requireCleanLedger } from '../modules/commerce/deposits/testing.ts';
import { findMediaOwner } from '../modules/content/media/store.ts';
import { makePost } from '../modules/content/posts/testing.ts';
import { blockAccount } from '../modules/identity/accounts/index.ts';
import { createTestApp, type TestApp } from './app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(async () => {
  await requireCleanLedger(app);
  await app.close();
});

test('blocking an account ends its sessions, and only a log-in with the right password learns the reason', async () => {
  const user = await app.signUp('customer');
  expect((await user.inject('GET', '/api/auth/user')).statusCode).toBe(200);
  await blockAccount(app.ctx, user.id, 'charged back twice');
  expect((await user.inject('GET', '/api/auth/user')).json().code).toBe('UNAUTHORIZED');
  const login = (password: string) => app.inject('POST', '/api/auth/login', { username: user.username, password });
  expect((await login('Wrong7!pass')).json().code).toBe('VALIDATION');
  const refused = await login(user.password);
  expect(refused.json()).toEqual({
    code: 'account_blocked',
    message: ERRORS.account_blocked.message,
    proof: expect.stringContaining(user.id),
  });
  expect(refused.cookies).toEqual([]);
  await blockAccount(app.ctx, user.id, 'again');
  await expect(blockAccount(app.ctx, '00000000-0000-7000-8000-000000000000', '')).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('a blocked creator is neither shown nor paid, not even by a fan who had just paid them', async () => {
  const [fan, creator] = await Promise.all([app.signUp('customer'), app.signUp('creator')]);
  await createPaidDeposit(app, fan, 100);
  const post = await makePost(app.ctx, creator.id, { priceCents: 500 });
  const free = await makePost(app.ctx, creator.id);
  const shown = (await app.inject('GET', `/api/post/${free}`)).json().media[0].picture.url;
  expect(shown).toContain('/media/public/m/');
  const tip = () => fan.inject('POST', `/api/tip/customer-send/${creator.id}`, { type: 'profile', amount: 5 });
  expect((await tip()).statusCode).toBe(200);
  await blockAccount(app.ctx, creator.id, 'reported');
  await app.ctx.events.waitUntilIdle();
  const refused = [
    await tip(),
    await fan.inject('POST', `/api/post/unlock/${post}`),
    await fan.inject('POST', `/api/customer/follow/${creator.id}`, { isFollowed: true }),
    await app.inject('GET', `/api/public/profile/${creator.username}`),
    await app.inject('GET', `/api/public/posts/${creator.id}`),
    await app.inject('GET', `/api/post/${post}`),
  ];
  expect(refused.map((response) => response.json().code)).toEqual(refused.map(() => 'NOT_FOUND'));
  app.clock.advance(10_000);
  expect((await findMediaOwner(app.ctx.db, shown.split('/')[4] ?? ''))?.is_public).toBe(false);
  expect((await fan.inject('GET', '/api/customer/wallet')).json().available).toBe(95);
});
