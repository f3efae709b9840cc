import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createId } from '../../../platform/ids.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { URGENT_RANK } from './delivery-policy.ts';
import { schedulePushes } from './jobs.ts';
import { PUSH_JOB_NAMES, type PushService, startPushService } from './testing.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let app: TestApp;
let service: PushService;
let publicKey = '';
beforeAll(async () => {
  service = await startPushService(() => publicKey);
  app = await createTestApp({ env: { PUSH_ALLOWED_ORIGINS: service.origin, TRUST_PROXY: '127.0.0.1' } });
  const someone = await app.signUp('customer');
  publicKey = (await someone.inject('GET', '/api/web-notify/vapidPublicKey')).json().publicKey;
});
afterAll(async () => {
  await app.close();
  await service.close();
  expect(service.faults).toEqual([]);
});

type Listed = { id: string; name: string; since: string; lastPushedAt: string | null; isCurrent: boolean };
const list = async (user: TestUser): Promise<Listed[]> =>
  (await user.inject('GET', '/api/notifications/devices')).json().data;
const subscribe = (user: TestUser, device: string, more: object = {}, headers = {}) =>
  user.inject('POST', '/api/web-notify/subscribe', { ...service.device(device), ...more }, headers);
async function addDevice(user: TestUser): Promise<string> {
  const name = createId(app.clock);
  expect((await subscribe(user, name)).json()).toEqual({ success: true });
  return name;
}
async function emitSecurityEvent(user: TestUser): Promise<void> {
  const payload = JSON.stringify({ userId: user.id, change: 'passwordChanged', device: '' });
  const row = { type: 'account.secured', payload, event_id: createId(app.clock) };
  await app.owner.query.insertInto('outbox').values(row).execute();
  await app.ctx.events.waitUntilIdle();
  await app.ctx.jobs.runDue(PUSH_JOB_NAMES);
}
const countDelivered = (device: string) => service.delivered.filter((one) => one.device === device).length;

test('a user sees and removes push devices, and a removed one returns only when the user enables it', async () => {
  const fan = await app.signUp('customer');
  const phone = await app.logIn(fan);
  const other = await app.signUp('customer');
  const here = service.device('here');
  expect((await fan.inject('POST', '/api/web-notify/subscribe', here)).json()).toEqual({ success: true });
  app.clock.advance(MINUTE);
  const there = service.device('there');
  expect((await phone.inject('POST', '/api/web-notify/subscribe', there)).json()).toEqual({ success: true });
  const since = app.clock.now().toISOString();
  expect((await list(fan)).map(({ isCurrent, lastPushedAt }) => [isCurrent, lastPushedAt])).toEqual([
    [true, null],
    [false, null],
  ]);
  await emitSecurityEvent(fan);
  app.clock.advance(MINUTE);
  const [first, second] = await list(phone);
  expect(first).toMatchObject({ name: expect.any(String), since, lastPushedAt: since, isCurrent: true });
  expect(JSON.stringify([first, second])).not.toContain('push/');
  if (!first || !second) throw new Error('expected two devices');

  expect((await other.inject('DELETE', `/api/notifications/devices/${first.id}`)).statusCode).toBe(404);
  expect((await fan.inject('DELETE', '/api/notifications/devices/nothing')).statusCode).toBe(404);
  const removed = await fan.inject('DELETE', `/api/notifications/devices/${first.id}`);
  expect(removed.json().data).toEqual([expect.objectContaining({ id: second.id, isCurrent: true })]);
  expect((await fan.inject('DELETE', `/api/notifications/devices/${first.id}`)).statusCode).toBe(404);
  await emitSecurityEvent(fan);
  expect([countDelivered('here'), countDelivered('there')]).toEqual([2, 1]);
  const renew = (by: TestUser) => by.inject('POST', '/api/web-notify/subscribe', { ...there, isRenewal: true });
  expect((await renew(phone)).json()).toEqual({ success: false });
  expect((await renew(await app.logIn(fan))).json()).toEqual({ success: false });
  expect((await phone.inject('POST', '/api/web-notify/subscribe', there)).json()).toEqual({ success: true });
  expect((await renew(phone)).json()).toEqual({ success: true });
  expect(await list(fan)).toHaveLength(2);

  const remaining = await phone.inject('DELETE', '/api/notifications/devices');
  expect(remaining.json().data).toEqual([expect.objectContaining({ isCurrent: true })]);
  expect((await renew(fan)).statusCode).toBe(200);
  await emitSecurityEvent(fan);
  expect([countDelivered('here'), countDelivered('there')]).toEqual([2, 2]);
  expect(await list(other)).toEqual([]);
});

test('beyond the limit the device without a push for longest is removed', async () => {
  const fan = await app.signUp('customer');
  const names: string[] = [];
  for (let count = 0; count < 20; count += 1) {
    names.push(await addDevice(fan));
    app.clock.advance(MINUTE);
  }
  const [oldest = '', second = ''] = names;
  for (const name of names.slice(1)) service.answer(name, { status: 413 }, { status: 413 });
  await emitSecurityEvent(fan);
  await addDevice(fan);
  await emitSecurityEvent(fan);
  expect([countDelivered(oldest), countDelivered(second)]).toEqual([2, 0]);
  expect(await list(fan)).toHaveLength(20);
});

