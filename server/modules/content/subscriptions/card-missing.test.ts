/** Renewals by card that fail or are not reported, and refunds at the processor. */
import { subscriptionTierId, userId } from '@stagedoor/contract/shared/ids.ts';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createId } from '../../../platform/ids.ts';
import { formatArizonaTime } from '../../commerce/ccbill/index.ts';
import { createProcessorId } from '../../commerce/ccbill/testing.ts';
import { getRecurringPayment, listStoredWebhooks } from '../../commerce/deposits/testing.ts';
import {
  createCardScene,
  findSubscriptionId,
  payFirst,
  placeOrder,
  postCardReversal,
  postEvent,
  renewByCard,
  repeatCancellations,
  runProcessorJobs,
  setUpCardTest,
} from './card.testing.ts';
import { orderCardSubscription, purgeCardOrders } from './card-order.ts';
import { renewDueSubscriptions } from './renewals.ts';
import {
  addFunds,
  changeSubscription,
  createTestTier,
  DAY_MS,
  getFunds,
  getSubscription,
  listOpenSubjects,
  listPeriods,
} from './testing.ts';

const HOUR_MS = 3_600_000;
const cards = setUpCardTest();

async function passTime(ms: number): Promise<void> {
  cards.app.clock.advance(ms);
  await renewDueSubscriptions(cards.app.ctx);
  await runProcessorJobs(cards.app);
}

describe('a renewal that is missing', () => {
  it('is looked up before access ends, which then ends if the processor did not charge the card', async () => {
    const { fan, subscriptionId } = await createCardScene(cards.app);
    cards.dataLink.timesRebilled = 0;
    await passTime(34 * DAY_MS + 19 * HOUR_MS);
    expect(cards.dataLink.statusCount).toBe(1);
    expect(await listOpenSubjects(cards.app, fan)).toHaveLength(2);
    expect((await getSubscription(cards.app, subscriptionId)).state).not.toBe('ended');
    await passTime(6 * HOUR_MS);
    expect(await getSubscription(cards.app, subscriptionId)).toMatchObject({ state: 'ended', endReason: 'unpaid' });
    expect(await listOpenSubjects(cards.app, fan)).toEqual([]);
  });

  it('does not end access for a week if the processor charged the card, and pays for its period when it is reported', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(cards.app);
    cards.dataLink.timesRebilled = 1;
    await passTime(35 * DAY_MS);
    await passTime(3 * DAY_MS);
    expect(await listOpenSubjects(cards.app, fan)).toHaveLength(2);
    const late = { timestamp: formatArizonaTime(new Date(cards.app.clock.now().getTime() - 8 * DAY_MS)) };
    await renewByCard(cards.app, cardId, late);
    const [first, second] = await listPeriods(cards.app, subscriptionId);
    expect(second?.starts_at).toEqual(first?.ends_at);
    expect(await getFunds(cards.app, fan)).toBe(0);
  });

  it('ends access a week later if its webhook never comes', async () => {
    const { fan, subscriptionId } = await createCardScene(cards.app);
    cards.dataLink.timesRebilled = 1;
    await passTime(35 * DAY_MS);
    await passTime(7 * DAY_MS + 2 * HOUR_MS);
    expect((await getSubscription(cards.app, subscriptionId)).state).toBe('ended');
    expect(await listOpenSubjects(cards.app, fan)).toEqual([]);
  });

  it('does not end access for a day if the processor is unreachable', async () => {
    const { fan, subscriptionId } = await createCardScene(cards.app);
    cards.dataLink.isDown = true;
    await passTime(35 * DAY_MS + HOUR_MS);
    expect(await listOpenSubjects(cards.app, fan)).toHaveLength(2);
    await passTime(26 * HOUR_MS);
    expect((await getSubscription(cards.app, subscriptionId)).state).toBe('ended');
  });

  it('remains in the wallet if it is reported after the subscription has ended', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(cards.app);
    cards.dataLink.timesRebilled = 0;
    await passTime(36 * DAY_MS);
    expect((await getSubscription(cards.app, subscriptionId)).state).toBe('ended');
    cards.dataLink.timesRebilled = 1;
    await renewByCard(cards.app, cardId);
    expect(await getFunds(cards.app, fan)).toBe(1_200);
  });
});

