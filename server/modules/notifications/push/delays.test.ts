import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { EventMap } from '../../../platform/events/event-types.ts';
import { createId } from '../../../platform/ids.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createFollow } from '../../content/follows/testing.ts';
import { makePost } from '../../content/posts/testing.ts';
import { hasVisiblePage } from '../../identity/presence/index.ts';
import { createCallPair, offerTestCall } from '../../messaging/calls/testing.ts';
import { openTab, seedMessage } from '../../messaging/chat/testing.ts';
import { notifyNextFollowers, notifyUsers } from '../notifications/testing.ts';
import { PUSH_RANKS, RING_RANK, URGENT_RANK } from './delivery-policy.ts';
import { schedulePushes } from './jobs.ts';
import { createPushSender } from './send.ts';
import { PUSH_JOB_NAMES, type PushService, startPushService } from './testing.ts';

const MINUTE = 60_000;

let app: TestApp;
let service: PushService;
let publicKey = '';
let port = 0;
beforeAll(async () => {
  service = await startPushService(() => publicKey);
  app = await createTestApp({ env: { PUSH_ALLOWED_ORIGINS: service.origin } });
  await app.ctx.realtime.attach(app.app.http.server);
  await app.app.http.listen({ port: 0, host: '127.0.0.1' });
  const address = app.app.http.server.address();
  port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const someone = await app.signUp('customer');
  publicKey = (await someone.inject('GET', '/api/web-notify/vapidPublicKey')).json().publicKey;
});
afterAll(async () => {
  await app.close();
  await service.close();
  expect(service.faults).toEqual([]);
});

const subscribe = async (user: TestUser, subscription: object): Promise<boolean> =>
  (await user.inject('POST', '/api/web-notify/subscribe', subscription)).json().success;
async function addDevice(user: TestUser): Promise<string> {
  const name = createId(app.clock);
  expect(await subscribe(user, service.device(name))).toBe(true);
  return name;
}
const listDelivered = (device: string) => service.delivered.filter((one) => one.device === device);
async function run(ms = 0): Promise<void> {
  await app.ctx.events.waitUntilIdle();
  app.clock.advance(ms);
  for (const rank of PUSH_RANKS) await schedulePushes(app.ctx, app.ctx.db, rank);
  await app.ctx.jobs.runDue(PUSH_JOB_NAMES);
}
async function emitEvent<T extends keyof EventMap & string>(type: T, payload: EventMap[T]): Promise<string> {
  const row = { type, payload: JSON.stringify(payload), event_id: createId(app.clock) };
  await app.owner.query.insertInto('outbox').values(row).execute();
  return row.event_id;
}
const debt = (user: TestUser) =>
  emitEvent('debt.changed', { fanId: user.id, change: 'owed', cents: 100, owedCents: 100, isBlocked: false });
const read = (user: TestUser, id: string) =>
  user.inject('POST', '/api/notifications/read', { upTo: id, group: { firstId: id } });
const unread = async (user: TestUser) => (await user.inject('GET', '/api/notifications/unread')).json().count;

async function openVisibleTab(user: TestUser) {
  const tab = await openTab(port, user.cookie);
  await vi.waitFor(() => expect(hasVisiblePage(app.ctx, user.id)).toBe(true), { timeout: 30_000 });
  return tab;
}
const isHidden = (user: TestUser) =>
  vi.waitFor(
    () => {
      app.clock.advance(2_000);
      expect(hasVisiblePage(app.ctx, user.id)).toBe(false);
    },
    { timeout: 30_000, interval: 200 },
  );

