import { randomUUID } from 'node:crypto';
import type { SiteSwitch, SwitchState } from '@stagedoor/contract/admin/kill-switches.ts';
import type { KillSwitch } from '@stagedoor/contract/shared/kill-switches.ts';
import { KILL_SWITCH_MESSAGES, KILL_SWITCHES, MAINTENANCE_MESSAGE } from '@stagedoor/contract/shared/kill-switches.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type App, createApp } from '../app.ts';
import { buildSaleFields, createProcessorId, postWebhook } from '../modules/commerce/ccbill/testing.ts';
import { createOrder } from '../modules/commerce/deposits/testing.ts';
import { ROUTES } from '../modules/index.ts';
import { actOnCall, createCallPair, startTestCall } from '../modules/messaging/calls/testing.ts';
import { listKillSwitches } from '../platform/site-status.ts';
import { createTestApp, type Inject, type TestApp, type TestUser } from './app.ts';

const ENABLED: SwitchState = { isDisabled: false, message: '' };
const disabled = (message = ''): SwitchState => ({ isDisabled: true, message });
const reason = 'the bank is away';

let app: TestApp;
let other: App;
let owner: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  const { config, log } = app.ctx;
  // This server was never started, so it receives no events.
  other = await createApp({ config, databaseUrl: app.databaseUrl, log, clock: app.clock, hasPages: false });
  owner = await app.signUp('operator');
});
afterAll(async () => {
  await other.close();
  await app.close();
});

const putSwitch = (name: SiteSwitch, from: SwitchState, to: SwitchState, by = owner) =>
  by.inject('PUT', `/api/admin/kill-switches/${name}`, { from, to, reason });
async function setSwitch(name: SiteSwitch, from: SwitchState, to: SwitchState): Promise<void> {
  const response = await putSwitch(name, from, to);
  expect(response.statusCode, response.body).toBe(200);
}
afterEach(async () => {
  const { data } = (await owner.inject('GET', '/api/admin/kill-switches')).json();
  for (const { name, isDisabled, message } of data) await setSwitch(name, { isDisabled, message }, ENABLED);
});

const REGISTRATION = { password: 'Stagedoor1!', isGiveConsent: true };
const createRegistration = (accountType: 'customer' | 'creator') => {
  const name = `s${randomUUID().slice(0, 8)}`;
  return { ...REGISTRATION, username: name, email: `${name}@example.org`, accountType };
};
const payDeposit = (deposit: Awaited<ReturnType<typeof createOrder>>) =>
  postWebhook(app, 'NewSaleSuccess', buildSaleFields(app, deposit, createProcessorId()));
const tipTo = (fan: TestUser, creator: TestUser) =>
  fan.inject('POST', `/api/tip/customer-send/${creator.id}`, { amount: 5, type: 'profile' });

async function prepareCall(name: KillSwitch): Promise<() => ReturnType<Inject>> {
  const pair = await createCallPair(app);
  const { fan, creator } = pair;
  const calls: Readonly<Record<KillSwitch, () => ReturnType<Inject>>> = {
    signUp: () => app.inject('POST', '/api/customer/register', createRegistration('customer')),
    newCreators: () => app.inject('POST', '/api/auth/register', createRegistration('creator')),
    deposits: () => fan.inject('POST', '/api/customer/deposite-fund', { paymentProvider: 'ccbill', amount: 20 }),
    tips: () => tipTo(fan, creator),
    subscriptions: () =>
      fan.inject('POST', `/api/customer/subscriptions/${randomUUID()}/pay`, {}, { 'idempotency-key': randomUUID() }),
    cardSubscriptions: () =>
      fan.inject(
        'POST',
        '/api/customer/subscriptions/card',
        { tierId: randomUUID(), recurrence: 'monthaly', count: 1, expected: 12.24 },
        { 'idempotency-key': randomUUID() },
      ),
    calls: () => startTestCall(pair),
    uploads: () =>
      creator.inject('POST', '/files', undefined, {
        'tus-resumable': '1.0.0',
        'upload-length': '12',
        'upload-metadata': 'filetype aW1hZ2UvcG5n',
      }),
    payouts: () =>
      owner.inject('POST', '/api/admin/payout-batches', { rail: 'wire' }, { 'idempotency-key': randomUUID() }),
  };
  return calls[name];
}

