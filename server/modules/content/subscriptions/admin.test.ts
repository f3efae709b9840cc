import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { listMailSubjects } from '../../../testing/inbox.ts';
import { renewDueSubscriptions } from './renewals.ts';
import {
  changeSubscription,
  createTestOffer,
  createTestTier,
  DAY_MS,
  expectBalancedLedger,
  getFunds,
  getSubscription,
  listOpenSubjects,
  signUpFan,
  startTestSubscription,
} from './testing.ts';

const URL = '/api/admin/subscriptions';
const reason = 'Requested by the fan';
let test: TestApp;
let owner: TestUser;
let creator: TestUser;
let tierId: string;

beforeAll(async () => {
  test = await createTestApp({ now: new Date('2020-01-31T12:00:00Z') });
});
afterAll(() => test.close());
beforeEach(async () => {
  [owner, creator] = await Promise.all([test.signUp('operator'), test.signUp('creator')]);
  tierId = await createTestTier(creator);
});
afterEach(() => expectBalancedLedger(test));

async function start(
  cents: number,
  ...options: Parameters<typeof startTestSubscription> extends [unknown, unknown, ...infer R] ? R : never
) {
  const fan = await signUpFan(test, cents);
  return { fan, id: await startTestSubscription(fan, tierId, ...options) };
}
async function renewAfter(days: number): Promise<void> {
  test.clock.advance(days * DAY_MS);
  await renewDueSubscriptions(test.ctx);
  owner = await test.signUp('operator');
}
const getOverview = async (by = owner) => (await by.inject('GET', '/api/admin/subscription-overview')).json();
const list = async (query: string) => (await owner.inject('GET', `${URL}?limit=30&${query}`)).json();
const listIds = async (query: string): Promise<string[]> =>
  (await list(query)).data.map((one: { id: string }) => one.id);
const view = async (id: string, by = owner) => (await by.inject('GET', `${URL}/${id}`)).json();
const end = (id: string, by = owner) => by.inject('POST', `${URL}/${id}/end`, { reason });
const refund = (id: string, number: number, by = owner) => by.inject('POST', `${URL}/${id}/refund`, { number, reason });

describe('a discount', () => {
  it('lowers the amount that is due, and is shown with the number of remaining charges', async () => {
    await createTestOffer(creator, test.clock.now(), { periods: 2 });
    const before = (await getOverview()).due.amount;
    const { id } = await start(10_000, { offer: 'SPRING', today: 6, renewal: 6 });
    await renewAfter(24);
    expect((await getOverview()).due.amount - before).toBe(6);
    const offer = { code: 'SPRING', percentOff: 50 };
    expect(await view(id)).toMatchObject({ price: 12, charged: 6, offer: { ...offer, paymentsLeft: 1 } });
    await renewAfter(5);
    expect(await view(id)).toMatchObject({ amount: 12, charged: 12, offer: { ...offer, paymentsLeft: 0 } });
    await end(id);
    expect((await view(id)).refunded).toBeLessThanOrEqual(6);
  });
});

describe('the lists', () => {
  it('count what is due within a day and a week, failing, ended unpaid and refunded', async () => {
    const before = await getOverview();
    const soon = await start(10_000);
    const unpaid = await start(1_200);
    const canceled = await start(10_000);
    await changeSubscription(test, canceled.fan, canceled.id, 'cancel');
    const refunded = await start(10_000);
    await changeSubscription(test, refunded.fan, refunded.id, 'refund');
    await renewAfter(0);
    const difference = async () => {
      const after = await getOverview();
      return Object.fromEntries(
        ['dueSoon', 'due', 'failing', 'unpaid', 'refunded'].map((key) => [
          key,
          [after[key].count - before[key].count, Math.round((after[key].amount - before[key].amount) * 100) / 100],
        ]),
      );
    };
    expect(await difference()).toMatchObject({ due: [0, 0], failing: [0, 0], refunded: [1, 12] });
    await renewAfter(24);
    expect(await difference()).toMatchObject({ dueSoon: [0, 0], due: [2, 24] });
    expect(await listIds('list=due')).toEqual([soon.id, unpaid.id]);
    await renewAfter(5);
    expect(await difference()).toMatchObject({ failing: [1, 12], due: [0, 0] });
    expect(await listIds('list=failing')).toEqual([unpaid.id]);
    await renewAfter(1);
    await renewAfter(5);
    expect(await difference()).toMatchObject({ failing: [0, 0], unpaid: [1, 12] });
    expect(await listIds('list=unpaid')).toEqual([unpaid.id]);
    expect((await list('list=unpaid')).data[0]).toMatchObject({
      ...{ state: 'ended', endReason: 'unpaid', amount: 12, tierName: 'Kiln', dueAt: null },
      fan: { id: unpaid.fan.id, username: unpaid.fan.username },
    });
  });

  it('show all subscriptions of a fan or creator, newest first', async () => {
    const first = await start(5_000);
    const second = await start(5_000);
    expect(await listIds(`user=${first.fan.username}`)).toEqual([first.id]);
    expect(await listIds(`user=@${creator.username}`)).toEqual([second.id, first.id]);
    expect(await list(`user=${randomUUID().slice(0, 8)}`)).toMatchObject({ data: [], totalCount: 0 });
  });

  it('are for support, finance and auditors, and actions only for finance', async () => {
    const { id } = await start(5_000);
    for (const [role, status] of [
      ['support', 200],
      ['auditor', 200],
      ['moderator', 403],
    ] as const) {
      const user = await test.signUp('operator', { roles: [role] });
      expect((await user.inject('GET', URL)).statusCode).toBe(status);
      expect([(await end(id, user)).statusCode, (await refund(id, 1, user)).statusCode]).toEqual([403, 403]);
    }
    expect((await creator.inject('GET', URL)).statusCode).toBe(403);
    expect((await owner.inject('GET', `${URL}/${randomUUID()}`)).statusCode).toBe(404);
  });
});