test('a visible page delays a push, a hidden one does not, and the push is sent unless it was read', async () => {
  const fan = await app.signUp('customer');
  const device = await addDevice(fan);
  const tab = await openVisibleTab(fan);
  await debt(fan);
  await run();
  expect(listDelivered(device)).toHaveLength(0);
  tab.send('USER_STATUS_ACTIVITY', { isActive: false });
  await isHidden(fan);
  await debt(fan);
  await run();
  expect(listDelivered(device)).toHaveLength(1);
  await run(MINUTE);
  expect(listDelivered(device)).toHaveLength(2);

  tab.send('USER_STATUS_ACTIVITY', { isActive: false, isVisible: true });
  await vi.waitFor(() => expect(hasVisiblePage(app.ctx, fan.id)).toBe(true), { timeout: 30_000 });
  const id = await debt(fan);
  await run();
  expect((await read(fan, id)).statusCode).toBe(200);
  tab.close();
  await isHidden(fan);
  await run(MINUTE);
  expect(listDelivered(device)).toHaveLength(2);
});

test('a delayed message push is sent unless the conversation was read, and a security push at once', async () => {
  const [fan, creator] = await Promise.all([app.signUp('customer'), app.signUp('creator')]);
  const device = await addDevice(fan);
  const tab = await openVisibleTab(fan);
  await emitEvent('account.secured', { userId: fan.id, change: 'newDevice', device: 'Firefox on Linux' });
  await run();
  expect(listDelivered(device)).toHaveLength(1);
  const say = async () => {
    const { conversationId } = await seedMessage(
      app.ctx,
      { creatorId: creator.id, fanId: fan.id },
      { from: 'creator', text: 'The kiln is open' },
    );
    await app.ctx.events.waitUntilIdle();
    return conversationId;
  };
  const countPushes = async () =>
    (await app.ctx.db.query.selectFrom('push_deliveries').select('kind').where('user_id', '=', fan.id).execute())
      .length;
  await say();
  await vi.waitFor(async () => expect(await countPushes()).toBe(2), { timeout: 30_000 });
  await run();
  const id = await say();
  await vi.waitFor(async () => expect(await countPushes()).toBe(3), { timeout: 30_000 });
  await run();
  expect(listDelivered(device)).toHaveLength(1);
  tab.send('USER_STATUS_ACTIVITY', { isActive: false });
  await isHidden(fan);
  await app.owner.query.updateTable('conversations').set({ fan_unread: 0 }).where('id', '=', id).execute();
  await run(MINUTE);
  expect(listDelivered(device)).toHaveLength(1);
  await say();
  await vi.waitFor(async () => expect(await countPushes()).toBe(4), { timeout: 30_000 });
  await run();
  expect(listDelivered(device)).toHaveLength(2);
  tab.close();
});

test('opening a push marks its notification as read, and no other user can do so', async () => {
  const [fan, other] = await Promise.all([app.signUp('customer'), app.signUp('customer')]);
  const device = await addDevice(fan);
  await debt(fan);
  const id = await debt(fan);
  await run();
  const urls = listDelivered(device).map(({ message }) => new URL(message.notification.navigate));
  expect(urls.map(({ searchParams }) => searchParams.get('alert'))).toContain(id);
  expect(await unread(fan)).toBe(2);
  expect((await read(other, id)).json()).toEqual({ count: 0 });
  expect(await unread(fan)).toBe(2);
  expect((await read(fan, id)).json()).toEqual({ count: 1 });
});

test('pushes of the same kind are shown separately, each with a sound', async () => {
  const fan = await app.signUp('customer');
  const device = await addDevice(fan);
  for (let count = 0; count < 2; count += 1) await debt(fan);
  await run();
  const [one, two] = listDelivered(device);
  expect(one?.message.notification).toMatchObject({ renotify: true });
  expect(one?.message.notification.tag).not.toBe(two?.message.notification.tag);
  expect(one?.headers.topic).toMatch(/^[\w-]{1,32}$/);
  expect(one?.headers.topic).not.toBe(two?.headers.topic);
});