test.each(KILL_SWITCHES)('%s: a blocked call is refused with the message and works again afterwards', async (name) => {
  const call = await prepareCall(name);
  await setSwitch(name, ENABLED, disabled());
  const refused = await call();
  expect(refused.json()).toEqual({ code: 'FEATURE_DISABLED', message: KILL_SWITCH_MESSAGES[name] });
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '300']);
  await setSwitch(name, disabled(), disabled('Back at noon.'));
  expect((await call()).json().message).toBe('Back at noon.');
  await setSwitch(name, disabled('Back at noon.'), ENABLED);
  expect((await call()).body).not.toContain('FEATURE_DISABLED');
});

test('each switch blocks a route, and every upload route is blocked by the uploads switch', () => {
  const coveredSwitches = new Set(ROUTES.flatMap(({ route }) => listKillSwitches(route)));
  expect([...coveredSwitches].sort()).toEqual([...KILL_SWITCHES].sort());
  for (const { route } of ROUTES) if (route.rate === 'upload') expect(listKillSwitches(route)).toContain('uploads');
});

test('maintenance allows exactly the listed routes: log-in, ending costs, withdrawal and protection', () => {
  const allowedRoutes = ROUTES.filter(({ route }) => route.allowedInMaintenance).map(
    ({ route }) => `${route.method} ${route.path}`,
  );
  expect(
    allowedRoutes.sort(),
    'a decision about maintenance: if it is meant, change this list in server/modules/commerce/site-status/kill-switches.test.ts',
  ).toEqual([
    'DELETE /auth/sessions/:id',
    'DELETE /customer/spending-limits/:period/raise',
    'DELETE /message/broadcasts/:id',
    'DELETE /message/msg/:conversationId/:messageId',
    'DELETE /notifications/devices',
    'DELETE /notifications/devices/:deviceId',
    'DELETE /post/:id',
    'DELETE /post/:id/people',
    'POST /account/deletion',
    'POST /auth/forgot-password',
    'POST /auth/login',
    'POST /auth/logout',
    'POST /auth/prove-identity',
    'POST /auth/reset-password',
    'POST /auth/sessions/revoke-others',
    'POST /call/cancelled/:id',
    'POST /call/connect/:id',
    'POST /call/end/:id',
    'POST /call/reject/:id',
    'POST /customer/break/account',
    'POST /customer/break/spending',
    'POST /customer/profile-pass-change',
    'POST /customer/subscriptions/:id/cancel',
    'POST /helpdesk/decisions/:id/appeal',
    'POST /helpdesk/decisions/:id/counter-notice',
    'POST /message/block-unblock-creator/:creatorId',
    'POST /message/block-unblock-customer/:customerId',
    'POST /public/complaint-replies',
    'POST /public/complaint-status',
    'POST /public/complaints',
    'POST /public/contact-admin',
    'POST /public/contact-pictures',
    'POST /public/copyright-notices',
    'POST /public/counter-notice',
    'POST /report/submit-report',
    'POST /web-notify/unsubscribe',
    'PUT /creator/geo-blocks',
    'PUT /customer/spending-limits/:period',
  ]);
});

test('a payment that was started is credited while deposits are disabled', async () => {
  const fan = await app.signUp('customer');
  const deposit = await createOrder(app, fan, 20);
  await setSwitch('deposits', ENABLED, disabled());
  await payDeposit(deposit);
  expect((await fan.inject('GET', '/api/customer/wallet')).json().available).toBe(20);
});

