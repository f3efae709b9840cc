import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createFollow } from '../../content/follows/testing.ts';
import { makePost } from '../../content/posts/testing.ts';
import { countMail } from '../../identity/accounts/testing.ts';
import { sendDigests } from './digest.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

async function createReader(): Promise<TestUser> {
  const fan = await app.signUp('customer');
  await fan.inject('PUT', '/api/customer/update-notification-preferences', { newPost: { email: true } });
  return fan;
}
const change = (user: TestUser, to: { is_blocked?: boolean; email_verified_at?: null; break_until?: Date }) =>
  app.ctx.db.query.updateTable('users').set(to).where('id', '=', user.id).execute();

test('only verified users who are neither blocked nor on a break get a digest', async () => {
  const creator = await app.signUp('creator');
  const [readerUser, blocked, unverified, away] = [
    await createReader(),
    await createReader(),
    await createReader(),
    await createReader(),
  ];
  const all = [readerUser, blocked, unverified, away];
  for (const fan of all) await createFollow(app.ctx, fan.id, creator.id);
  await makePost(app.ctx, creator.id, { caption: 'Moon jar' });
  await app.ctx.events.waitUntilIdle();
  await change(blocked, { is_blocked: true });
  await change(unverified, { email_verified_at: null });
  const until = new Date(app.clock.now().getTime() + 60_000);
  await change(away, { break_until: until });
  const counts = () => Promise.all(all.map(({ email }) => countMail(app.ctx, email)));
  await sendDigests(app.ctx);
  expect(await counts()).toEqual([1, 0, 0, 0]);
  app.clock.set(until);
  await sendDigests(app.ctx);
  expect(await counts()).toEqual([1, 0, 0, 1]);
});

test('a digest does not name a creator who blocked the user meanwhile', async () => {
  const [blockedCreator, other] = [
    await app.signUp('creator', { name: 'Ana Gone' }),
    await app.signUp('creator', { name: 'Eva' }),
  ];
  const fan = await createReader();
  for (const creator of [blockedCreator, other]) {
    await createFollow(app.ctx, fan.id, creator.id);
    await makePost(app.ctx, creator.id, { caption: `By ${creator.username}` });
  }
  await app.ctx.events.waitUntilIdle();
  const block = { isBlocked: true };
  const blocked = await blockedCreator.inject('POST', `/api/message/block-unblock-customer/${fan.id}`, block);
  expect(blocked.statusCode, blocked.body).toBe(200);
  await sendDigests(app.ctx);
  const mails = app.ctx.db.query.selectFrom('development_mail').select('body').where('recipient', '=', fan.email);
  const bodies = (await mails.execute()).map(({ body }) => body);
  expect(bodies).toEqual([expect.stringMatching(/^- Eva published/m)]);
  expect(bodies.join()).not.toMatch(new RegExp(`Ana Gone|${blockedCreator.username}`));
});
