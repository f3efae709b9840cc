import { randomUUID } from 'node:crypto';
import type { SwitchName } from '@stagedoor/contract/atoms/switches.ts';
import { MAINTENANCE_WORDS, STOPPED_WORDS, SWITCHES } from '@stagedoor/contract/atoms/switches.ts';
import type { Setting, Standing } from '@stagedoor/contract/switches-desk.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type App, createApp } from '../../app.ts';
import { switchesOf } from '../../kernel/switches.ts';
import { createTestApp, type Inject, type TestApp, type TestUser } from '../../testing/app.ts';
import { act, makePair, start } from '../calls/testing.ts';
import { ROUTES } from '../index.ts';
import { order, postEvent, processorId, saleFields } from '../payments/testing.ts';

const GOES_ON: Standing = { isStopped: false, words: '' };
const stopped = (words = ''): Standing => ({ isStopped: true, words });
const ground = 'the bank is away';

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

const turn = (name: Setting, from: Standing, to: Standing, by = owner) =>
  by.inject('PUT', `/api/admin/switches/${name}`, { from, to, ground });
async function set(name: Setting, from: Standing, to: Standing): Promise<void> {
  const answer = await turn(name, from, to);
  expect(answer.statusCode, answer.body).toBe(200);
}
afterEach(async () => {
  const { data } = (await owner.inject('GET', '/api/admin/switches')).json();
  for (const { name, isStopped, words } of data) await set(name, { isStopped, words }, GOES_ON);
});

const PERSON = { password: 'Stagedoor1!', isGiveConsent: true };
const person = (accountType: 'customer' | 'creator') => {
  const name = `s${randomUUID().slice(0, 8)}`;
  return { ...PERSON, username: name, email: `${name}@example.org`, accountType };
};
const pay = (deposit: Awaited<ReturnType<typeof order>>) =>
  postEvent(app, 'NewSaleSuccess', saleFields(app, deposit, processorId()));
const tipTo = (fan: TestUser, creator: TestUser) =>
  fan.inject('POST', `/api/tip/customer-send/${creator.id}`, { amount: 5, type: 'profile' });

async function callsOf(name: SwitchName): Promise<() => ReturnType<Inject>> {
  const pair = await makePair(app);
  const { fan, creator } = pair;
  const calls: Readonly<Record<SwitchName, () => ReturnType<Inject>>> = {
    signUp: () => app.inject('POST', '/api/customer/register', person('customer')),
    newCreators: () => app.inject('POST', '/api/auth/register', person('creator')),
    deposits: () => fan.inject('POST', '/api/customer/deposite-fund', { paymentProvider: 'ccbill', amount: 20 }),
    tips: () => tipTo(fan, creator),
    calls: () => start(pair),
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

test.each(SWITCHES)('%s: a blocked call is refused with the message and works again afterwards', async (name) => {
  const call = await callsOf(name);
  await set(name, GOES_ON, stopped());
  const refused = await call();
  expect(refused.json()).toEqual({ code: 'STOPPED', message: STOPPED_WORDS[name] });
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '300']);
  await set(name, stopped(), stopped('Back at noon.'));
  expect((await call()).json().message).toBe('Back at noon.');
  await set(name, stopped('Back at noon.'), GOES_ON);
  expect((await call()).body).not.toContain('STOPPED');
});

test('each switch blocks a route, and every upload route is blocked by the uploads switch', () => {
  const held = new Set(ROUTES.flatMap(({ route }) => switchesOf(route)));
  expect([...held].sort()).toEqual([...SWITCHES].sort());
  for (const { route } of ROUTES) if (route.rate === 'upload') expect(switchesOf(route)).toContain('uploads');
});

test('maintenance allows exactly the listed routes: log-in, ending costs, withdrawal and protection', () => {
  const going = ROUTES.filter(({ route }) => route.goesOn).map(({ route }) => `${route.method} ${route.path}`);
  expect(
    going.sort(),
    'a decision about maintenance: if it is meant, change this list in server/features/switches/switches.test.ts',
  ).toEqual([
    'DELETE /auth/sessions/:id',
    'DELETE /customer/own-limits/:period/raise',
    'DELETE /message/broadcasts/:id',
    'DELETE /message/msg/:conversationId/:messageId',
    'DELETE /notifications/devices',
    'DELETE /notifications/devices/:deviceId',
    'DELETE /post/:id',
    'DELETE /post/:id/people',
    'POST /account/close',
    'POST /auth/forgot-password',
    'POST /auth/login',
    'POST /auth/logout',
    'POST /auth/reset-password',
    'POST /auth/sessions/revoke-others',
    'POST /call/cancelled/:id',
    'POST /call/connect/:id',
    'POST /call/end/:id',
    'POST /call/reject/:id',
    'POST /customer/break/account',
    'POST /customer/break/spending',
    'POST /customer/profile-pass-change',
    'POST /helpdesk/decisions/:id/appeal',
    'POST /helpdesk/decisions/:id/counter-notice',
    'POST /message/block-unblock-creator/:creatorId',
    'POST /message/block-unblock-customer/:customerId',
    'POST /public/complaint-answers',
    'POST /public/complaint-status',
    'POST /public/complaints',
    'POST /public/contact-admin',
    'POST /public/contact-pictures',
    'POST /public/copyright-notices',
    'POST /public/counter-notice',
    'POST /report/submit-report',
    'POST /web-notify/unsubscribe',
    'PUT /creator/regions',
    'PUT /customer/own-limits/:period',
  ]);
});

