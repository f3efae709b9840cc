import { createECDH } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { EventMap } from '../../../platform/events/event-types.ts';
import { createId } from '../../../platform/ids.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createFollow } from '../../content/follows/testing.ts';
import { makePost } from '../../content/posts/testing.ts';
import { addOnlineDevice, getPresence } from '../../identity/presence/index.ts';
import {
  actOnCall,
  CREATOR_DEVICE,
  createCallPair,
  offerTestCall,
  startTestCall,
} from '../../messaging/calls/testing.ts';
import { seedMessage } from '../../messaging/chat/testing.ts';
import { NORMAL_RANK, PUSH_RANKS } from './delivery-policy.ts';
import { schedulePushes } from './jobs.ts';
import { createPushSender } from './send.ts';
import { PUSH_JOB_NAMES, type PushService, startPushService } from './testing.ts';
import { toTopic } from './web-push.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let app: TestApp;
let service: PushService;
let publicKey = '';
beforeAll(async () => {
  service = await startPushService(() => publicKey);
  app = await createTestApp({ env: { PUSH_ALLOWED_ORIGINS: service.origin, PUSH_TIMEOUT_MS: '1000' } });
  const someone = await app.signUp('customer');
  publicKey = (await someone.inject('GET', '/api/web-notify/vapidPublicKey')).json().publicKey;
});
afterAll(async () => {
  await app.close();
  await service.close();
  expect(service.faults).toEqual([]);
});

const subscribe = async (user: TestUser, subscription: object): Promise<boolean> => {
  const answer = await user.inject('POST', '/api/web-notify/subscribe', subscription);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().success;
};
async function addDevice(user: TestUser): Promise<string> {
  const name = createId(app.clock);
  expect(await subscribe(user, service.device(name))).toBe(true);
  return name;
}
const putJson = async (user: TestUser, url: string, body: object) => {
  const answer = await user.inject('PUT', `/api${url}`, body);
  expect(answer.statusCode, answer.body).toBe(200);
};
const listDelivered = (device: string) => service.delivered.filter((one) => one.device === device);
async function run(): Promise<void> {
  await app.ctx.events.waitUntilIdle();
  await app.ctx.jobs.runDue(PUSH_JOB_NAMES);
  const failed = await app.owner.pool.query('select last_error from graphile_worker.jobs where last_error is not null');
  expect(failed.rows).toEqual([]);
}
async function runLater(ms: number): Promise<void> {
  app.clock.advance(ms);
  for (const rank of PUSH_RANKS) await schedulePushes(app.ctx, app.ctx.db, rank);
  await app.ctx.jobs.runDue(PUSH_JOB_NAMES);
}
const outcomes = async (user: TestUser) =>
  (
    await app.ctx.db.query
      .selectFrom('push_deliveries')
      .select('outcome')
      .where('user_id', '=', user.id)
      .orderBy('created_at')
      .orderBy('event_id')
      .execute()
  ).map(({ outcome }) => outcome);

async function runAtOnce(): Promise<void> {
  await app.ctx.events.waitUntilIdle();
  await Promise.all(Array.from({ length: 4 }, () => createPushSender(app.ctx, NORMAL_RANK)()));
}

async function emitEvent<T extends keyof EventMap & string>(
  type: T,
  payload: EventMap[T],
  eventId = createId(app.clock),
  send = run,
) {
  const row = { type, payload: JSON.stringify(payload), event_id: eventId };
  await app.owner.query.insertInto('outbox').values(row).execute();
  await send();
  return eventId;
}
const tip = (fan: TestUser, creator: TestUser) => ({
  ...{ transactionId: createId(app.clock), kind: 'tip', fanId: fan.id, creatorId: creator.id, subjectId: null },
  ...{ grossCents: 2_000, netCents: 1_600, balanceCents: 0, balanceLine: 1, tipType: null },
  at: app.clock.now().toISOString(),
});
const secured = (user: TestUser) => ({ userId: user.id, change: 'passwordChanged' as const, device: '' });

