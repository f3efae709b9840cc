import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { startCommission } from '../../commerce/sales/index.ts';
import { account, getBalance } from '../../ledger/ledger/index.ts';
import { getApprovalsForPayout } from './payout-approvals.ts';
import type { PayoutSettings } from './settings.ts';
import { createEarnings, createPayee, createPayoutMethod, expectCleanLedger, requestPayoutAs } from './testing.ts';

const reason = 'looked at the papers';
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

let app: TestApp;
let owner: TestUser;
let second: TestUser;
beforeAll(async () => {
  app = await createTestApp({ env: { ACH_BANK: '091000019', ACH_BANK_NAME: 'FRB' } });
  owner = await app.signUp('operator');
});
afterEach(async () => {
  await app.ctx.events.waitUntilIdle();
  await expectCleanLedger(app);
});
afterAll(() => app.close());

const decide = (by: TestUser, id: string, decision = 'approve') =>
  by.inject('POST', `/api/admin/payouts/${id}/decision`, { decision, reason });
const step = (by: TestUser, id: string, kind: string) =>
  by.inject('POST', `/api/admin/payouts/${id}/transfer`, { step: kind, reason });
const sendAll = () =>
  owner.inject('POST', '/api/admin/payout-batches', { rail: 'ach' }, { 'idempotency-key': crypto.randomUUID() });
const settings = async (by = owner) => (await by.inject('GET', '/api/admin/payout-settings')).json();
const setLimit = async (by: TestUser, secondApprover: number) => {
  const from = await settings();
  return by.inject('PUT', '/api/admin/payout-settings', { from, to: { ...from, secondApprover }, reason });
};
const listSettingApprovals = async () => (await owner.inject('GET', '/api/admin/setting-approvals')).json().data;
const waiting = async (kind: string) =>
  (await owner.inject('GET', '/api/admin/work-queue')).json().data.find((one: { kind: string }) => one.kind === kind)
    .count;

async function createRequests(usd: readonly number[]) {
  const creator = await createPayee(app, usd.reduce((sum, one) => sum + one, 0) * 100);
  const method = await createPayoutMethod(app, creator);
  const ids: string[] = [];
  for (const one of usd) ids.push((await requestPayoutAs(creator, one, method.id)).json<{ id: string }>().id);
  return { creator, ids, methodId: method.id, available: () => getBalance(app.ctx.db, account.available(creator.id)) };
}

test.each([
  ['a limit raised later does not reduce the approvals', 2, 150_000, 900_000, 2],
  ['a limit lowered later increases them', 1, 150_000, 100_000, 2],
  ['an amount equal to the limit needs one approval', 1, 150_000, 150_000, 1],
])(
  'the number of approvals that a payout needs: %s',
  (_, approvals_needed, amount_cents, secondApproverCents, needed) => {
    const settings: PayoutSettings = {
      ...{ minimumCents: 2_000, cryptoMinimumCents: 5_000, referralsMinimumCents: 5_000, referralsFeePercent: 2 },
      ...{ coolingHours: 72, secondApproverCents },
    };
    expect(getApprovalsForPayout({ approvals_needed, amount_cents }, settings)).toBe(needed);
  },
);

test('a single operator can do everything alone, and the audit log records it', async () => {
  expect((await setLimit(owner, 2_000)).json()).toMatchObject({ secondApprover: 2_000 });
  const { ids, available } = await createRequests([1_500]);
  expect((await decide(owner, ids[0] ?? '')).json().status).toBe('approved');
  await setLimit(owner, 1_000);
  await sendAll();
  expect((await step(owner, ids[0] ?? '', 'failed')).json()).toMatchObject({ status: 'rejected', claim: null });
  expect(await available()).toBe(150_000);
  const details = async (search: string) =>
    (await owner.inject('GET', `/api/admin/audit?${search}`)).json().data[0].details;
  expect(await details(`subjectId=${ids[0]}&action=payout.failed`)).toMatchObject({ alone: true });
  const all = (await owner.inject('GET', '/api/admin/fee-changes?group=payouts')).json().data;
  expect(all.map((one: { details: { alone?: boolean } }) => one.details.alone)).toEqual([undefined, true]);
});