test('a post that is taken down is not announced to further followers and not pushed', async () => {
  const creator = await app.signUp('creator');
  const fans = await Promise.all(Array.from({ length: 3 }, () => app.signUp('customer')));
  for (const fan of fans) await createFollow(app.ctx, fan.id, creator.id);
  const devices = [];
  for (const fan of fans) devices.push(await addDevice(fan));
  const subjectId = await makePost(app.ctx, creator.id, { caption: 'Moon jar' });
  // The state after one batch of an unfinished job.
  await notifyNextFollowers(
    app.ctx,
    { id: createId(app.clock), kind: 'newPost', creatorId: creator.id, subjectId },
    null,
    1,
  );
  expect((await creator.inject('DELETE', `/api/post/${subjectId}`)).statusCode).toBeLessThan(300);
  await run();
  expect(devices.flatMap(listDelivered)).toEqual([]);
  const rows = await app.ctx.db.query.selectFrom('notifications').select('user_id').where('by_id', '=', creator.id);
  expect(await rows.where('kind', '=', 'newPost').execute()).toHaveLength(1);
  for (const fan of fans) expect(await unread(fan)).toBe(0);
});

test('notifications about a blocked user are no longer listed, counted, named or pushed', async () => {
  const [one, two, fan] = [await app.signUp('creator'), await app.signUp('creator'), await app.signUp('customer')];
  for (const creator of [one, two]) await createFollow(app.ctx, fan.id, creator.id);
  const device = await addDevice(fan);
  for (const creator of [one, two]) await makePost(app.ctx, creator.id);
  await emitEvent('chat.approved', { conversationId: createId(app.clock), creatorId: one.id, fanId: fan.id });
  await emitEvent('chat.requested', { conversationId: createId(app.clock), creatorId: one.id, fanId: fan.id });
  await app.ctx.events.waitUntilIdle();
  const listGroups = async (user: TestUser) => (await user.inject('GET', '/api/notifications')).json().data;
  const named = async (user: TestUser) =>
    (await listGroups(user)).map(({ kind, userCount }: { kind: string; userCount: number }) => [kind, userCount]);
  expect((await named(fan)).sort()).toEqual([
    ['chatApprove', 1],
    ['newPost', 2],
  ]);
  expect([await unread(fan), await unread(one)]).toEqual([2, 1]);
  const blocked = await one.inject('POST', `/api/message/block-unblock-customer/${fan.id}`, { isBlocked: true });
  expect(blocked.statusCode, blocked.body).toBe(200);
  expect(await named(fan)).toEqual([['newPost', 1]]);
  expect(await named(one)).toEqual([]);
  expect([await unread(fan), await unread(one)]).toEqual([1, 0]);
  await run();
  const urls = listDelivered(device).map(({ message }) => message.notification.navigate);
  expect(urls).toHaveLength(1);

  await emitEvent('sale.refunded', {
    ...{ transactionId: createId(app.clock), refundId: createId(app.clock), kind: 'tip', subjectId: null },
    ...{ fanId: fan.id, creatorId: one.id, refundedCents: 500, netCents: 0, isWhole: true },
    ...{ balanceCents: 500, balanceLine: 1 },
  });
  await app.ctx.events.waitUntilIdle();
  expect((await listGroups(one)).map(({ kind }: { kind: string }) => kind)).toEqual(['saleRefunded']);
  await run();
  expect(listDelivered(device)).toHaveLength(2);
});

test('a renewed subscription replaces only a device of the same session', async () => {
  const [fan, other] = await Promise.all([app.signUp('customer'), app.signUp('customer')]);
  const [old, renewed, another] = ['old', 'renewed', 'another'].map((name) => service.device(name));
  const renew = (user: TestUser, device: object | undefined, replaces: string | undefined) =>
    subscribe(user, { ...device, isRenewal: true, replaces });
  expect(await subscribe(fan, old ?? {})).toBe(true);
  expect(await renew(other, renewed, old?.endpoint)).toBe(false);
  expect(await renew(fan, renewed, another?.endpoint)).toBe(false);
  expect(await renew(await app.logIn(fan), renewed, old?.endpoint)).toBe(false);
  expect(await renew(fan, renewed, old?.endpoint)).toBe(true);
  await debt(fan);
  await run();
  expect([listDelivered('old').length, listDelivered('renewed').length]).toEqual([0, 1]);
});