describe('a declined renewal', () => {
  async function createDeclined() {
    const scene = await createCardScene(cards.app);
    cards.app.clock.advance(30 * DAY_MS);
    const day = new Date(cards.app.clock.now().getTime() + 2 * DAY_MS).toISOString().slice(0, 10);
    const decline = { transactionId: createProcessorId(), nextRetryDate: day, failureCode: 'BE-900' };
    for (let n = 0; n < 2; n += 1) await postEvent(cards.app, 'RenewalFailure', scene.cardId, decline);
    return scene;
  }

  it('is recorded once, with the time of the next attempt', async () => {
    const { subscriptionId } = await createDeclined();
    const { state, failure } = await getSubscription(cards.app, subscriptionId);
    expect(state).toBe('pastDue');
    expect(failure).toMatchObject({ amount: 12.24, nextAttemptAt: expect.any(String) });
  });

  it('can be paid from the balance, which cancels the card payments and pays calendar months from then on', async () => {
    const { fan, cardId, subscriptionId } = await createDeclined();
    expect((await changeSubscription(cards.app, fan, subscriptionId, 'pay')).statusCode).toBe(402);
    await addFunds(cards.app, fan, 2_400);
    expect((await changeSubscription(cards.app, fan, subscriptionId, 'pay')).json()).toMatchObject({
      subscription: { paymentSource: 'balance', state: 'active', nextCharge: { amount: 12 } },
    });
    await cards.app.ctx.events.waitUntilIdle();
    await runProcessorJobs(cards.app);
    expect(cards.dataLink.canceled).toContain(cardId);
    const ends = (await listPeriods(cards.app, subscriptionId)).map(({ ends_at: at }) => at.toISOString().slice(5, 10));
    expect(ends[1]?.slice(3)).toBe(ends[0]?.slice(3));
    cards.app.clock.advance(31 * DAY_MS);
    await renewDueSubscriptions(cards.app.ctx);
    expect(await listPeriods(cards.app, subscriptionId)).toHaveLength(3);
    expect(await getFunds(cards.app, fan)).toBe(0);
  });

  it('adds funds to the wallet if it is charged after the balance has paid', async () => {
    const { fan, cardId, subscriptionId } = await createDeclined();
    await addFunds(cards.app, fan, 1_200);
    await changeSubscription(cards.app, fan, subscriptionId, 'pay');
    await renewByCard(cards.app, cardId);
    expect(await getFunds(cards.app, fan)).toBe(1_200);
    expect(await listPeriods(cards.app, subscriptionId)).toHaveLength(2);
  });
});

describe('a payment that the processor returned', () => {
  it.each(['Refund', 'Void'])('ends its period by a %s, and the fan owes nothing', async (type) => {
    const { fan, cardId, subscriptionId } = await createCardScene(cards.app);
    for (let n = 0; n < 3; n += 1) await postCardReversal(cards.app, type, cardId, cardId, '12.24');
    expect(await getSubscription(cards.app, subscriptionId)).toMatchObject({ state: 'ended', endReason: 'refunded' });
    expect(await getFunds(cards.app, fan)).toBe(0);
    await addFunds(cards.app, fan, 500);
    expect(await getFunds(cards.app, fan)).toBe(500);
    expect(await listOpenSubjects(cards.app, fan)).toEqual([]);
    expect((await listStoredWebhooks(cards.app, cardId)).at(-1)?.state).toBe('processed');
  });

  it('refunds its period in parts, which ends with the last part, and the fan owes nothing', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(cards.app);
    const countRefunded = async () => (await listPeriods(cards.app, subscriptionId))[0]?.refunded_cents;
    for (let n = 0; n < 2; n += 1) await postCardReversal(cards.app, 'Refund', cardId, cardId, '4.10');
    expect(await countRefunded()).toBe(402);
    expect((await getSubscription(cards.app, subscriptionId)).state).toBe('active');
    cards.app.clock.advance(60_000);
    await postCardReversal(cards.app, 'Refund', cardId, cardId, '8.14');
    await cards.app.ctx.events.waitUntilIdle();
    expect(await countRefunded()).toBe(1_200);
    expect(await getSubscription(cards.app, subscriptionId)).toMatchObject({ state: 'ended', endReason: 'refunded' });
    await addFunds(cards.app, fan, 500);
    expect(await getFunds(cards.app, fan)).toBe(500);
  });

  it('refunds its period even if the fan has switched to the balance since', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(cards.app);
    await changeSubscription(cards.app, fan, subscriptionId, 'cancel');
    await changeSubscription(cards.app, fan, subscriptionId, 'resume');
    await postCardReversal(cards.app, 'Refund', cardId, cardId, '12.24');
    await cards.app.ctx.events.waitUntilIdle();
    expect(await getSubscription(cards.app, subscriptionId)).toMatchObject({ state: 'ended', endReason: 'refunded' });
    expect(await listOpenSubjects(cards.app, fan)).toEqual([]);
    await addFunds(cards.app, fan, 500);
    expect(await getFunds(cards.app, fan)).toBe(500);
  });

  it('refunds only its own period if that is an earlier one', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(cards.app);
    await renewByCard(cards.app, cardId);
    await postCardReversal(cards.app, 'Refund', cardId, cardId, '12.24');
    expect((await getSubscription(cards.app, subscriptionId)).state).toBe('active');
    expect(await listPeriods(cards.app, subscriptionId)).toMatchObject([
      { refunded_cents: 1_200 },
      { refunded_cents: 0 },
    ]);
    expect(await getFunds(cards.app, fan)).toBe(0);
  });
});