test('with two operators a large payout is returned when both report it, and one cannot report twice', async () => {
  second = await app.signUp('operator');
  const { ids, available } = await createRequests([1_500]);
  const id = ids[0] ?? '';
  expect((await decide(owner, id)).json()).toMatchObject({ status: 'inreview', approvalsNeeded: 2 });
  await decide(second, id);
  await sendAll();
  await step(owner, id, 'paid');
  expect((await step(owner, id, 'returned')).json()).toMatchObject({
    status: 'transfered',
    claim: { step: 'returned', operator: owner.username, reason },
  });
  expect([await available(), await waiting('payoutsToConfirm')]).toEqual([0, 1]);
  const again = await step(owner, id, 'returned');
  expect([again.statusCode, again.json().message]).toEqual([
    409,
    'You already reported this. Another staff member must confirm it.',
  ]);
  const { data } = (await second.inject('GET', '/api/admin/payouts?queue=toConfirm')).json();
  expect(data.map((one: { id: string }) => one.id)).toEqual([id]);
  app.clock.advance(8 * DAY_MS);
  [owner, second] = [await app.logIn(owner), await app.logIn(second)];
  expect(await waiting('payoutsToConfirm')).toBe(0);
  expect((await step(second, id, 'returned')).json()).toMatchObject({ claim: { operator: second.username } });
  expect((await step(owner, id, 'returned')).json()).toMatchObject({ status: 'rejected', claim: null });
  expect([await available(), await waiting('payoutsToConfirm')]).toEqual([150_000, 0]);
  const actions = (await owner.inject('GET', `/api/admin/audit?subjectId=${id}&action=payout`)).json().data;
  expect(actions.map(({ action }: { action: string }) => action)).toEqual([
    'payout.returned',
    'payout.claim',
    'payout.claim',
    'payout.paid',
    'payout.approve',
    'payout.approve',
  ]);
});

test('a small payout is returned by one operator who did not approve it', async () => {
  const { ids, available } = await createRequests([500, 40]);
  const [id = '', other = ''] = ids;
  await decide(owner, id);
  await decide(owner, other);
  await sendAll();
  expect((await step(owner, id, 'failed')).json()).toMatchObject({
    status: 'approved',
    claim: { step: 'failed', operator: owner.username },
  });
  expect((await step(owner, id, 'returned')).statusCode).toBe(409);
  expect([await available(), await waiting('payoutsToConfirm')]).toEqual([0, 1]);
  await step(owner, other, 'paid');
  expect((await step(owner, other, 'returned')).json()).toMatchObject({
    status: 'transfered',
    claim: { operator: owner.username },
  });
  expect((await step(second, other, 'returned')).json().status).toBe('rejected');
  expect((await step(second, id, 'failed')).json().status).toBe('rejected');
  expect(await available()).toBe(54_000);
});

test('payouts that one operator approves for one creator within a day are compared with the limit as one sum', async () => {
  const { ids } = await createRequests([600, 400, 20, 20]);
  const [first = '', more = '', above = '', later = ''] = ids;
  expect((await decide(owner, first)).json()).toMatchObject({ status: 'approved' });
  expect((await decide(owner, more)).json()).toMatchObject({ status: 'approved' });
  expect((await decide(owner, above)).json()).toMatchObject({ status: 'inreview', approvalsNeeded: 2 });
  expect((await decide(second, above)).json()).toMatchObject({ status: 'approved' });
  const other = await createRequests([600]);
  expect((await decide(owner, other.ids[0] ?? '')).json().status).toBe('approved');
  app.clock.advance(DAY_MS + 60_000);
  [owner, second] = [await app.logIn(owner), await app.logIn(second)];
  expect((await decide(owner, later)).json()).toMatchObject({ status: 'approved' });
});

test('a failed payout still counts toward the sum when the money is requested again', async () => {
  const { creator, ids, methodId } = await createRequests([900]);
  await decide(owner, ids[0] ?? '');
  await sendAll();
  expect((await step(second, ids[0] ?? '', 'failed')).json().status).toBe('rejected');
  const again = (await requestPayoutAs(creator, 900, methodId)).json<{ id: string }>().id;
  expect((await decide(owner, again)).json()).toMatchObject({ status: 'inreview', approvalsNeeded: 2 });
});

