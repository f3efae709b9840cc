import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { runRefund } from '../../commerce/sales/testing.ts';
import { blockAccount } from '../../identity/accounts/index.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';

let test: TestApp;
let creator: TestUser;
let other: TestUser;
let fans: TestUser[];

beforeAll(async () => {
  test = await createTestApp();
  [creator, other, ...fans] = await Promise.all([
    test.signUp('creator'),
    test.signUp('creator'),
    test.signUp('customer'),
    test.signUp('customer'),
  ]);
  for (const fan of fans) await createDeposit(test.ctx.db, fan.id, 40_000);
});
afterAll(() => test.close());

const startGoal = (as: TestUser, body: object = {}) =>
  as.inject('POST', '/api/creator/tip-goal', { title: 'A new kiln', target: 100, ...body });
const findGoal = async (owner: TestUser, as: { inject: TestApp['inject'] } = test) =>
  (await as.inject('GET', `/api/public/tip-goal/${owner.id}`)).json().goal;
const tip = (as: TestUser, to: TestUser, body: object, key = randomUUID()) =>
  as.inject(
    'POST',
    `/api/tip/customer-send/${to.id}`,
    { type: 'profile', note: '', ...body },
    { 'idempotency-key': key },
  );

async function withGoal(body: object = {}) {
  const owner = await test.signUp('creator');
  const { goal } = (await startGoal(owner, body)).json();
  return { owner, goal };
}

describe('a goal', () => {
  it('is visible to everyone from its start, one at a time, until its creator ends it', async () => {
    expect(await findGoal(creator)).toBeNull();
    const { goal } = (await startGoal(creator, { days: 30 })).json();
    expect(goal).toMatchObject({
      title: 'A new kiln',
      target: 100,
      raised: 0,
      tipCount: 0,
      isReached: false,
      isOpen: true,
    });
    expect(Date.parse(goal.endsAt) - Date.parse(goal.startedAt)).toBe(30 * 86_400_000);
    expect(await findGoal(creator)).toEqual(goal);
    const [one, two] = await Promise.all([startGoal(creator), startGoal(creator)]);
    expect([one.statusCode, two.statusCode]).toEqual([409, 409]);
    expect((await other.inject('DELETE', `/api/creator/tip-goal/${goal.id}`)).statusCode).toBe(404);
    expect((await creator.inject('DELETE', `/api/creator/tip-goal/${goal.id}`)).json()).toEqual({ goal: null });
    expect((await creator.inject('DELETE', `/api/creator/tip-goal/${goal.id}`)).statusCode).toBe(404);
    expect(await findGoal(creator)).toBeNull();
    const both = await Promise.all([startGoal(creator), startGoal(creator)]);
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  });

  it.each([
    ['an empty title', { title: ' ' }],
    ['an endless title', { title: 'x'.repeat(61) }],
    ['too little', { target: 9.99 }],
    ['too much', { target: 100_000.01 }],
    ['a third decimal', { target: 50.001 }],
    ['no time at all', { days: 0 }],
    ['more than a year', { days: 366 }],
  ])('is refused with %s', async (_name, body) => {
    expect((await startGoal(other, body)).statusCode).toBe(400);
  });

  it('returns 404 for blocked creators and for fans', async () => {
    const { owner } = await withGoal();
    await blockAccount(test.ctx, owner.id, 'Spam');
    expect((await test.inject('GET', `/api/public/tip-goal/${owner.id}`)).statusCode).toBe(404);
    expect((await test.inject('GET', `/api/public/tip-goal/${fans[0]?.id}`)).statusCode).toBe(404);
  });
});