test('each device gets a push once, without details until the user allows them, while its session lasts', async () => {
  const [fan, creator] = await Promise.all([app.signUp('customer'), app.signUp('creator')]);
  const [first, second] = [await addDevice(creator), await addDevice(creator)];
  const sale = tip(fan, creator);
  const id = await emitEvent('sale.made', sale, createId(app.clock), runAtOnce);
  await emitEvent('sale.made', sale, id);
  for (const device of [first, second]) expect(listDelivered(device), device).toHaveLength(1);
  const [discreet] = listDelivered(first);
  expect(discreet?.message.notification).toMatchObject({
    title: 'Stagedoor',
    body: 'Something new for you',
    tag: `tip-${id}`,
    renotify: true,
    badge: `${app.ctx.config.publicUrl}/badge-96.png`,
  });
  const shown = JSON.stringify(discreet?.message).replaceAll(id, '');
  expect(shown).not.toMatch(new RegExp(`${fan.username}|16|20`));
  expect(discreet?.message.notification.navigate).toBe(`${app.ctx.config.publicUrl}/creator/earning?alert=${id}`);
  expect(discreet?.headers).toMatchObject({ ttl: '86400', urgency: 'normal', topic: toTopic(`tip-${id}`) });
  const own = await addDevice(fan);
  await putJson(creator, '/notifications/settings', { isDiscreet: false });
  await emitEvent('sale.made', tip(fan, creator));
  expect(listDelivered(own)).toHaveLength(0);
  expect(listDelivered(first)[1]?.message.notification).toMatchObject({
    title: expect.stringMatching(/ tipped you$/),
    body: '$16.00 earned',
  });
  for (const { bytes } of service.delivered) expect(bytes).toBeLessThan(3_000);
  await putJson(creator, '/customer/update-notification-preferences', { tip: { push: false } });
  await emitEvent('sale.made', tip(fan, creator));
  expect(listDelivered(first)).toHaveLength(2);
  expect((await creator.inject('POST', '/api/auth/logout')).statusCode).toBe(200);
  const back = await app.logIn(creator);
  const third = await addDevice(back);
  await emitEvent('account.secured', secured(creator));
  expect([listDelivered(first), listDelivered(third)].map(({ length }) => length)).toEqual([2, 1]);
});

test('only known services, valid keys and twenty devices are accepted, and an endpoint follows its user', async () => {
  const fan = await app.signUp('customer');
  const keys = service.device('whole').keys;
  for (const endpoint of [
    'http://fcm.googleapis.com/fcm/send/a',
    'https://fcm.googleapis.com:8443/a',
    'https://fcm.googleapis.com.evil.example/a',
    'https://evil.example/?fcm.googleapis.com',
    'https://a@fcm.googleapis.com/a',
    'https://notify.windows.com.evil.example/a',
    'https://127.0.0.1/a',
    'https://[::1]/a',
    'https://10.0.0.7/a',
    'https://192.168.1.1/a',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/a',
    `${service.origin.replace('127.0.0.1', 'localhost')}/push/a`,
    'file:///etc/passwd',
    'no address',
  ])
    expect(await subscribe(fan, { endpoint, keys }), endpoint).toBe(false);
  for (const host of [
    'fcm.googleapis.com',
    'web.push.apple.com',
    'db5p.notify.windows.com',
    'a.push.services.mozilla.com',
  ])
    expect(await subscribe(fan, { endpoint: `https://${host}/${fan.id}`, keys }), host).toBe(true);
  const endpoint = `${service.origin}/push/keys`;
  const point = Buffer.from(keys.p256dh, 'base64url');
  const compressed = createECDH('prime256v1').generateKeys('base64url', 'compressed');
  const offCurve = Buffer.concat([point.subarray(0, 64), Buffer.from([(point[64] ?? 0) ^ 1])]).toString('base64url');
  for (const bad of [
    { p256dh: compressed },
    { p256dh: offCurve },
    { p256dh: point.subarray(0, 64).toString('base64url') },
    { p256dh: '' },
    { auth: Buffer.alloc(15).toString('base64url') },
    { auth: 'not base64!' },
  ])
    expect(await subscribe(fan, { endpoint, keys: { ...keys, ...bad } }), JSON.stringify(bad)).toBe(false);
  expect(await subscribe(fan, { deviceToken: 'a'.repeat(64) })).toBe(false);

  const many = await app.signUp('customer');
  const names = [];
  for (let count = 0; count < 23; count += 1) names.push(await addDevice(many));
  await emitEvent('account.secured', secured(many));
  expect(names.map((name) => listDelivered(name).length)).toEqual(names.map((_, index) => (index < 3 ? 0 : 1)));

  const shared = service.device('shared');
  expect([await subscribe(fan, shared), await subscribe(many, shared)]).toEqual([true, true]);
  expect((await fan.inject('POST', '/api/web-notify/unsubscribe', { endpoint: shared.endpoint })).json().success).toBe(
    false,
  );
  await emitEvent('account.secured', secured(fan));
  expect(listDelivered('shared')).toHaveLength(0);
  await emitEvent('account.secured', secured(many));
  expect(listDelivered('shared')).toHaveLength(1);
});

