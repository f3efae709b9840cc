/** Renewals by card that do not come: they are looked up at the processor, or the balance pays instead. Also refunds at the processor. */
import { subscriptionTierId, userId } from '@stagedoor/contract/shared/ids.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createId } from '../../../platform/ids.ts';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { formatArizonaTime } from '../../commerce/ccbill/index.ts';
import { createProcessorId } from '../../commerce/ccbill/testing.ts';
import { getRecurringPayment, listStoredWebhooks } from '../../commerce/deposits/testing.ts';
import {
  createCardScene,
  findSubscriptionId,
  mockDataLink,
  payFirst,
  placeOrder,
  postCardReversal,
  postEvent,
  renewByCard,
  runProcessorJobs,
} from './card.testing.ts';
import { orderCardSubscription, purgeCardOrders } from './card-order.ts';
import { renewDueSubscriptions } from './renewals.ts';
import {
  addFunds,
  changeSubscription,
  createTestTier,
  DAY_MS,
  expectBalancedLedger,
  getFunds,
  getSubscription,
  listOpenSubjects,
  listPeriods,
} from './testing.ts';

const HOUR_MS = 3_600_000;
let test: TestApp;
let dataLink: ReturnType<typeof mockDataLink>;

beforeAll(async () => {
  const env = { CCBILL_MIN_USD: '4', CCBILL_MAX_USD: '100' };
  test = await createTestApp({ now: new Date('2024-01-31T12:00:00Z'), env });
});
afterAll(() => test.close());
beforeEach(() => {
  dataLink = mockDataLink();
});
afterEach(() => expectBalancedLedger(test));

async function passTime(ms: number): Promise<void> {
  test.clock.advance(ms);
  await renewDueSubscriptions(test.ctx);
  await runProcessorJobs(test);
}

describe('a renewal that is missing', () => {
  it('is looked up before access ends, and ends it if the processor did not charge the card', async () => {
    const { fan, subscriptionId } = await createCardScene(test);
    dataLink.timesRebilled = 0;
    await passTime(34 * DAY_MS + 19 * HOUR_MS);
    expect(dataLink.statusCount).toBe(1);
    expect(await listOpenSubjects(test, fan)).toHaveLength(2);
    expect((await getSubscription(test, subscriptionId)).state).not.toBe('ended');
    await passTime(6 * HOUR_MS);
    expect(await getSubscription(test, subscriptionId)).toMatchObject({ state: 'ended', endReason: 'unpaid' });
    expect(await listOpenSubjects(test, fan)).toEqual([]);
  });

  it('does not end access for a week if the processor charged the card, and then pays for its period', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(test);
    dataLink.timesRebilled = 1;
    await passTime(35 * DAY_MS);
    await passTime(3 * DAY_MS);
    expect(await listOpenSubjects(test, fan)).toHaveLength(2);
    const late = { timestamp: formatArizonaTime(new Date(test.clock.now().getTime() - 8 * DAY_MS)) };
    await renewByCard(test, cardId, late);
    const [first, second] = await listPeriods(test, subscriptionId);
    expect(second?.starts_at).toEqual(first?.ends_at);
    expect(await getFunds(test, fan)).toBe(0);
  });

  it('ends access a week later if its webhook never comes', async () => {
    const { fan, subscriptionId } = await createCardScene(test);
    dataLink.timesRebilled = 1;
    await passTime(35 * DAY_MS);
    await passTime(7 * DAY_MS + 2 * HOUR_MS);
    expect((await getSubscription(test, subscriptionId)).state).toBe('ended');
    expect(await listOpenSubjects(test, fan)).toEqual([]);
  });

  it('does not end access for a day while the processor is unreachable', async () => {
    const { fan, subscriptionId } = await createCardScene(test);
    dataLink.isDown = true;
    await passTime(35 * DAY_MS + HOUR_MS);
    expect(await listOpenSubjects(test, fan)).toHaveLength(2);
    await passTime(26 * HOUR_MS);
    expect((await getSubscription(test, subscriptionId)).state).toBe('ended');
  });

  it('that comes after the end remains in the wallet', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(test);
    dataLink.timesRebilled = 0;
    await passTime(36 * DAY_MS);
    expect((await getSubscription(test, subscriptionId)).state).toBe('ended');
    dataLink.timesRebilled = 1;
    await renewByCard(test, cardId);
    expect(await getFunds(test, fan)).toBe(1_200);
  });
});

