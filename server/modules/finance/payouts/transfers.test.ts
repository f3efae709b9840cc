import { randomUUID } from 'node:crypto';
import type { PayoutDetails } from '@stagedoor/contract/finance/payouts.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { listMailSubjects } from '../../../testing/inbox.ts';
import { blockAccount, restrictActivity } from '../../identity/accounts/index.ts';
import { account, getBalance } from '../../ledger/ledger/index.ts';
import { listAlarms, saveExplanation, saveRun } from '../../ledger/ledger-checks/index.ts';
import { getNextDay, runDueRules } from './payout-schedules.ts';
import { startPayPal } from './paypal.testing.ts';
import { createPayPal } from './paypal.ts';
import { pollPayPal } from './submit.ts';
import {
  BITCOIN,
  createEarnings,
  createPayee,
  createPayoutMethod,
  createPayoutRequest,
  expectCleanLedger,
  INTERNATIONAL_BANK,
  listLoggedActions,
  requestPayoutAs,
} from './testing.ts';

const ACH_ENV = { ACH_BANK: '091000019', ACH_BANK_NAME: 'FRB', ACH_ORIGIN: '1234567890', ACH_COMPANY: 'Stagedoor' };
const PAYPAL: PayoutDetails = { kind: 'paypal', email: 'jane@example.com' };

let app: TestApp;
let service: Awaited<ReturnType<typeof startPayPal>>;
let operator: TestUser;
let second: TestUser;
beforeAll(async () => {
  service = await startPayPal();
  const env = { ...ACH_ENV, PAYPAL_URL: service.url, PAYPAL_CLIENT_ID: 'client', PAYPAL_CLIENT_SECRET: 'secret' };
  app = await createTestApp({ env });
});
beforeEach(async () => {
  [operator, second] = await Promise.all([app.signUp('operator'), app.signUp('operator')]);
});
afterEach(async () => {
  await app.ctx.events.waitUntilIdle();
  await expectCleanLedger(app);
});
afterAll(async () => {
  await app.close();
  await service.close();
});

const TRANSACTION = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b';
const reason = 'looked at the papers';
const decide = (id: string, decision: string, by = operator) =>
  by.inject('POST', `/api/admin/payouts/${id}/decision`, { decision, reason });
const step = (id: string, kind: string, more: object = {}) =>
  second.inject('POST', `/api/admin/payouts/${id}/transfer`, { step: kind, reason, ...more });
const sendAll = (rail: string, key: string = randomUUID()) =>
  operator.inject('POST', '/api/admin/payout-batches', { rail }, { 'idempotency-key': key });
const available = (user: TestUser) => getBalance(app.ctx.db, account.available(user.id));
const clearing = (kind: string) => getBalance(app.ctx.db, `liab:payout_clearing:${kind}`);
const seen = async (user: TestUser, id: string) => (await user.inject('GET', `/api/creator/payouts/${id}`)).json();
async function createApproved(usd: number, details?: PayoutDetails) {
  const made = await createPayoutRequest(app, usd, details);
  expect((await decide(made.id, 'approve')).json().status).toBe('approved');
  return made;
}
const submitDue = () => app.ctx.jobs.runDue(['payouts.submit']);