test('a payment that was started is credited while deposits are disabled', async () => {
  const fan = await app.signUp('customer');
  const deposit = await order(app, fan, 20);
  await set('deposits', GOES_ON, stopped());
  await pay(deposit);
  expect((await fan.inject('GET', '/api/customer/wallet')).json().available).toBe(20);
});

test('maintenance refuses changes with 503 and the message, and allows reading, operators and started payments', async () => {
  const pair = await makePair(app);
  const { fan, creator } = pair;
  const { callLogId } = (await start(pair)).json();
  const deposit = await order(app, fan, 20);
  await set('maintenance', GOES_ON, stopped('We move house until noon.'));
  const answers = [
    await tipTo(fan, creator),
    await creator.inject('PUT', '/api/creator/call-availability', { isAvailable: false }),
    await app.inject('POST', '/api/customer/register', person('customer')),
  ];
  for (const answer of answers) {
    expect(answer.json()).toEqual({ code: 'MAINTENANCE', message: 'We move house until noon.' });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '300']);
  }
  expect((await fan.inject('GET', '/api/customer/wallet')).statusCode).toBe(200);
  expect((await app.inject('GET', '/api/public/terms')).statusCode).toBe(200);
  const wrong = { username: 'nobody.here', password: 'Wrong1!password' };
  expect((await app.inject('POST', '/api/auth/login', wrong)).json().code).not.toBe('MAINTENANCE');
  expect((await act(fan, 'end', callLogId)).statusCode).toBe(200);
  const letter = { name: 'Ana', email: 'ana@example.com', details: 'Why am I blocked?' };
  expect((await app.inject('POST', '/api/public/contact-admin', letter)).statusCode).toBe(200);
  const appeal = await fan.inject('POST', `/api/helpdesk/decisions/${randomUUID()}/appeal`, { message: 'It is mine.' });
  expect(appeal.json().code).toBe('NOT_FOUND');
  const block = `/api/message/block-unblock-creator/${creator.id}`;
  expect((await fan.inject('POST', block, { isBlocked: true })).statusCode).toBe(200);
  await pay(deposit);
  expect((await owner.inject('POST', '/api/admin/alarms/check')).statusCode).not.toBe(503);
  await set('maintenance', stopped('We move house until noon.'), stopped());
  expect((await tipTo(fan, creator)).json().message).toBe(MAINTENANCE_WORDS);
});

test('a server without events applies a change within seconds', async () => {
  const register = () =>
    other.http.inject({ method: 'POST', url: '/api/customer/register', payload: person('customer') });
  expect((await register()).statusCode).toBe(200);
  await set('signUp', GOES_ON, stopped());
  await expect.poll(async () => (await register()).json().code, { timeout: 15_000, interval: 100 }).toBe('STOPPED');
});

test('a change is logged with old and new state and reason, and a concurrent change is refused', async () => {
  await set('calls', GOES_ON, stopped('Later.'));
  expect((await turn('calls', GOES_ON, stopped('Another.'))).json().code).toBe('CONFLICT');
  await set('calls', GOES_ON, stopped('Later.'));
  const both = await Promise.all([turn('tips', GOES_ON, stopped('One.')), turn('tips', GOES_ON, stopped('Two.'))]);
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  const { data } = (await owner.inject('GET', '/api/admin/audit?act=switch&subjectId=calls&limit=1')).json();
  expect(data[0]).toMatchObject({
    ...{ act: 'switch.set', subjectKind: 'switch', subjectId: 'calls', operator: { username: owner.username } },
    facts: { isStopped: true, isStoppedBefore: false, words: 'Later.', wordsBefore: '', ground },
  });
});

test('all operators see the switches, and only owners set them', async () => {
  for (const role of ['moderator', 'finance', 'support', 'auditor'] as const) {
    const who = await app.signUp('operator', { roles: [role] });
    expect((await who.inject('GET', '/api/admin/switches')).statusCode).toBe(200);
    expect((await turn('calls', GOES_ON, stopped(), who)).statusCode).toBe(403);
  }
  expect((await (await app.signUp('creator')).inject('GET', '/api/admin/switches')).statusCode).toBe(403);
  expect(
    (await owner.inject('PUT', '/api/admin/switches/everything', { from: GOES_ON, to: stopped(), ground })).statusCode,
  ).toBe(400);
  expect((await owner.inject('PUT', '/api/admin/switches/calls', { from: GOES_ON, to: stopped() })).statusCode).toBe(
    400,
  );
});