describe('a declined card', () => {
  async function createDeclined() {
    const scene = await createCardScene(test);
    test.clock.advance(30 * DAY_MS);
    const day = new Date(test.clock.now().getTime() + 2 * DAY_MS).toISOString().slice(0, 10);
    const decline = { transactionId: createProcessorId(), nextRetryDate: day, failureCode: 'BE-900' };
    for (let n = 0; n < 2; n += 1) await postEvent(test, 'RenewalFailure', scene.cardId, decline);
    return scene;
  }

  it('is counted once, and shows when the processor tries again', async () => {
    const { subscriptionId } = await createDeclined();
    const { state, failure } = await getSubscription(test, subscriptionId);
    expect(state).toBe('pastDue');
    expect(failure).toMatchObject({ amount: 12.24, nextAttemptAt: expect.any(String) });
  });

  it('is replaced by the balance, which pays now and by the calendar later, and is charged no more', async () => {
    const { fan, cardId, subscriptionId } = await createDeclined();
    expect((await changeSubscription(test, fan, subscriptionId, 'pay')).statusCode).toBe(402);
    await addFunds(test, fan, 2_400);
    expect((await changeSubscription(test, fan, subscriptionId, 'pay')).json()).toMatchObject({
      subscription: { purse: 'balance', state: 'active', nextCharge: { amount: 12 } },
    });
    await test.ctx.events.waitUntilIdle();
    await runProcessorJobs(test);
    expect(dataLink.canceled).toContain(cardId);
    const ends = (await listPeriods(test, subscriptionId)).map(({ ends_at: at }) => at.toISOString().slice(5, 10));
    expect(ends[1]?.slice(3)).toBe(ends[0]?.slice(3));
    test.clock.advance(31 * DAY_MS);
    await renewDueSubscriptions(test.ctx);
    expect(await listPeriods(test, subscriptionId)).toHaveLength(3);
    expect(await getFunds(test, fan)).toBe(0);
  });

  it('that was charged although the balance paid adds to the wallet', async () => {
    const { fan, cardId, subscriptionId } = await createDeclined();
    await addFunds(test, fan, 1_200);
    await changeSubscription(test, fan, subscriptionId, 'pay');
    await renewByCard(test, cardId);
    expect(await getFunds(test, fan)).toBe(1_200);
    expect(await listPeriods(test, subscriptionId)).toHaveLength(2);
  });
});

describe('a payment that the processor returned', () => {
  it.each(['Refund', 'Void'])('by a %s ends its period, and the fan owes nothing', async (type) => {
    const { fan, cardId, subscriptionId } = await createCardScene(test);
    for (let n = 0; n < 3; n += 1) await postCardReversal(test, type, cardId, cardId, '12.24');
    expect(await getSubscription(test, subscriptionId)).toMatchObject({ state: 'ended', endReason: 'refunded' });
    expect(await getFunds(test, fan)).toBe(0);
    await addFunds(test, fan, 500);
    expect(await getFunds(test, fan)).toBe(500);
    expect(await listOpenSubjects(test, fan)).toEqual([]);
    expect((await listStoredWebhooks(test, cardId)).at(-1)?.state).toBe('processed');
  });

  it('in part refunds as much of its period, which ends with the last part, and the fan owes nothing', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(test);
    const countRefunded = async () => (await listPeriods(test, subscriptionId))[0]?.refunded_cents;
    for (let n = 0; n < 2; n += 1) await postCardReversal(test, 'Refund', cardId, cardId, '4.10');
    expect(await countRefunded()).toBe(402);
    expect((await getSubscription(test, subscriptionId)).state).toBe('active');
    test.clock.advance(60_000);
    await postCardReversal(test, 'Refund', cardId, cardId, '8.14');
    await test.ctx.events.waitUntilIdle();
    expect(await countRefunded()).toBe(1_200);
    expect(await getSubscription(test, subscriptionId)).toMatchObject({ state: 'ended', endReason: 'refunded' });
    await addFunds(test, fan, 500);
    expect(await getFunds(test, fan)).toBe(500);
  });

  it('after the fan switched to the balance refunds its period, and the fan owes nothing', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(test);
    await changeSubscription(test, fan, subscriptionId, 'cancel');
    await changeSubscription(test, fan, subscriptionId, 'resume');
    await postCardReversal(test, 'Refund', cardId, cardId, '12.24');
    await test.ctx.events.waitUntilIdle();
    expect(await getSubscription(test, subscriptionId)).toMatchObject({ state: 'ended', endReason: 'refunded' });
    expect(await listOpenSubjects(test, fan)).toEqual([]);
    await addFunds(test, fan, 500);
    expect(await getFunds(test, fan)).toBe(500);
  });

  it('for an earlier period refunds only that one', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(test);
    await renewByCard(test, cardId);
    await postCardReversal(test, 'Refund', cardId, cardId, '12.24');
    expect((await getSubscription(test, subscriptionId)).state).toBe('active');
    expect(await listPeriods(test, subscriptionId)).toMatchObject([{ refunded_cents: 1_200 }, { refunded_cents: 0 }]);
    expect(await getFunds(test, fan)).toBe(0);
  });
});

