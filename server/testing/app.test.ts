import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from './app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp.close());

test('a test user is logged in immediately, and the clock moves only when the test advances it', async () => {
  const [fan, creator] = await Promise.all([testApp.signUp('customer'), testApp.signUp('creator', { name: 'Inês' })]);
  const token = /sid=([^;]+)/.exec(fan.cookie)?.[1];
  expect(await testApp.ctx.sessions.resolve(token)).toMatchObject({ userId: fan.id, type: 'customer' });
  expect(creator.username).not.toBe(fan.username);
  const before = testApp.clock.now();
  testApp.clock.advance(1000);
  expect(testApp.ctx.clock.now().getTime() - before.getTime()).toBe(1000);
  await testApp.ctx.events.waitUntilIdle();
  expect((await testApp.inject('GET', '/healthz')).statusCode).toBe(200);
});