test('a service that is gone, full, busy, broken, refusing or silent is handled as the protocol requires', async () => {
  const fan = await app.signUp('customer');
  const refused = vi.spyOn(app.ctx.log, 'error').mockImplementation(() => undefined);
  const pushWithAnswers = async (
    ...answers: Parameters<PushService['answer']> extends [string, ...infer A] ? A : never
  ) => {
    const device = await addDevice(fan);
    service.answer(device, ...answers);
    await emitEvent('account.secured', secured(fan));
    return device;
  };
  const isSubscribed = async (device: string) => {
    const endpoint = `${service.origin}/push/${device}`;
    return (await fan.inject('POST', '/api/web-notify/unsubscribe', { endpoint })).json().success;
  };
  for (const status of [404, 410])
    expect(await isSubscribed(await pushWithAnswers({ status })), String(status)).toBe(false);
  for (const status of [400, 401, 403, 302]) {
    const device = await pushWithAnswers({ status, headers: { location: `${service.origin}/push/elsewhere` } });
    await runLater(HOUR);
    expect([service.countRequests(device), service.countRequests('elsewhere')]).toEqual([1, 0]);
    expect(await isSubscribed(device), String(status)).toBe(true);
  }
  expect(refused).toHaveBeenCalledTimes(4);
  refused.mockRestore();
  const full = await pushWithAnswers({ status: 413 });
  expect(listDelivered(full)[0]?.message).toEqual({
    web_push: 8030,
    notification: expect.objectContaining({ title: 'Stagedoor' }),
  });
  const busy = await pushWithAnswers({ status: 429, headers: { 'retry-after': '600' } }, { status: 500 });
  await runLater(9 * MINUTE);
  expect(service.countRequests(busy)).toBe(1);
  await runLater(2 * MINUTE);
  expect([service.countRequests(busy), listDelivered(busy).length]).toEqual([2, 0]);
  await runLater(2 * MINUTE);
  expect(listDelivered(busy)).toHaveLength(1);
  const silent = await pushWithAnswers('hang');
  await runLater(HOUR);
  // The push may have arrived, so it is not repeated.
  expect([service.countRequests(silent), listDelivered(silent).length]).toEqual([1, 0]);
});