test('a call rings while pushes to many followers wait for a slow service', async () => {
  const pair = await createCallPair(app);
  const phone = await addDevice(pair.creator);
  const author = await app.signUp('creator');
  const fans = await Promise.all(Array.from({ length: 8 }, () => app.signUp('customer')));
  for (const fan of fans) {
    await createFollow(app.ctx, fan.id, author.id);
    service.answer(await addDevice(fan), 'hang');
  }
  const subjectId = await makePost(app.ctx, author.id);
  await notifyNextFollowers(
    app.ctx,
    { id: createId(app.clock), kind: 'newPost', creatorId: author.id, subjectId },
    null,
  );
  let isDone = false;
  const sending = app.ctx.jobs.runDue(['push.sendNormal']).then(() => (isDone = true));
  await offerTestCall(pair);
  await app.ctx.events.waitUntilIdle();
  await app.ctx.jobs.runDue(['push.sendRings']);
  expect(listDelivered(phone).map(({ message }) => message.notification.body)).toEqual(['Incoming call']);
  expect(isDone).toBe(false);
  service.closeHanging();
  await sending;
});

test('a ring waits neither for an earlier ring nor for urgent pushes to a silent service', async () => {
  const [first, second] = [await createCallPair(app), await createCallPair(app)];
  const [silent, phone] = [await addDevice(first.creator), await addDevice(second.creator)];
  const slow = await addDevice(first.fan);
  for (const device of [silent, slow]) service.answer(device, 'hang');
  const ring = createPushSender(app.ctx, RING_RANK);
  await emitEvent('account.secured', { userId: first.fan.id, change: 'passwordChanged', device: '' });
  await offerTestCall(first);
  await app.ctx.events.waitUntilIdle();
  let over = 0;
  const waiting = [createPushSender(app.ctx, URGENT_RANK)(), ring()].map((sending) => sending.then(() => (over += 1)));
  for (const device of [silent, slow])
    await vi.waitFor(() => expect(service.countRequests(device)).toBe(1), { timeout: 30_000 });
  await offerTestCall(second);
  await app.ctx.events.waitUntilIdle();
  await ring();
  expect(listDelivered(phone).map(({ message }) => message.notification.body)).toEqual(['Incoming call']);
  expect(over).toBe(0);
  service.closeHanging();
  await Promise.all(waiting);
});

test('quiet hours and the hourly cap delay pushes about payouts and drop pushes about sales', async () => {
  const [creator, other] = [await app.signUp('creator'), await app.signUp('customer')];
  const device = await addDevice(creator);
  const settings = (changes: object) => creator.inject('PUT', '/api/notifications/settings', changes);
  const at = (ms: number) => new Date(app.clock.now().getTime() + ms).toISOString().slice(11, 16);
  await settings({ quietFrom: at(-MINUTE), quietUntil: at(90 * MINUTE), timeZone: 'UTC', pushesPerHour: 1 });
  const paid = () => {
    const payout = { payoutId: createId(app.clock), userId: creator.id, amountCents: 5_000 };
    return emitEvent('payout.changed', { ...payout, source: 'earnings', event: 'paid' });
  };
  const outcomes = async () => {
    const rows = app.ctx.db.query.selectFrom('push_deliveries').select('outcome').where('user_id', '=', creator.id);
    return (await rows.orderBy('event_id').execute()).map(({ outcome }) => outcome);
  };
  await paid();
  const seen = await paid();
  await emitEvent('sale.made', {
    ...{ transactionId: createId(app.clock), kind: 'tip', fanId: other.id, creatorId: creator.id, subjectId: null },
    ...{ grossCents: 2_000, netCents: 1_600, balanceCents: 0, balanceLine: 1, tipType: null },
    at: app.clock.now().toISOString(),
  });
  await run();
  expect(await outcomes()).toEqual([null, null, 'quiet']);
  await run(80 * MINUTE);
  expect(listDelivered(device)).toEqual([]);
  await read(creator, seen);
  await run(10 * MINUTE);
  expect(await outcomes()).toEqual(['sent', 'seen', 'quiet']);
  expect(listDelivered(device)).toHaveLength(1);
  await paid();
  await run();
  await run(50 * MINUTE);
  expect(listDelivered(device)).toHaveLength(1);
  await run(11 * MINUTE);
  expect(listDelivered(device)).toHaveLength(2);
});