describe('the raised amount', () => {
  it('counts every tip toward the goal once, also concurrent ones, and no other tips', async () => {
    const { owner, goal } = await withGoal();
    const [ann, ben] = fans as [TestUser, TestUser];
    const key = randomUUID();
    const responses = await Promise.all([
      tip(ann, owner, { amount: 40.01, goalId: goal.id }, key),
      tip(ben, owner, { amount: 59.98, goalId: goal.id }),
      tip(ann, owner, { amount: 40.01, goalId: goal.id }, key),
    ]);
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(await findGoal(owner)).toMatchObject({ raised: 99.99, tipCount: 2, isReached: false });
    await tip(ann, owner, { amount: 5 });
    await tip(ann, owner, { amount: 5, type: 'chat', goalId: goal.id });
    expect(await findGoal(owner)).toMatchObject({ raised: 99.99, tipCount: 2 });
    await tip(ben, owner, { amount: 1, goalId: goal.id });
    expect(await findGoal(owner)).toMatchObject({ raised: 100.99, tipCount: 3, isReached: true });
    const { data } = (await ben.inject('GET', '/api/customer/transaction-history')).json();
    expect(data[0]).toMatchObject({ detail: 'toward tip goal', href: `/profile/${owner.username}` });
  });

  it('is reduced by partial and full refunds', async () => {
    const { owner, goal } = await withGoal();
    const [ann] = fans as [TestUser, TestUser];
    const first = (await tip(ann, owner, { amount: 60, goalId: goal.id })).json();
    const second = (await tip(ann, owner, { amount: 40, goalId: goal.id })).json();
    expect(await findGoal(owner)).toMatchObject({ raised: 100, isReached: true });
    const refundTip = (saleId: string, grossCents?: number) =>
      runRefund(test.ctx.db, saleId, grossCents, test.clock.now());
    await refundTip(first.transactionId, 1_234);
    expect(await findGoal(owner)).toMatchObject({ raised: 87.66, tipCount: 2, isReached: false });
    await refundTip(second.transactionId);
    expect(await findGoal(owner)).toMatchObject({ raised: 47.66, tipCount: 1 });
  });

  it('does not change by tips toward an ended goal or another creator’s goal, which are refused without a charge', async () => {
    const { owner, goal } = await withGoal({ days: 1 });
    const [, ben] = fans as [TestUser, TestUser];
    const before = (await ben.inject('GET', '/api/customer/wallet')).json().available;
    expect((await tip(ben, other, { amount: 5, goalId: goal.id })).statusCode).toBe(404);
    for (const goalId of [randomUUID(), 'x', "' or 1=1"])
      expect((await tip(ben, owner, { amount: 5, goalId })).statusCode).toBe(404);
    test.clock.advance(86_400_000);
    expect((await tip(ben, owner, { amount: 5, goalId: goal.id })).json()).toMatchObject({ code: 'CONFLICT' });
    expect(await findGoal(owner)).toMatchObject({ isOpen: false, raised: 0 });
    await owner.inject('DELETE', `/api/creator/tip-goal/${goal.id}`);
    expect((await tip(ben, owner, { amount: 5, goalId: goal.id })).statusCode).toBe(409);
    expect((await ben.inject('GET', '/api/customer/wallet')).json().available).toBe(before);
  });

  it('is emitted only to users who are watching the creator', async () => {
    const { owner, goal } = await withGoal();
    // Events of earlier goals are emitted too.
    await test.ctx.events.waitUntilIdle();
    const emitSpy = vi.spyOn(test.ctx.realtime, 'emitToRoom');
    const [ann] = fans as [TestUser, TestUser];
    await tip(ann, owner, { amount: 12.5, goalId: goal.id });
    await tip(ann, owner, { amount: 3 });
    await test.ctx.events.waitUntilIdle();
    const goals = emitSpy.mock.calls.filter(([, event]) => event.name === 'TIP_GOAL_CHANGED');
    expect(goals.length).toBeGreaterThan(0);
    expect(goals.at(-1)?.[0]).toBe(`presence:${owner.id}`);
    expect(goals.at(-1)?.[2]).toMatchObject({ creatorId: owner.id, goal: { raised: 12.5 } });
    emitSpy.mockRestore();
  });
});