test('quiet hours, the hourly cap and a visible page stop pushes, but not those about account security', async () => {
  const [fan, creator] = await Promise.all([app.signUp('customer'), app.signUp('creator')]);
  const device = await addDevice(creator);
  const quiet = { quietFrom: '00:00', quietUntil: '23:59', timeZone: 'Pacific/Auckland', pushesPerHour: 2 };
  await putJson(creator, '/notifications/settings', quiet);
  await emitEvent('sale.made', tip(fan, creator));
  await emitEvent('account.secured', secured(creator));
  expect(await outcomes(creator)).toEqual(['quiet', 'sent']);
  await putJson(creator, '/notifications/settings', { quietFrom: null });
  for (let count = 0; count < 4; count += 1) await emitEvent('sale.made', tip(fan, creator));
  expect((await outcomes(creator)).slice(2)).toEqual(['sent', 'sent', 'capped', 'capped']);
  app.clock.advance(HOUR + MINUTE);
  await emitEvent('sale.made', tip(fan, creator));
  expect(listDelivered(device)).toHaveLength(4);
  addOnlineDevice(app.ctx, creator.id, 'creator', 'tab');
  await emitEvent('account.secured', secured(creator));
  expect((await outcomes(creator)).at(-1)).toBe('sent');
});

test('followers get pushes of posts and messages unless they muted the creator or the conversation', async () => {
  const creator = await app.signUp('creator');
  const [loud, still, optedOut] = await Promise.all([1, 2, 3].map(() => app.signUp('customer')));
  if (!loud || !still || !optedOut) throw new Error('no fans');
  for (const fan of [loud, still, optedOut]) await createFollow(app.ctx, fan.id, creator.id);
  for (const fan of [still, optedOut])
    await putJson(fan, `/notifications/muted-creators/${creator.id}`, { isPushEnabled: false });
  expect((await still.inject('GET', '/api/notifications/muted-creators')).json()).toEqual({ creatorIds: [creator.id] });
  expect(
    (await still.inject('PUT', `/api/notifications/muted-creators/${still.id}`, { isPushEnabled: false })).statusCode,
  ).toBe(404);
  const [ofLoud, ofStill, ofOptedOut] = [await addDevice(loud), await addDevice(still), await addDevice(optedOut)];
  await putJson(optedOut, '/customer/update-notification-preferences', { newMessage: { push: false } });
  await makePost(app.ctx, creator.id, { caption: 'Moon jar' });
  await run();
  expect([listDelivered(ofLoud).length, listDelivered(ofStill).length]).toEqual([1, 0]);
  const say = (fan: TestUser, from: 'creator' | 'fan' = 'creator') =>
    seedMessage(app.ctx, { creatorId: creator.id, fanId: fan.id }, { from, text: 'The kiln is open' });
  const { conversationId } = await say(still, 'fan');
  expect((await still.inject('POST', `/api/message/mute-unmute/${conversationId}`, { isMuted: true })).statusCode).toBe(
    200,
  );
  await say(still);
  await say(optedOut);
  const { conversationId: tag } = await say(loud);
  await say(loud);
  await app.ctx.events.waitUntilIdle();
  await vi.waitFor(async () => expect((await outcomes(loud)).length).toBe(2), { timeout: 30_000 });
  await run();
  expect(listDelivered(ofStill)).toHaveLength(0);
  expect(listDelivered(ofLoud)).toHaveLength(2);
  expect(listDelivered(ofLoud)[1]).toMatchObject({
    headers: { topic: toTopic(`chat-${tag}`), urgency: 'high' },
    message: { notification: { tag: `chat-${tag}`, body: 'Something new for you' } },
  });
  const body = { audience: 'followers', text: 'Tonight at nine' };
  expect((await creator.inject('POST', '/api/message/broadcast-text', body)).statusCode).toBe(200);
  await run();
  expect([ofLoud, ofStill, ofOptedOut].map((device) => listDelivered(device).length)).toEqual([3, 0, 0]);
  expect(await outcomes(optedOut)).toEqual([]);
});