test('every push about the user’s own money waits for the end of quiet hours', async () => {
  const fan = await app.signUp('customer');
  const device = await addDevice(fan);
  const at = (ms: number) => new Date(app.clock.now().getTime() + ms).toISOString().slice(11, 16);
  const quiet = { quietFrom: at(-MINUTE), quietUntil: at(60 * MINUTE), timeZone: 'UTC', pushesPerHour: 60 };
  await fan.inject('PUT', '/api/notifications/settings', quiet);
  const back = ['depositFailed', 'paymentReturned', 'refund', 'saleRefunded', 'holdExpired'];
  const kinds = ['depositArrived', ...back, 'debt', 'payout'];
  for (const kind of kinds) {
    const notifications = [{ userId: fan.id, id: createId(app.clock), cents: 500 }];
    await notifyUsers(app.ctx, kind, notifications);
  }
  const outcomes = async () => {
    const rows = app.ctx.db.query
      .selectFrom('push_deliveries')
      .select(['kind', 'outcome'])
      .where('user_id', '=', fan.id);
    return (await rows.orderBy('event_id').execute()).map(({ kind, outcome }) => [kind, outcome]);
  };
  await run();
  expect(await outcomes()).toEqual(kinds.map((kind) => [kind, null]));
  expect(listDelivered(device)).toEqual([]);
  await run(60 * MINUTE);
  expect(await outcomes()).toEqual(kinds.map((kind) => [kind, 'sent']));
  expect(listDelivered(device)).toHaveLength(kinds.length);
});

test('a creator who turned off call pushes gets no call push on any device and can be called on the page', async () => {
  const pair = await createCallPair(app);
  const phone = await addDevice(pair.creator);
  const preferences = { incomingVideoCall: { push: false } };
  await pair.creator.inject('PUT', '/api/customer/update-notification-preferences', preferences);
  await offerTestCall(pair);
  await run();
  expect(listDelivered(phone)).toEqual([]);
});

test('the app badge counts notifications and unread messages, without muted conversations', async () => {
  const [fan, creator, still] = [
    await app.signUp('customer'),
    await app.signUp('creator'),
    await app.signUp('creator'),
  ];
  const device = await addDevice(fan);
  const say = (by: TestUser) =>
    seedMessage(app.ctx, { creatorId: by.id, fanId: fan.id }, { from: 'creator', text: 'The kiln is open' });
  for (let count = 0; count < 2; count += 1) await say(creator);
  const { conversationId } = await say(still);
  await fan.inject('POST', `/api/message/mute-unmute/${conversationId}`, { isMuted: true });
  expect((await fan.inject('GET', '/api/message/un-read-count')).json()).toMatchObject({ count: 3, unmutedCount: 2 });
  await debt(fan);
  await run();
  const badges = () => listDelivered(device).map(({ message }) => message.app_badge);
  await vi.waitFor(
    async () => {
      await run();
      expect(badges().length).toBeGreaterThan(1);
    },
    { timeout: 30_000 },
  );
  expect(badges().at(-1)).toBe(3);
});