describe('after DataLink refused the account,', () => {
  const countRequests = () => cards.dataLink.statusCount + cards.dataLink.canceled.length;
  const repeat = async (ms: number) => {
    cards.app.clock.advance(ms);
    await repeatCancellations(cards.app);
  };

  it('sends no cancellation for an hour, and then one', async () => {
    const scenes = [await createCardScene(cards.app), await createCardScene(cards.app)] as const;
    cards.dataLink.cancelResult = '-1';
    for (const { fan, subscriptionId } of scenes) await changeSubscription(cards.app, fan, subscriptionId, 'cancel');
    await cards.app.ctx.events.waitUntilIdle();
    await runProcessorJobs(cards.app);
    expect(cards.dataLink.canceled).toHaveLength(1);
    await repeat(30 * 60_000);
    expect(cards.dataLink.canceled).toHaveLength(1);
    await repeat(40 * 60_000);
    expect(cards.dataLink.canceled).toHaveLength(2);
    cards.dataLink.cancelResult = '1';
    await repeat(70 * 60_000);
    for (const { cardId } of scenes) expect((await getRecurringPayment(cards.app, cardId)).canceled_at).not.toBeNull();
  });

  it.each(['-1', '-12', '-23'])(
    'pauses look-ups, confirmations and cancellations together (result %s)',
    async (result) => {
      const scenes = [
        await createCardScene(cards.app),
        await createCardScene(cards.app),
        await createCardScene(cards.app),
      ] as const;
      Object.assign(cards.dataLink, { statusResult: result, cancelResult: result });
      await passTime(34 * DAY_MS + 20 * HOUR_MS);
      expect(countRequests()).toBe(1);
      const [{ cardId, fan, subscriptionId }, ...others] = scenes;
      const renewal = await renewByCard(cards.app, cardId);
      await changeSubscription(cards.app, fan, subscriptionId, 'cancel');
      await cards.app.ctx.events.waitUntilIdle();
      await passTime(30 * 60_000);
      await repeat(20 * 60_000);
      expect(countRequests()).toBe(1);
      await passTime(20 * 60_000);
      expect(countRequests()).toBe(2);
      for (const each of others) expect(await listOpenSubjects(cards.app, each.fan)).toHaveLength(2);

      Object.assign(cards.dataLink, { statusResult: null, cancelResult: '1', timesRebilled: 0 });
      await passTime(70 * 60_000);
      await repeat(HOUR_MS);
      expect((await getRecurringPayment(cards.app, cardId)).canceled_at).not.toBeNull();
      await passTime(6 * HOUR_MS);
      for (const each of others) expect((await getSubscription(cards.app, each.subscriptionId)).state).toBe('ended');
      expect((await listStoredWebhooks(cards.app, renewal)).at(-1)?.state).toBe('waiting');
    },
  );
});

it('deletes orders after a week, and a later payment remains in the wallet', async () => {
  const fan = await cards.app.signUp('customer');
  const order = await placeOrder(fan, await createTestTier(await cards.app.signUp('creator')));
  const count = async () =>
    (
      await cards.app.owner.query
        .selectFrom('card_subscription_orders')
        .select('id')
        .where('fan_id', '=', fan.id)
        .execute()
    ).length;
  await purgeCardOrders(cards.app.ctx);
  expect(await count()).toBe(1);
  await purgeCardOrders({
    ...cards.app.ctx,
    clock: { ...cards.app.clock, now: () => new Date(cards.app.clock.now().getTime() + 8 * DAY_MS) },
  });
  expect(await count()).toBe(0);
  await payFirst(cards.app, order);
  expect(await findSubscriptionId(cards.app, fan)).toBeUndefined();
  expect(await getFunds(cards.app, fan)).toBe(1_200);
});

it('refuses orders while card subscriptions are turned off, and without DataLink', async () => {
  const fan = await cards.app.signUp('customer');
  const tierId = z.parse(subscriptionTierId, await createTestTier(await cards.app.signUp('creator')));
  const { payments } = cards.app.ctx.config;
  for (const change of [{ hasSubscriptions: false }, { dataLink: undefined }]) {
    const config = { ...cards.app.ctx.config, payments: { ...payments, ...change } };
    const body = { tierId, recurrence: 'monthaly' as const, count: 1 as const, expected: 12.24, timeZone: 'UTC' };
    const ordering = orderCardSubscription(
      { ...cards.app.ctx, config },
      { userId: z.parse(userId, fan.id) },
      body,
      createId(cards.app.clock),
    );
    await expect(ordering).rejects.toMatchObject({ code: 'FORBIDDEN' });
  }
});