test('a push of a message that the database refused once is sent later', async () => {
  const [fan, creator] = await Promise.all([app.signUp('customer'), app.signUp('creator')]);
  const device = await addDevice(fan);
  await seedMessage(app.ctx, { creatorId: creator.id, fanId: fan.id }, { from: 'fan', text: 'Hello' });
  const logError = vi.spyOn(app.ctx.log, 'error');
  await app.owner.pool.query('alter table push_deliveries rename to missing_push_deliveries');
  await seedMessage(app.ctx, { creatorId: creator.id, fanId: fan.id }, { from: 'creator', text: 'The kiln is open' });
  await app.ctx.events.waitUntilIdle();
  await vi.waitFor(() => expect(logError).toHaveBeenCalledWith(expect.anything(), 'messages were not pushed'), {
    timeout: 30_000,
  });
  await app.owner.pool.query('alter table missing_push_deliveries rename to push_deliveries');
  await vi.waitFor(async () => expect((await outcomes(fan)).length).toBe(1), { timeout: 30_000 });
  await run();
  expect(listDelivered(device)).toHaveLength(1);
});

test('expired pushes and pushes of ended sessions are not sent', async () => {
  const [fan, creator] = await Promise.all([app.signUp('customer'), app.signUp('creator')]);
  const device = await addDevice(creator);
  const waits = () =>
    emitEvent('sale.made', tip(fan, creator), createId(app.clock), () => app.ctx.events.waitUntilIdle().then());
  await waits();
  await runLater(24 * HOUR);
  await waits();
  await app.owner.query
    .updateTable('sessions')
    .set({ expires_at: app.clock.now() })
    .where('user_id', '=', creator.id)
    .execute();
  await runLater(0);
  expect(await outcomes(creator)).toEqual(['late', 'left']);
  expect(listDelivered(device)).toEqual([]);
});

test('a call rings on every device, also in quiet hours and with an open page, until it is answered', async () => {
  const pair = await createCallPair(app);
  const { creator, fan } = pair;
  const device = await addDevice(creator);
  await putJson(creator, '/notifications/settings', { quietFrom: '00:00', quietUntil: '23:59', pushesPerHour: 1 });
  const id = await offerTestCall(pair);
  await run();
  expect(listDelivered(device)).toHaveLength(1);
  expect(listDelivered(device)[0]).toMatchObject({
    headers: { ttl: '45', urgency: 'high', topic: toTopic(id) },
    message: { notification: { tag: id, requireInteraction: true, renotify: true, body: 'Incoming call' } },
  });
  expect((await actOnCall(creator, 'received', id, CREATOR_DEVICE)).statusCode).toBe(200);
  await run();
  expect((await actOnCall(fan, 'end', id)).statusCode).toBeLessThan(300);
  await run();
  expect(listDelivered(device)).toHaveLength(2);
  expect(listDelivered(device)[1]?.message.notification).toMatchObject({
    tag: id,
    silent: true,
    data: { close: true },
  });
});

test('a creator without an open page can be called only where a device rings', async () => {
  const pair = await createCallPair(app);
  const { creator } = pair;
  app.clock.advance(3 * MINUTE);
  await vi.waitFor(() => expect(getPresence(app.ctx, creator.id)).toBe('offline'), { timeout: 30_000 });
  const call = async () => (await startTestCall(pair)).json();
  expect(await call()).toMatchObject({ reason: 'offline' });
  const device = await addDevice(creator);
  await putJson(creator, '/customer/update-notification-preferences', { incomingVideoCall: false });
  expect(await call()).toMatchObject({ reason: 'offline' });
  await putJson(creator, '/customer/update-notification-preferences', { incomingVideoCall: true });
  const { callLogId, reason } = await call();
  expect(reason).toBeNull();
  await run();
  expect(listDelivered(device).map(({ message }) => message.notification.tag)).toEqual([callLogId]);
  expect((await creator.inject('GET', '/api/call/current')).json()).toMatchObject({
    call: { session: { callLogId } },
  });
  expect((await actOnCall(pair.fan, 'cancelled', callLogId)).statusCode).toBe(200);
  await run();
  const shown = listDelivered(device).map(({ message: { notification } }) => [
    notification.tag,
    notification.data?.close,
  ]);
  expect(shown.slice(1).sort()).toEqual(
    [
      [callLogId, true],
      [`incomingVideoCall-${callLogId}`, undefined],
    ].sort(),
  );
});