describe('approval', () => {
  test('needs one operator up to the limit and two above it, and a rejection returns the money with a reason', async () => {
    const small = await createPayoutRequest(app, 1_000);
    expect((await decide(small.id, 'review')).json().status).toBe('inreview');
    expect((await decide(small.id, 'review')).statusCode).toBe(409);
    expect((await decide(small.id, 'approve')).json()).toMatchObject({ status: 'approved', transfer: 'pending' });
    expect((await small.creator.inject('POST', `/api/creator/payouts/${small.id}/cancel`)).statusCode).toBe(409);
    const large = await createPayoutRequest(app, 1_000.01);
    expect((await decide(large.id, 'approve')).json()).toMatchObject({ status: 'inreview', approvalsNeeded: 2 });
    const again = await decide(large.id, 'approve');
    expect([again.statusCode, again.json().message]).toEqual([409, expect.stringContaining('Another staff member')]);
    expect((await decide(large.id, 'approve', second)).json()).toMatchObject({
      status: 'approved',
      approvals: [operator.username, second.username],
    });
    for (const { id, creator } of [small, large]) {
      app.clock.advance(1_000);
      expect((await decide(id, 'reject')).json()).toMatchObject({ status: 'rejected', transfer: 'cancelled' });
      expect(await seen(creator, id)).toMatchObject({ reason, status: 'rejected' });
      expect(JSON.stringify(await seen(creator, id))).not.toContain(operator.username);
    }
    expect([await available(small.creator), await available(large.creator)]).toEqual([100_000, 100_001]);
    expect(await listLoggedActions(operator, large.id)).toEqual(['payout.reject', 'payout.approve', 'payout.approve']);
    expect((await decide(randomUUID(), 'approve')).statusCode).toBe(404);
    expect((await small.creator.inject('GET', '/api/admin/payouts')).statusCode).toBe(403);
    expect((await operator.inject('GET', '/api/admin/payouts?status=rejected&kind=ach&limit=1')).json()).toMatchObject({
      totalCount: 2,
      nextOffset: '1',
    });
  });

  test('and sending wait while an alarm is unresolved, and leave out blocked users', async () => {
    const { id } = await createPayoutRequest(app, 30);
    const { id: ready, creator } = await createApproved(30);
    const day = app.clock.now().toISOString().slice(0, 10);
    const wrong = {
      kind: 'sumWrong',
      key: 'a sum',
      occurredAt: null,
      theirsCents: null,
      oursCents: null,
      details: {},
    } as const;
    const run = { comparison: 'sums', day, isFull: true, startedAt: app.clock.now(), checkedCount: 1 } as const;
    await saveRun(app.ctx, { ...run, result: { differences: [wrong], since: null } });
    const isStopped = async () => {
      for (const answer of [await decide(id, 'approve'), await sendAll('ach')])
        expect([answer.statusCode, answer.json().message]).toEqual([
          409,
          expect.stringContaining('stopped by a ledger alert'),
        ]);
    };
    const [alarm] = (await listAlarms(app.ctx.db, false, { limit: 1, skip: 0 })).rows;
    const why = { id: alarm?.id ?? '', actorId: operator.id, reason: 'moved by hand', at: app.clock.now() };
    const resolve = () => app.ctx.db.transaction((tx) => saveExplanation(tx, why));
    await isStopped();
    await expect(resolve()).rejects.toThrow('The last check still failed');
    await saveRun(app.ctx, { ...run, result: { differences: [], since: null } });
    await isStopped();
    await resolve();
    await blockAccount(app.ctx, creator.id, 'forged papers');
    expect((await decide(id, 'approve')).statusCode).toBe(200);
    const batch = (await sendAll('ach')).json();
    expect([batch.count, batch.net]).toEqual([1, 30]);
    expect((await decide(ready, 'reject')).json().status).toBe('rejected');
    expect((await step(id, 'paid')).statusCode).toBe(200);
  });
});