it('shows periods, events and money, and logs that it was viewed', async () => {
  const { fan, id } = await start(5_000);
  const startedAt = test.clock.now().toISOString();
  await renewAfter(31);
  const detail = await view(id);
  expect(detail).toMatchObject({ charged: 24, refunded: 0, price: 12, state: 'active', pendingApproval: null });
  expect(detail.periods).toMatchObject([
    { number: 2, price: 12, refunded: 0 },
    { number: 1, price: 12, startsAt: startedAt },
  ]);
  expect(detail.events.map(({ event }: { event: string }) => event)).toEqual(['started', 'charged', 'charged']);
  const { data } = (await owner.inject('GET', `/api/admin/audit?action=subscription&subjectId=${id}`)).json();
  expect(data[0]).toMatchObject({ action: 'subscription.view', operator: { username: owner.username } });
  expect(detail.fan.id).toBe(fan.id);
});

describe('an operator', () => {
  it('ends a subscription once and refunds the rest of its period', async () => {
    const { fan, id } = await start(1_200);
    const { paidUntil } = await getSubscription(test, id);
    const length = new Date(String(paidUntil)).getTime() - test.clock.now().getTime();
    test.clock.advance(length / 4);
    owner = await test.signUp('operator');
    expect(await view(id)).toMatchObject({ unused: 9 });
    const responses = await Promise.all([end(id), end(id)]);
    expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
    expect(await getFunds(test, fan)).toBe(900);
    expect(await listOpenSubjects(test, fan)).toEqual([]);
    expect(await view(id)).toMatchObject({ state: 'ended', endReason: 'operator', refunded: 9, unused: 0 });
    const { data } = (await owner.inject('GET', `/api/admin/audit?action=subscription.end&subjectId=${id}`)).json();
    expect(data).toMatchObject([{ details: { reason, cents: 900 } }]);
    await test.ctx.events.waitUntilIdle();
    expect(await listMailSubjects(test, fan)).toEqual(['Your subscription has ended']);
  });

  it('refunds an earlier period, which changes nothing else, and the current one, which ends it', async () => {
    const { fan, id } = await start(2_400);
    await renewAfter(31);
    expect((await refund(id, 1)).json()).toMatchObject({ state: 'active', refunded: 12 });
    expect((await refund(id, 1)).json().code).toBe('CONFLICT');
    expect((await refund(id, 3)).json().code).toBe('NOT_FOUND');
    expect(await listOpenSubjects(test, fan)).toHaveLength(2);
    expect((await refund(id, 2)).json()).toMatchObject({ state: 'ended', endReason: 'refunded', refunded: 24 });
    expect(await getFunds(test, fan)).toBe(2_400);
  });

  it('needs a second one above the limit, who confirms the request', async () => {
    const second = await test.signUp('operator');
    const setLimit = (second_approver_cents: number) =>
      test.owner.query.updateTable('payout_settings').set({ second_approver_cents }).execute();
    await setLimit(1_000);
    const { fan, id } = await start(1_200);
    const requested = (await refund(id, 1)).json();
    expect(requested).toMatchObject({
      state: 'active',
      pendingApproval: { kind: 'subscription', amount: 12, operator: owner.username, reason },
    });
    expect((await end(id)).json().code).toBe('CONFLICT');
    expect(await getFunds(test, fan)).toBe(0);
    const approvalId = requested.pendingApproval.id;
    const decide = { decision: 'confirm', reason: 'Right' };
    expect((await owner.inject('POST', `/api/admin/approvals/${approvalId}/decision`, decide)).statusCode).not.toBe(
      200,
    );
    const confirmed = await second.inject('POST', `/api/admin/approvals/${approvalId}/decision`, decide);
    expect(confirmed.statusCode, confirmed.body).toBe(200);
    expect(await getFunds(test, fan)).toBe(1_200);
    expect(await view(id, second)).toMatchObject({ state: 'ended', endReason: 'refunded', pendingApproval: null });
    await setLimit(100_000);
  });

  it('cannot confirm a refund that has grown by a renewal since the request', async () => {
    const setLimit = (second_approver_cents: number) =>
      test.owner.query.updateTable('payout_settings').set({ second_approver_cents }).execute();
    const { fan, id } = await start(2_400);
    await renewAfter(20);
    await setLimit(100);
    const requested = (await end(id)).json();
    await renewAfter(12);
    const second = await test.signUp('operator');
    const url = `/api/admin/approvals/${requested.pendingApproval.id}/decision`;
    const confirmed = await second.inject('POST', url, { decision: 'confirm', reason: 'Right' });
    expect(confirmed.json(), confirmed.body).toMatchObject({ code: 'CONFLICT' });
    expect(await view(id)).toMatchObject({ state: 'active', refunded: 0 });
    expect(await getFunds(test, fan)).toBe(0);
    await setLimit(100_000);
  });
});