test('maintenance refuses changes with 503 and the message, and allows reading, operators and started payments', async () => {
  const pair = await createCallPair(app);
  const { fan, creator } = pair;
  const { callLogId } = (await startTestCall(pair)).json();
  const deposit = await createOrder(app, fan, 20);
  await setSwitch('maintenance', ENABLED, disabled('We move house until noon.'));
  const responses = [
    await tipTo(fan, creator),
    await creator.inject('PUT', '/api/creator/call-availability', { isAvailable: false }),
    await app.inject('POST', '/api/customer/register', createRegistration('customer')),
  ];
  for (const response of responses) {
    expect(response.json()).toEqual({ code: 'MAINTENANCE', message: 'We move house until noon.' });
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '300']);
  }
  expect((await fan.inject('GET', '/api/customer/wallet')).statusCode).toBe(200);
  expect((await app.inject('GET', '/api/public/terms')).statusCode).toBe(200);
  const wrong = { username: 'nobody.here', password: 'Wrong1!password' };
  expect((await app.inject('POST', '/api/auth/login', wrong)).json().code).not.toBe('MAINTENANCE');
  expect((await actOnCall(fan, 'end', callLogId)).statusCode).toBe(200);
  const contactMessage = { name: 'Ana', email: 'ana@example.com', details: 'Why am I blocked?' };
  expect((await app.inject('POST', '/api/public/contact-admin', contactMessage)).statusCode).toBe(200);
  const appeal = await fan.inject('POST', `/api/helpdesk/decisions/${randomUUID()}/appeal`, { message: 'It is mine.' });
  expect(appeal.json().code).toBe('NOT_FOUND');
  const block = `/api/message/block-unblock-creator/${creator.id}`;
  expect((await fan.inject('POST', block, { isBlocked: true })).statusCode).toBe(200);
  await payDeposit(deposit);
  expect((await owner.inject('POST', '/api/admin/alarms/check')).statusCode).not.toBe(503);
  await setSwitch('maintenance', disabled('We move house until noon.'), disabled());
  expect((await tipTo(fan, creator)).json().message).toBe(MAINTENANCE_MESSAGE);
});

test('a server without events applies a change within seconds', async () => {
  const register = () =>
    other.http.inject({ method: 'POST', url: '/api/customer/register', payload: createRegistration('customer') });
  expect((await register()).statusCode).toBe(200);
  await setSwitch('signUp', ENABLED, disabled());
  await expect
    .poll(async () => (await register()).json().code, { timeout: 15_000, interval: 100 })
    .toBe('FEATURE_DISABLED');
});

test('a change is logged with old and new state and reason, and a concurrent change is refused', async () => {
  await setSwitch('calls', ENABLED, disabled('Later.'));
  expect((await putSwitch('calls', ENABLED, disabled('Another.'))).json().code).toBe('CONFLICT');
  await setSwitch('calls', ENABLED, disabled('Later.'));
  const responses = await Promise.all([
    putSwitch('tips', ENABLED, disabled('One.')),
    putSwitch('tips', ENABLED, disabled('Two.')),
  ]);
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  const { data } = (await owner.inject('GET', '/api/admin/audit?action=switch&subjectId=calls&limit=1')).json();
  expect(data[0]).toMatchObject({
    ...{ action: 'switch.set', subjectKind: 'switch', subjectId: 'calls', operator: { username: owner.username } },
    details: { isDisabled: true, isDisabledBefore: false, message: 'Later.', messageBefore: '', reason },
  });
});

test('all operators see the switches, and only owners set them', async () => {
  for (const role of ['moderator', 'finance', 'support', 'auditor'] as const) {
    const user = await app.signUp('operator', { roles: [role] });
    expect((await user.inject('GET', '/api/admin/kill-switches')).statusCode).toBe(200);
    expect((await putSwitch('calls', ENABLED, disabled(), user)).statusCode).toBe(403);
  }
  expect((await (await app.signUp('creator')).inject('GET', '/api/admin/kill-switches')).statusCode).toBe(403);
  expect(
    (await owner.inject('PUT', '/api/admin/kill-switches/everything', { from: ENABLED, to: disabled(), reason }))
      .statusCode,
  ).toBe(400);
  expect(
    (await owner.inject('PUT', '/api/admin/kill-switches/calls', { from: ENABLED, to: disabled() })).statusCode,
  ).toBe(400);
});