describe('after a problem of the account, which would lock it out,', () => {
  const countRequests = () => dataLink.statusCount + dataLink.canceled.length;
  const repeat = async (ms: number) => {
    test.clock.advance(ms);
    await test.ctx.db.pool.query(`select graphile_worker.add_job('deposits.repeatCancellations', '{}')`);
    await test.ctx.jobs.runDue(['deposits.repeatCancellations']);
  };

  it('no cancellation is sent for an hour, and then one', async () => {
    const scenes = [await createCardScene(test), await createCardScene(test)] as const;
    dataLink.cancelResult = '-1';
    for (const { fan, subscriptionId } of scenes) await changeSubscription(test, fan, subscriptionId, 'cancel');
    await test.ctx.events.waitUntilIdle();
    await runProcessorJobs(test);
    expect(dataLink.canceled).toHaveLength(1);
    await repeat(30 * 60_000);
    expect(dataLink.canceled).toHaveLength(1);
    await repeat(40 * 60_000);
    expect(dataLink.canceled).toHaveLength(2);
    dataLink.cancelResult = '1';
    await repeat(70 * 60_000);
    for (const { cardId } of scenes) expect((await getRecurringPayment(test, cardId)).canceled_at).not.toBeNull();
  });

  it.each(['-1', '-12', '-23'])(
    'such as %s, look-ups, confirmations and cancellations pause together',
    async (result) => {
      const scenes = [await createCardScene(test), await createCardScene(test), await createCardScene(test)] as const;
      Object.assign(dataLink, { statusResult: result, cancelResult: result });
      await passTime(34 * DAY_MS + 20 * HOUR_MS);
      expect(countRequests()).toBe(1);
      const [{ cardId, fan, subscriptionId }, ...others] = scenes;
      const renewal = await renewByCard(test, cardId);
      await changeSubscription(test, fan, subscriptionId, 'cancel');
      await test.ctx.events.waitUntilIdle();
      await passTime(30 * 60_000);
      await repeat(20 * 60_000);
      expect(countRequests()).toBe(1);
      await passTime(20 * 60_000);
      expect(countRequests()).toBe(2);
      for (const each of others) expect(await listOpenSubjects(test, each.fan)).toHaveLength(2);

      Object.assign(dataLink, { statusResult: null, cancelResult: '1', timesRebilled: 0 });
      await passTime(70 * 60_000);
      await repeat(HOUR_MS);
      expect((await getRecurringPayment(test, cardId)).canceled_at).not.toBeNull();
      await passTime(6 * HOUR_MS);
      for (const each of others) expect((await getSubscription(test, each.subscriptionId)).state).toBe('ended');
      expect((await listStoredWebhooks(test, renewal)).at(-1)?.state).toBe('waiting');
    },
  );
});

it('deletes orders that were not paid within a week, and a later payment remains in the wallet', async () => {
  const fan = await test.signUp('customer');
  const order = await placeOrder(fan, await createTestTier(await test.signUp('creator')));
  const count = async () =>
    (await test.owner.query.selectFrom('card_subscription_orders').select('id').where('fan_id', '=', fan.id).execute())
      .length;
  await purgeCardOrders(test.ctx);
  expect(await count()).toBe(1);
  await purgeCardOrders({
    ...test.ctx,
    clock: { ...test.clock, now: () => new Date(test.clock.now().getTime() + 8 * DAY_MS) },
  });
  expect(await count()).toBe(0);
  await payFirst(test, order);
  expect(await findSubscriptionId(test, fan)).toBeUndefined();
  expect(await getFunds(test, fan)).toBe(1_200);
});

it('refuses orders while the operator has turned cards off, or without DataLink', async () => {
  const fan = await test.signUp('customer');
  const tierId = z.parse(subscriptionTierId, await createTestTier(await test.signUp('creator')));
  const { payments } = test.ctx.config;
  for (const change of [{ hasSubscriptions: false }, { dataLink: undefined }]) {
    const config = { ...test.ctx.config, payments: { ...payments, ...change } };
    const body = { tierId, recurrence: 'monthaly' as const, count: 1 as const, expected: 12.24, timeZone: 'UTC' };
    const ordering = orderCardSubscription(
      { ...test.ctx, config },
      { userId: z.parse(userId, fan.id) },
      body,
      createId(test.clock),
    );
    await expect(ordering).rejects.toMatchObject({ code: 'FORBIDDEN' });
  }
});
