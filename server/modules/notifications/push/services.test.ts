import { afterAll, beforeAll, expect, test } from 'vitest';
import { createId } from '../../../platform/ids.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createFollow } from '../../content/follows/testing.ts';
import { listBroadcastRecipients } from '../../messaging/chat/index.ts';
import { seedMessage } from '../../messaging/chat/testing.ts';
import { URGENT_RANK } from './delivery-policy.ts';
import { createPushSender } from './send.ts';
import { PUSH_JOB_NAMES, type PushService, startPushService } from './testing.ts';

let app: TestApp;
let one: PushService;
let other: PushService;
let publicKey = '';
beforeAll(async () => {
  one = await startPushService(() => publicKey);
  other = await startPushService(() => publicKey);
  app = await createTestApp({
    env: { PUSH_ALLOWED_ORIGINS: `${one.origin},${other.origin}`, PUSH_TIMEOUT_MS: '1000' },
  });
  const someone = await app.signUp('customer');
  publicKey = (await someone.inject('GET', '/api/web-notify/vapidPublicKey')).json().publicKey;
});
afterAll(async () => {
  await app.close();
  for (const service of [one, other]) {
    await service.close();
    expect(service.faults).toEqual([]);
  }
});

async function addDevice(user: TestUser, service: PushService) {
  const name = createId(app.clock);
  expect((await user.inject('POST', '/api/web-notify/subscribe', service.device(name))).json()).toEqual({
    success: true,
  });
  return { name, pushes: () => service.delivered.filter(({ device }) => device === name) };
}

test('pushes to a silent service wait until its pause ends, and pushes to other services do not', async () => {
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => app.signUp('customer')));
  if (!first || !second || !third) throw new Error('no users');
  const stuck = await addDevice(first, one);
  const waiting = await addDevice(second, one);
  const free = await addDevice(third, other);
  one.answer(stuck.name, 'hang');
  const send = createPushSender(app.ctx, URGENT_RANK);
  const secure = async ({ id: userId }: TestUser) => {
    const payload = JSON.stringify({ userId, change: 'passwordChanged', device: '' });
    const row = { type: 'account.secured', payload, event_id: createId(app.clock) };
    await app.owner.query.insertInto('outbox').values(row).execute();
    await app.ctx.events.waitUntilIdle();
    await send();
  };
  for (const user of [first, second, third]) await secure(user);
  expect([one.countRequests(stuck.name), one.countRequests(waiting.name), free.pushes().length]).toEqual([1, 0, 1]);
  app.clock.advance(16_000);
  await send();
  expect([one.countRequests(stuck.name), waiting.pushes().length]).toEqual([1, 1]);
});

test('a broadcast is pushed once to its recipients, who are read page by page', async () => {
  const creator = await app.signUp('creator');
  const [near, muted, blocked, stranger] = await Promise.all([1, 2, 3, 4].map(() => app.signUp('customer')));
  if (!near || !muted || !blocked || !stranger) throw new Error('no fans');
  for (const fan of [near, muted, blocked]) await createFollow(app.ctx, fan.id, creator.id);
  const say = (fan: TestUser) =>
    seedMessage(app.ctx, { creatorId: creator.id, fanId: fan.id }, { from: 'fan', text: 'Hello' });
  const { conversationId } = await say(muted);
  await muted.inject('POST', `/api/message/mute-unmute/${conversationId}`, { isMuted: true });
  await say(blocked);
  await creator.inject('POST', `/api/message/block-unblock-customer/${blocked.id}`, { isBlocked: true });
  const device = await addDevice(near, other);
  const others = await Promise.all([muted, blocked, stranger].map((user) => addDevice(user, other)));
  const body = { audience: 'followers', text: 'Tonight at nine' };
  expect((await creator.inject('POST', '/api/message/broadcast-text', body)).statusCode).toBe(200);
  await app.ctx.events.waitUntilIdle();
  await app.ctx.jobs.runDue(PUSH_JOB_NAMES);
  expect(device.pushes()).toHaveLength(1);
  expect(device.pushes()[0]?.message.notification.navigate).toContain(creator.id);
  expect(others.map(({ pushes }) => pushes().length)).toEqual([0, 0, 0]);

  const [sent] = await app.ctx.db.query
    .selectFrom('broadcasts')
    .select('id')
    .where('creator_id', '=', creator.id)
    .execute();
  const pages: string[][] = [];
  for (let after: string | null = null; ; ) {
    const { fanIds, next } = await listBroadcastRecipients(app.ctx.db, sent?.id ?? '', { after, size: 1 });
    pages.push(fanIds);
    if (next === null) break;
    after = next;
  }
  expect(pages.flat().toSorted()).toEqual([near.id, muted.id].toSorted());
});