test('subscriptions are limited per account and per network, and other users are not affected', async () => {
  const strict = await createTestApp({
    env: { PUSH_ALLOWED_ORIGINS: service.origin, RATE_LIMIT_FACTOR: '0.4', TRUST_PROXY: '127.0.0.1' },
  });
  try {
    const flood = { 'x-forwarded-for': '203.0.113.5' };
    const fan = await strict.signUp('customer');
    const tried = [];
    for (let count = 0; count < 60; count += 1)
      tried.push((await subscribe(fan, `flood-${count}`, {}, flood)).statusCode);
    expect(tried.filter((status) => status === 200)).toHaveLength(24);
    expect(tried.slice(24).every((status) => status === 429)).toBe(true);
    expect(await list(fan)).toHaveLength(20);
    let addedCount = 24;
    for (let account = 0; account < 12; account += 1) {
      const next = await strict.signUp('customer');
      for (let count = 0; count < 24; count += 1)
        if ((await subscribe(next, `flood-${account}-${count}`, {}, flood)).statusCode === 200) addedCount += 1;
    }
    // What was refused to an account does not count for the network.
    expect(addedCount).toBe(240);
    const neighbour = await strict.signUp('customer');
    expect((await subscribe(neighbour, 'neighbour', {}, flood)).statusCode).toBe(429);
    const elsewhere = { 'x-forwarded-for': '203.0.113.6' };
    const subscription = service.device('elsewhere');
    const resubscribe = () => neighbour.inject('POST', '/api/web-notify/subscribe', subscription, elsewhere);
    expect((await resubscribe()).json()).toEqual({ success: true });
    const repeated = await neighbour.inject('POST', '/api/web-notify/subscribe', subscription, flood);
    expect(repeated.json()).toEqual({ success: true });
    expect(await list(neighbour)).toHaveLength(1);
  } finally {
    await strict.close();
  }
});

test('a push service that refuses, or fails for ten minutes, is in the work queue until it accepts a push', async () => {
  const [fan, operator] = await Promise.all([app.signUp('customer'), app.signUp('operator')]);
  const waiting = async () => {
    const { data } = (await operator.inject('GET', '/api/admin/work-queue')).json();
    return data.find(({ kind }: { kind: string }) => kind === 'pushServices').count;
  };
  const faults = async () => (await operator.inject('GET', '/api/admin/push-faults')).json().data;
  expect((await fan.inject('GET', '/api/admin/push-faults')).statusCode).toBe(403);
  const refused = vi.spyOn(app.ctx.log, 'error').mockImplementation(() => undefined);
  const device = await addDevice(fan);
  for (const status of [401, 403]) {
    service.answer(device, { status });
    await emitSecurityEvent(fan);
  }
  refused.mockRestore();
  expect(await faults()).toEqual([
    expect.objectContaining({ service: '127.0.0.1', kind: 'refused', status: 403, pushes: 2, isAlarm: true }),
  ]);
  expect(await waiting()).toBe(1);
  await emitSecurityEvent(fan);
  expect([await faults(), await waiting()]).toEqual([[], 0]);

  service.answer(device, { status: 503 }, { status: 500 }, { status: 429 });
  await emitSecurityEvent(fan);
  expect(await faults()).toEqual([expect.objectContaining({ kind: 'failing', status: 503, isAlarm: false })]);
  expect(await waiting()).toBe(0);
  const later = async (ms: number) => {
    app.clock.advance(ms);
    await schedulePushes(app.ctx, app.ctx.db, URGENT_RANK);
    await app.ctx.jobs.runDue(PUSH_JOB_NAMES);
  };
  await later(11 * MINUTE);
  expect(await faults()).toEqual([expect.objectContaining({ status: 500, pushes: 2, isAlarm: true })]);
  expect(await waiting()).toBe(1);
  await later(HOUR);
  expect((await faults())[0].pushes).toBe(2);
  await later(HOUR);
  expect([countDelivered(device), await waiting()]).toEqual([2, 0]);
  const { body } = await app.inject('GET', '/metrics');
  expect(body).toMatch(/stagedoor_pushes_total\{service="127\.0\.0\.1",outcome="refused"\} 2/);
  expect(body).toMatch(/stagedoor_pushes_total\{service="127\.0\.0\.1",outcome="sent"\} \d+/);
});

test('the reason of a refused subscription is in the log and in a header for developers, and the response is the same', async () => {
  const fan = await app.signUp('customer');
  const info = vi.spyOn(app.ctx.log, 'info');
  const device = service.device('refused');
  const endpoint = 'https://push.evil.example/secret-path';
  for (const [body, reason] of [
    [{ ...device, endpoint }, 'the endpoint is not of a known push service: push.evil.example (PUSH_ALLOWED_ORIGINS)'],
    [{ ...device, keys: { ...device.keys, auth: 'short' } }, 'the keys are not those of a browser (RFC 8291)'],
    [{ deviceToken: 'AB'.repeat(32) }, 'older Safari push is not configured (SAFARI_PUSH_ID)'],
    [{ ...device, replaces: 'https://fcm.googleapis.com/another' }, expect.stringContaining('of another session')],
  ] as const) {
    const response = await fan.inject('POST', '/api/web-notify/subscribe', body);
    expect([response.statusCode, response.json()]).toEqual([200, { success: false }]);
    expect(response.headers['x-push-refusal']).toEqual(reason);
    expect(info).toHaveBeenLastCalledWith({ userId: fan.id, reason }, 'a push subscription was refused');
  }
  const accepted = await fan.inject('POST', '/api/web-notify/subscribe', device);
  expect([accepted.json(), accepted.headers['x-push-refusal']]).toEqual([{ success: true }, undefined]);
  info.mockRestore();
});
