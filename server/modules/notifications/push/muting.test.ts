import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { createFollow } from '../../content/follows/testing.ts';
import { hasVisiblePage } from '../../identity/presence/index.ts';
import { openTab, seedMessage } from '../../messaging/chat/testing.ts';
import { PUSH_RANKS } from './delivery-policy.ts';
import { schedulePushes } from './jobs.ts';
import { PUSH_JOB_NAMES, type PushService, startPushService } from './testing.ts';

const MINUTE_MS = 60_000;

let app: TestApp;
let service: PushService;
let publicKey = '';
beforeAll(async () => {
  service = await startPushService(() => publicKey);
  app = await createTestApp({ env: { PUSH_ALLOWED_ORIGINS: service.origin } });
  await app.ctx.realtime.attach(app.app.http.server);
  await app.app.http.listen({ port: 0, host: '127.0.0.1' });
  const user = await app.signUp('customer');
  publicKey = (await user.inject('GET', '/api/web-notify/vapidPublicKey')).json().publicKey;
});
afterAll(async () => {
  await app.close();
  await service.close();
});

async function deliver(advanceMs = 0): Promise<void> {
  await app.ctx.events.waitUntilIdle();
  app.clock.advance(advanceMs);
  for (const rank of PUSH_RANKS) await schedulePushes(app.ctx, app.ctx.db, rank);
  await app.ctx.jobs.runDue(PUSH_JOB_NAMES);
}

test.each([false, true])(
  'a push that waits is sent unless its conversation was muted meanwhile (muted: %s)',
  async (isMuted) => {
    const [fan, creator] = await Promise.all([app.signUp('customer'), app.signUp('creator')]);
    const device = isMuted ? 'muted' : 'unmuted';
    expect((await fan.inject('POST', '/api/web-notify/subscribe', service.device(device))).json().success).toBe(true);
    const address = app.app.http.server.address();
    const tab = await openTab(typeof address === 'object' ? (address?.port ?? 0) : 0, fan.cookie);
    await vi.waitFor(() => expect(hasVisiblePage(app.ctx, fan.id)).toBe(true), { timeout: 30_000 });
    const { conversationId } = await seedMessage(
      app.ctx,
      { creatorId: creator.id, fanId: fan.id },
      { from: 'creator', text: 'The kiln is open' },
    );
    await app.ctx.events.waitUntilIdle();
    const pushes = app.ctx.db.query.selectFrom('push_deliveries').select('kind').where('user_id', '=', fan.id);
    await vi.waitFor(async () => expect(await pushes.execute()).toHaveLength(1), { timeout: 30_000 });
    await deliver();
    const countDelivered = () => service.delivered.filter((push) => push.device === device).length;
    expect(countDelivered()).toBe(0);
    if (isMuted) await fan.inject('POST', `/api/message/mute-unmute/${conversationId}`, { isMuted: true });
    tab.close();
    await vi.waitFor(
      () => {
        app.clock.advance(2_000);
        expect(hasVisiblePage(app.ctx, fan.id)).toBe(false);
      },
      { timeout: 30_000, interval: 200 },
    );
    await deliver(MINUTE_MS);
    expect(countDelivered()).toBe(isMuted ? 0 : 1);
  },
);

test('a broadcast push that is sent again is not sent to a fan who muted the new conversation meanwhile', async () => {
  const creator = await app.signUp('creator');
  const countDelivered = (device: string) => service.delivered.filter((push) => push.device === device).length;
  const devices = ['listening', 'muting'];
  const fans = [await app.signUp('customer'), await app.signUp('customer')];
  for (const [index, fan] of fans.entries()) {
    await fan.inject('POST', '/api/web-notify/subscribe', service.device(devices[index] ?? ''));
    await createFollow(app.ctx, fan.id, creator.id);
    service.answer(devices[index] ?? '', { status: 503 });
  }
  await creator.inject('POST', '/api/message/broadcast-text', { audience: 'followers', text: 'Tonight' });
  await deliver();
  for (const fan of fans) await fan.inject('GET', '/api/message/conversation-list');
  const conversation = await app.ctx.db.query
    .selectFrom('conversations')
    .select('id')
    .where('fan_id', '=', fans[1]?.id ?? '')
    .executeTakeFirstOrThrow();
  await fans[1]?.inject('POST', `/api/message/mute-unmute/${conversation.id}`, { isMuted: true });
  await deliver(2 * MINUTE_MS);
  expect(devices.map(countDelivered)).toEqual([1, 0]);
});