test('two payouts approved at the same time still count as one sum', async () => {
  const { ids } = await createRequests([600, 600]);
  const answers = await Promise.all(ids.map((id) => decide(owner, id)));
  expect(answers.map((answer) => answer.json().status).sort()).toEqual(['approved', 'inreview']);
});

test('an operator cannot decide on their own payout or report its failure, but another one can', async () => {
  const { creator, ids } = await createRequests([100]);
  const [id = ''] = ids;
  const works = { type: 'operator', operator_roles: ['finance'], two_factor_enabled_at: app.clock.now() };
  await app.ctx.db.query.updateTable('users').set(works).where('id', '=', creator.id).execute();
  const own = await app.logIn(creator);
  const isRefused = async (answer: ReturnType<typeof decide>) => {
    const { statusCode, body } = await answer;
    expect([statusCode, JSON.parse(body).message]).toEqual([
      403,
      'This is your own payout. Another staff member must decide.',
    ]);
  };
  for (const decision of ['approve', 'reject']) await isRefused(decide(own, id, decision));
  expect((await decide(owner, id)).json()).toMatchObject({ status: 'approved', approvals: [owner.username] });
  await sendAll();
  await isRefused(step(own, id, 'failed'));
  expect((await step(second, id, 'failed')).json().status).toBe('rejected');
});

test('an operator with a new role does not count as second for approvals, failure reports and limits', async () => {
  const { ids } = await createRequests([1_500, 700, 700, 300]);
  const [large = '', small = '', more = '', own = ''] = ids;
  [owner, second] = [await app.logIn(owner), await app.logIn(second)];
  const fan = await app.signUp('customer');
  const made = { username: fan.username, roles: ['owner'], reason };
  expect((await owner.inject('POST', '/api/admin/staff', made)).statusCode).toBe(200);
  const on = { two_factor_enabled_at: app.clock.now() };
  await app.ctx.db.query.updateTable('users').set(on).where('id', '=', fan.id).execute();
  let puppet = await app.logIn(fan);
  const isNew = async (answer: ReturnType<typeof decide>) => {
    const { statusCode, body } = await answer;
    expect([statusCode, JSON.parse(body).message]).toEqual([
      409,
      expect.stringMatching(/^This needs two people\. You can approve it from \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/),
    ]);
  };
  await decide(owner, large);
  await isNew(decide(puppet, large));
  expect((await decide(owner, small)).json().status).toBe('approved');
  await isNew(decide(puppet, more));
  expect((await decide(puppet, own)).json().status).toBe('approved');
  expect((await decide(owner, more)).json()).toMatchObject({ status: 'inreview', approvalsNeeded: 2 });
  await sendAll();
  await isNew(step(puppet, small, 'failed'));
  expect((await step(owner, own, 'failed')).json()).toMatchObject({ status: 'approved' });
  await isNew(setLimit(puppet, 9_000));
  await setLimit(owner, 9_000);
  const confirm = (by: TestUser) =>
    by.inject('POST', '/api/admin/setting-approvals/secondApprover/decision', {
      decision: 'confirm',
      to: 9_000,
      reason,
    });
  await isNew(confirm(puppet));
  const counts = async () =>
    (await owner.inject('GET', '/api/admin/staff')).json().data.find(({ id }: { id: string }) => id === fan.id)
      .approverFrom;
  expect([await counts(), await waiting('staffChanges')]).toEqual([expect.any(String), 1]);
  app.clock.advance(7 * DAY_MS + 1_000);
  [owner, second, puppet] = [await app.logIn(owner), await app.logIn(second), await app.logIn(puppet)];
  expect([await counts(), await waiting('staffChanges')]).toEqual([null, 0]);
  expect((await decide(puppet, large)).json().status).toBe('approved');
  expect((await confirm(puppet)).statusCode).toBe(200);
  expect(await settings()).toMatchObject({ secondApprover: 9_000 });
  await setLimit(owner, 1_000);
  await owner.inject('PUT', `/api/admin/staff/${fan.id}`, { from: ['owner'], to: [], reason });
  app.clock.advance(8 * DAY_MS);
  [owner, second] = [await app.logIn(owner), await app.logIn(second)];
});