describe('by ACH', () => {
  test('creates one file per batch and books each arrival, failure and return once', async () => {
    const [one, other] = [await createApproved(125.5), await createApproved(40)];
    expect((await step(one.id, 'paid')).statusCode).toBe(409);
    const key = randomUUID();
    const [first, again] = await Promise.all([sendAll('ach', key), sendAll('ach', key)]);
    expect(first.json()).toEqual(again.json());
    expect(first.json()).toMatchObject({ state: 'ready', count: 2, net: 165.5 });
    expect((await sendAll('ach')).statusCode).toBe(409);
    const file = await operator.inject('POST', `/api/admin/payout-batches/${first.json().id}/file`);
    expect(file.headers['content-disposition']).toMatch(/payouts-\d{4}-\d\d-\d\d-A\.ach"$/);
    expect(file.body.split('\n').filter((line) => line.startsWith('6'))).toEqual([
      expect.stringMatching(/^622091000019744567899 {8}0000012550PO-0000\d\d {6}JANE CREATOR/),
      expect.stringMatching(/^622091000019744567899 {8}0000004000/),
    ]);
    expect(await listLoggedActions(operator, first.json().id)).toEqual(['payoutBatch.file', 'payoutBatch.send']);
    expect([await clearing('ach'), await available(one.creator)]).toEqual([16_550, 0]);

    app.clock.advance(1_000);
    await Promise.all([step(one.id, 'paid'), step(one.id, 'paid')]);
    expect(await seen(one.creator, one.id)).toMatchObject({ status: 'transfered', transfer: 'processed' });
    const back = await Promise.all([
      step(other.id, 'failed', { code: 'R03' }),
      step(other.id, 'returned', { code: 'R03' }),
    ]);
    expect(back.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect([await clearing('ach'), await available(other.creator)]).toEqual([0, 4_000]);
    expect(await seen(other.creator, other.id)).toMatchObject({
      ...{ status: 'rejected', transfer: 'failed' },
      reason: 'Your bank couldn’t find this account. Check the details.',
    });
    const [method] = (await other.creator.inject('GET', '/api/payout-methods')).json().data;
    expect(method.state).toBe('invalid');
    expect((await requestPayoutAs(other.creator, 20, other.method.id)).statusCode).toBe(409);
    expect((await step(one.id, 'returned', { code: 'R16' })).json().transfer).toBe('failed');
    expect((await step(one.id, 'returned', { code: 'R16' })).statusCode).toBe(200);
    expect((await step(one.id, 'paid')).statusCode).toBe(409);
    expect(await available(one.creator)).toBe(12_550);
    expect((await seen(one.creator, one.id)).timeline.map(({ event }: { event: string }) => event)).toEqual([
      ...['requested', 'approved', 'sent', 'paid', 'returned'],
    ]);
    expect(await listMailSubjects(app, one.creator)).toEqual([
      'Your payout methods were changed',
      'You requested a payout',
      'Your payout was approved',
      'Your payout is on its way',
      'Your payout arrived',
      'Your payout was returned',
    ]);
  });
});

test('a batch leaves out restricted users and methods with a returned payout', async () => {
  const [once, twice] = [await createApproved(30), await createApproved(30)];
  await createEarnings(app, twice.creator.id, 5_000);
  const later = (await requestPayoutAs(await app.logIn(twice.creator), 40, twice.method.id)).json<{ id: string }>();
  [operator, second] = [await app.signUp('operator'), await app.signUp('operator')];
  const until = new Date(app.clock.now().getTime() + 60_000);
  await app.ctx.db.transaction((tx) => restrictActivity(tx, once.creator.id, 'payouts', until));
  expect((await sendAll('ach')).json()).toMatchObject({ count: 1, net: 30 });
  expect((await decide(later.id, 'approve')).statusCode).toBe(200);
  expect((await step(twice.id, 'failed', { code: 'R03' })).statusCode).toBe(200);
  expect((await sendAll('ach')).json().message).toBe('No approved payouts to send.');
  await app.ctx.db.transaction((tx) => restrictActivity(tx, once.creator.id, 'payouts', null));
  expect((await sendAll('ach')).json()).toMatchObject({ count: 1, net: 30 });
  expect((await decide(later.id, 'reject')).json().status).toBe('rejected');
  expect((await step(once.id, 'paid')).statusCode).toBe(200);
});

describe('by hand', () => {
  test('lists crypto and foreign payouts, and a broadcast needs a transaction id and cannot be returned', async () => {
    const { id, creator } = await createApproved(60, BITCOIN);
    const batch = (await sendAll('crypto')).json();
    const list = await operator.inject('POST', `/api/admin/payout-batches/${batch.id}/file`);
    expect(list.body).toMatch(/"60\.00","BTC","1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa","bitcoin"/);
    expect((await step(id, 'broadcast')).statusCode).toBe(400);
    expect((await step(id, 'broadcast', { reference: TRANSACTION })).json()).toMatchObject({
      transfer: 'pending',
      reference: TRANSACTION,
    });
    expect((await step(id, 'confirming')).statusCode).toBe(200);
    expect((await step(id, 'failed')).statusCode).toBe(409);
    expect((await step(id, 'paid', { reference: 'f'.repeat(64) })).statusCode).toBe(409);
    expect((await step(id, 'paid')).json().status).toBe('transfered');
    expect((await seen(creator, id)).timeline.map(({ event }: { event: string }) => event)).toEqual([
      ...['requested', 'approved', 'queued', 'broadcast', 'confirming', 'paid'],
    ]);
    const wired = await createApproved(20, { ...INTERNATIONAL_BANK, holder: '=HYPERLINK("x")' });
    const wire = (await sendAll('wire')).json();
    expect((await operator.inject('POST', `/api/admin/payout-batches/${wire.id}/file`)).body).toContain(
      `"'=HYPERLINK(""x"")"`,
    );
    expect((await step(wired.id, 'paid')).json().status).toBe('transfered');
  });
});

describe('by PayPal', () => {
  test('retries after 5xx and lost responses with the same id, and never releases money', async () => {
    const made = [await createApproved(30, PAYPAL), await createApproved(40, PAYPAL), await createApproved(50, PAYPAL)];
    const [one, two, three] = made.map(({ id }) => id);
    const batch = (await sendAll('paypal')).json();
    expect(batch).toMatchObject({ state: 'sending', count: 3, net: 120 });
    const state = async () => (await operator.inject('GET', '/api/admin/payout-batches?limit=1')).json().data[0].state;
    const again = async () => {
      await app.ctx.db.pool.query(
        'select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at := now())',
      );
      await submitDue();
    };
    service.setBehaviour('down');
    await submitDue();
    expect([await state(), await clearing('paypal'), service.batches.length]).toEqual(['unknown', 12_000, 0]);
    service.setBehaviour('lost');
    await again();
    expect([await state(), await clearing('paypal'), service.batches.length]).toEqual(['unknown', 12_000, 1]);
    service.setBehaviour('well');
    await again();
    expect([await state(), service.batches.length]).toEqual(['sent', 1]);
    expect(service.batches[0]?.items.map(({ payout_item: { amount, receiver } }) => [amount.value, receiver])).toEqual([
      ['30.00', 'jane@example.com'],
      ['40.00', 'jane@example.com'],
      ['50.00', 'jane@example.com'],
    ]);
    service.setItemStatus(one ?? '', 'SUCCESS');
    service.setItemStatus(two ?? '', 'FAILED', 'RECEIVER_ACCOUNT_LOCKED');
    service.setItemStatus(three ?? '', 'UNCLAIMED');
    await pollPayPal(app.ctx);
    await pollPayPal(app.ctx);
    const states = () => Promise.all(made.map(async ({ creator, id }) => (await seen(creator, id)).transfer));
    expect([await states(), await clearing('paypal')]).toEqual([['processed', 'failed', 'pending'], 5_000]);
    const provider = createPayPal({ url: service.url, clientId: 'client', clientSecret: 'secret' }, app.clock);
    const ref = service.batches[0]?.items[2]?.payout_item_id ?? '';
    expect(await provider.fetch(ref)).toEqual({ state: 'accepted', ref, isUnclaimed: true });
    expect(await provider.cancel(ref)).toMatchObject({ state: 'returned' });
    expect(await provider.cancel(ref)).toMatchObject({ state: 'unknown' });
    expect(provider.quote(10_000)).toBe(100);
    service.setBehaviour('down');
    await pollPayPal(app.ctx);
    expect(await clearing('paypal')).toBe(5_000);
    service.setBehaviour('well');
    await pollPayPal(app.ctx);
    expect([await states(), await clearing('paypal')]).toEqual([['processed', 'failed', 'failed'], 0]);
    expect((await seen(made[2]?.creator ?? operator, three ?? '')).reason).toMatch(/^The payment wasn’t claimed/);
  });

  test('a refused batch stays approved and waits to be sent', async () => {
    const { id, creator } = await createApproved(30, PAYPAL);
    service.setBehaviour('denies');
    await sendAll('paypal');
    await submitDue();
    service.setBehaviour('well');
    expect(await seen(creator, id)).toMatchObject({ status: 'approved', transfer: 'pending', canCancel: false });
    expect([await available(creator), await clearing('paypal')]).toEqual([0, 0]);
    expect((await decide(id, 'reject')).statusCode).toBe(200);
    expect(await available(creator)).toBe(3_000);
  });
});

describe('automatically', () => {
  test('requests the whole balance on its days or above an amount, once a day', async () => {
    const creator = await createPayee(app, 5_000);
    const method = await createPayoutMethod(app, creator);
    const set = (rule: object | null) => creator.inject('PUT', '/api/creator/payout-rule', { rule });
    expect((await set({ methodId: method.id, recurrence: 'weekly', threshold: 5 })).statusCode).toBe(400);
    expect((await set({ methodId: method.id, recurrence: null, threshold: 5 })).statusCode).toBe(400);
    expect((await set({ methodId: randomUUID(), recurrence: 'weekly', threshold: null })).statusCode).toBe(404);
    expect((await set({ methodId: method.id, recurrence: 'weekly', threshold: null })).json().nextOn).toBe(
      getNextDay(app.clock.now().toISOString().slice(0, 10), 'weekly', app.clock.now().toISOString().slice(0, 10)),
    );
    const days = async (count: number) => {
      app.clock.advance(count * 86_400_000);
      await Promise.all([runDueRules(app.ctx), runDueRules(app.ctx)]);
      return (await creator.inject('GET', '/api/creator/payouts')).json().totalCount;
    };
    expect([await days(0), await days(6), await days(1), await days(7)]).toEqual([0, 0, 1, 1]);
    expect((await creator.inject('GET', '/api/creator/payouts')).json().data[0]).toMatchObject({
      amount: 50,
      isAutomatic: true,
    });
    await set({ methodId: method.id, recurrence: null, threshold: 30 });
    await createEarnings(app, creator.id, 3_333);
    expect(await days(1)).toBe(1);
    await createEarnings(app, creator.id, 1_112);
    expect(await days(1)).toBe(2);
    expect((await set(null)).json()).toEqual({ rule: null, nextOn: null, lastFailure: null });
  });

  test('stores why a scheduled request failed until one succeeds, and follows a replaced method', async () => {
    const creator = await createPayee(app, 0);
    const method = await createPayoutMethod(app, creator);
    const at = `/api/payout-methods/${method.id}`;
    const proof = { currentPassword: creator.password };
    const rule = async () => (await creator.inject('GET', '/api/creator/payout-rule')).json();
    const weekOn = async () => {
      app.clock.advance(7 * 86_400_000);
      await Promise.all([runDueRules(app.ctx), runDueRules(app.ctx)]);
      return (await rule()).lastFailure;
    };
    await creator.inject('PUT', '/api/creator/payout-rule', {
      rule: { methodId: method.id, recurrence: 'weekly', threshold: null },
    });
    expect((await rule()).lastFailure).toBeNull();
    const first = await weekOn();
    expect(first).toEqual({ on: app.clock.now().toISOString().slice(0, 10), reason: 'Nothing was available.' });
    await createEarnings(app, creator.id, 2_000);
    expect((await weekOn()).reason).toBe('Minimum payout is $20.00.');
    await createEarnings(app, creator.id, 2_000);
    const removal = await creator.inject('POST', `${at}/remove`, proof);
    expect([removal.statusCode, removal.json().message]).toEqual([
      409,
      expect.stringMatching(/^Automatic payouts use this method/),
    ]);
    const successor = (await creator.inject('PUT', at, { ...proof, details: PAYPAL })).json();
    expect((await rule()).rule.methodId).toBe(successor.id);
    await runDueRules(app.ctx);
    expect((await rule()).lastFailure.reason).toMatch(/^For your security, you can use this new method/);
    expect(await weekOn()).toBeNull();
    expect((await creator.inject('GET', '/api/creator/payouts')).json().data).toMatchObject([
      { amount: 36, isAutomatic: true, method: { id: successor.id } },
    ]);
  });

  test.each([
    ['2026-01-31', 'monthaly', '2026-02-27', '2026-02-28'],
    ['2026-01-31', 'monthaly', '2026-02-28', '2026-03-31'],
    ['2028-02-29', 'yearly', '2028-03-01', '2029-02-28'],
    ['2028-02-29', 'yearly', '2032-02-28', '2032-02-29'],
    ['2026-12-28', 'weekly', '2026-12-31', '2027-01-04'],
  ] as const)('calculates dates: from %s %s, after %s comes %s', (since, recurrence, day, next) => {
    expect(getNextDay(since, recurrence, day)).toBe(next);
  });
});

test('changed settings apply at once and are audited, and a concurrent change is refused', async () => {
  const from = (await operator.inject('GET', '/api/admin/payout-settings')).json();
  const set = (change: object, base: object = from) =>
    operator.inject('PUT', '/api/admin/payout-settings', {
      from: base,
      to: { ...base, ...change },
      reason: 'For a test',
    });
  const now = { ...from, secondApprover: 10 };
  expect((await set({ secondApprover: 10 })).json()).toEqual(now);
  const { id } = await createPayoutRequest(app, 30);
  expect((await decide(id, 'approve')).json()).toMatchObject({ status: 'inreview', approvalsNeeded: 2 });
  expect((await set({ referralsFeePercent: 51 }, now)).statusCode).toBe(400);
  const both = await Promise.all([set({ minimum: 21 }, now), set({ cryptoMinimum: 51 }, now)]);
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  const after = (await operator.inject('GET', '/api/admin/payout-settings')).json();
  expect(after).toEqual(both.find(({ statusCode }) => statusCode === 200)?.json());
  expect(both.find(({ statusCode }) => statusCode === 409)?.json().message).toContain('changed these settings');
  await set(from, after);
  expect((await operator.inject('GET', '/api/admin/audit?action=settings')).json().totalCount).toBe(3);
});