test('approvals of an owner and of an operator they added are summed once the new operator counts', async () => {
  const { ids } = await createRequests([700, 700]);
  const [small = '', more = ''] = ids;
  const fan = await app.signUp('customer');
  const made = { username: fan.username, roles: ['owner'], reason };
  expect((await owner.inject('POST', '/api/admin/staff', made)).statusCode).toBe(200);
  const on = { two_factor_enabled_at: app.clock.now() };
  await app.ctx.db.query.updateTable('users').set(on).where('id', '=', fan.id).execute();
  app.clock.advance(7 * DAY_MS - HOUR_MS);
  owner = await app.logIn(owner);
  expect((await decide(owner, small)).json().status).toBe('approved');
  app.clock.advance(2 * HOUR_MS);
  const puppet = await app.logIn(fan);
  expect((await decide(puppet, more)).json()).toMatchObject({ status: 'inreview', approvalsNeeded: 2 });
  await owner.inject('PUT', `/api/admin/staff/${fan.id}`, { from: ['owner'], to: [], reason });
  app.clock.advance(8 * DAY_MS);
  [owner, second] = [await app.logIn(owner), await app.logIn(second)];
});

test('a higher limit waits for a second operator, while a lower one applies at once and cancels a pending raise', async () => {
  expect((await setLimit(owner, 5_000)).json()).toMatchObject({
    secondApprover: 1_000,
  });
  expect(await listSettingApprovals()).toMatchObject([
    { name: 'secondApprover', from: 1_000, to: 5_000, operator: owner.username, reason },
  ]);
  expect(await waiting('settingApprovals')).toBe(1);
  const decideLimit = (by: TestUser, decision: string, to: number) =>
    by.inject('POST', '/api/admin/setting-approvals/secondApprover/decision', { decision, to, reason });
  expect((await decideLimit(owner, 'confirm', 5_000)).json().message).toBe(
    'You requested this. Another staff member must confirm it.',
  );
  const team = (await owner.inject('GET', '/api/admin/staff')).json().data;
  const { id, roles } = team.find(({ username }: { username: string }) => username === second.username);
  await owner.inject('PUT', `/api/admin/staff/${id}`, { from: roles, to: [], reason });
  expect((await setLimit(owner, 6_000)).json()).toMatchObject({ secondApprover: 1_000 });
  expect(await listSettingApprovals()).toMatchObject([{ to: 6_000 }]);
  const third = await app.signUp('operator');
  expect((await decideLimit(third, 'confirm', 5_000)).statusCode).toBe(409);
  expect((await decideLimit(third, 'confirm', 6_000)).json()).toEqual({ data: [] });
  expect(await settings()).toMatchObject({ secondApprover: 6_000 });
  await setLimit(owner, 7_000);
  expect((await setLimit(owner, 900)).json()).toMatchObject({ secondApprover: 900 });
  expect(await listSettingApprovals()).toEqual([]);
  const { data } = (await owner.inject('GET', '/api/admin/fee-changes?group=payouts')).json();
  expect(data.slice(0, 3).map(({ action, details }: { action: string; details: object }) => [action, details])).toEqual(
    [
      [
        'settings.payouts',
        { secondApprover: 900, secondApproverBefore: 6_000, secondApproverWithdrawn: 7_000, reason },
      ],
      ['settings.payouts', { secondApproverRequested: 7_000, secondApproverBefore: 6_000, reason }],
      [
        'settings.payouts.confirm',
        { secondApprover: 6_000, secondApproverBefore: 1_000, requestedBy: owner.id, reason },
      ],
    ],
  );
});

test('users with deposits or referral earnings cannot be added as operators, because they would lose access to the money', async () => {
  const [affiliate, creator] = [await app.signUp('customer'), await app.signUp('creator')];
  const until = new Date(app.clock.now().getTime() + 60_000);
  const terms = { userId: creator.id, affiliateId: affiliate.id, basisPoints: 500, from: app.clock.now(), until };
  await app.ctx.db.transaction((tx) => startCommission(tx, terms));
  const { fan } = await createEarnings(app, creator.id, 10_000);
  const inviter = await app.signUp('operator', { roles: ['owner'] });
  for (const { username } of [fan, affiliate]) {
    const answer = await inviter.inject('POST', '/api/admin/staff', { username, roles: ['support'], reason });
    expect(answer.json().error?.[0]).toMatchObject({ message: expect.stringContaining('has transactions') });
  }
});
