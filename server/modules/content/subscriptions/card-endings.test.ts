import { describe, expect, it } from 'vitest';
import { formatArizonaTime } from '../../commerce/ccbill/index.ts';
import { createProcessorId, postWebhook } from '../../commerce/ccbill/testing.ts';
import { getRecurringPayment, listPaidDeposits, listStoredWebhooks } from '../../commerce/deposits/testing.ts';
import { setSpendingBlocked } from '../../ledger/ledger/index.ts';
import {
  buildCommonFields,
  buildFirstPayment,
  buildRenewal,
  createCardScene,
  payFirst,
  placeOrder,
  postCardReversal,
  postEvent,
  renewByCard,
  repeatCancellations,
  runProcessorJobs,
  setUpCardTest,
} from './card.testing.ts';
import { renewDueSubscriptions } from './renewals.ts';
import {
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
const { countDeposits, getState, getReason } = cards;

const formatDayIn = (days: number) =>
  new Date(cards.app.clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10);

/** A reactivation has no time. */
async function reactivate(cardId: string, days: number): Promise<void> {
  const { timestamp: _, ...fields } = buildCommonFields(cards.app, cardId);
  const reactivation = { ...fields, transactionId: cardId, nextRenewalDate: formatDayIn(days) };
  await postWebhook(cards.app, 'UserReactivation', reactivation);
}

describe('the end of renewals', () => {
  it.each(['Cancellation', 'Expiration'])(
    'by a %s at the processor does not shorten the paid period',
    async (event) => {
      const { fan, cardId, subscriptionId } = await createCardScene(cards.app);
      for (let n = 0; n < 2; n += 1) await postEvent(cards.app, event, cardId);
      expect(await getSubscription(cards.app, subscriptionId)).toMatchObject({ state: 'active', isRenewing: false });
      cards.app.clock.advance(30 * DAY_MS);
      await renewDueSubscriptions(cards.app.ctx);
      expect(await getSubscription(cards.app, subscriptionId)).toMatchObject({ state: 'ended', endReason: 'canceled' });
      expect(await listOpenSubjects(cards.app, fan)).toEqual([]);
      await runProcessorJobs(cards.app);
      expect(cards.dataLink.canceled).not.toContain(cardId);
    },
  );

  it('takes effect at once when the fan cancels, and a job cancels at the processor', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(cards.app);
    cards.dataLink.isDown = true;
    expect((await changeSubscription(cards.app, fan, subscriptionId, 'cancel')).json()).toMatchObject({
      isRenewing: false,
    });
    await cards.app.ctx.events.waitUntilIdle();
    await runProcessorJobs(cards.app);
    const find = () => getRecurringPayment(cards.app, cardId);
    expect(await find()).toMatchObject({ canceled_at: null, cancel_attempts: 1, cancel_problem: expect.any(String) });
    cards.dataLink.isDown = false;
    cards.app.clock.advance(20 * 60_000);
    await repeatCancellations(cards.app);
    expect((await find()).canceled_at).not.toBeNull();
    expect(cards.dataLink.canceled).toContain(cardId);
  });

  it.each([
    [30, true],
    [7, false],
  ])('starts with a spending break of %i days if the card would be charged during it: %s', async (days, isCanceled) => {
    const { fan, cardId, subscriptionId } = await createCardScene(cards.app);
    expect((await fan.inject('POST', '/api/customer/break/spending', { days })).statusCode).toBe(200);
    await cards.app.ctx.events.waitUntilIdle();
    await runProcessorJobs(cards.app);
    expect(await getSubscription(cards.app, subscriptionId)).toMatchObject({
      state: 'active',
      isRenewing: !isCanceled,
    });
    expect(cards.dataLink.canceled).toEqual(isCanceled ? [cardId] : []);
  });

  it('is confirmed by the status of the subscription when the response to the cancellation is lost', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(cards.app);
    Object.assign(cards.dataLink, { cancelResult: '-7', status: 1 });
    await changeSubscription(cards.app, fan, subscriptionId, 'cancel');
    await cards.app.ctx.events.waitUntilIdle();
    await runProcessorJobs(cards.app);
    expect((await getRecurringPayment(cards.app, cardId)).canceled_at).not.toBeNull();
  });

  it('is requested again while the processor does not list the sale', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(cards.app);
    Object.assign(cards.dataLink, { cancelResult: '-3', statusResult: '-3' });
    await changeSubscription(cards.app, fan, subscriptionId, 'cancel');
    await cards.app.ctx.events.waitUntilIdle();
    await runProcessorJobs(cards.app);
    expect((await getRecurringPayment(cards.app, cardId)).canceled_at).toBeNull();
    Object.assign(cards.dataLink, { cancelResult: '1', statusResult: null });
    cards.app.clock.advance(20 * 60_000);
    await repeatCancellations(cards.app);
    expect((await getRecurringPayment(cards.app, cardId)).canceled_at).not.toBeNull();
  });

  it('comes with a spending block by an operator', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(cards.app);
    await cards.app.ctx.db.transaction((tx) => setSpendingBlocked(tx, fan.id, true));
    await cards.app.ctx.events.waitUntilIdle();
    await runProcessorJobs(cards.app);
    expect(await getSubscription(cards.app, subscriptionId)).toMatchObject({ state: 'active', isRenewing: false });
    expect(cards.dataLink.canceled).toEqual([cardId]);
  });

  it('is not undone by a reactivation that arrived before it and is processed after it', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(cards.app);
    const received = cards.app.clock.now();
    cards.app.clock.advance(HOUR_MS);
    cards.dataLink.isDown = true;
    await changeSubscription(cards.app, fan, subscriptionId, 'cancel');
    cards.app.clock.set(received);
    await reactivate(cardId, 27);
    expect((await getSubscription(cards.app, subscriptionId)).isRenewing).toBe(false);
    cards.dataLink.isDown = false;
    await runProcessorJobs(cards.app);
    expect(cards.dataLink.canceled).toEqual([cardId]);
  });

  it.each<[string, (cardId: string) => Promise<unknown>]>([
    [
      'a changed billing date',
      (cardId) => postEvent(cards.app, 'BillingDateChange', cardId, { nextRenewalDate: formatDayIn(5) }),
    ],
    [
      'a reactivation',
      async (cardId) => {
        await postEvent(cards.app, 'Cancellation', cardId);
        cards.app.clock.advance(HOUR_MS);
        await reactivate(cardId, 5);
      },
    ],
  ])('follows from %s that would charge the card during a spending break', async (_, change) => {
    const { fan, cardId, subscriptionId } = await createCardScene(cards.app);
    expect((await fan.inject('POST', '/api/customer/break/spending', { days: 7 })).statusCode).toBe(200);
    await cards.app.ctx.events.waitUntilIdle();
    await change(cardId);
    await runProcessorJobs(cards.app);
    expect((await getSubscription(cards.app, subscriptionId)).isRenewing).toBe(false);
    expect(cards.dataLink.canceled).toEqual([cardId]);
  });

  it('leaves a charge from after the cancellation in the wallet, and renews with one from before it', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(cards.app);
    cards.app.clock.advance(29 * DAY_MS);
    const before = buildRenewal(cards.app, cardId, createProcessorId());
    cards.app.clock.advance(3_600_000);
    await changeSubscription(cards.app, fan, subscriptionId, 'cancel');
    cards.app.clock.advance(3_600_000);
    await renewByCard(cards.app, cardId);
    expect(await getFunds(cards.app, fan)).toBe(1_200);
    await postWebhook(cards.app, 'RenewalSuccess', before);
    await runProcessorJobs(cards.app);
    expect(await getFunds(cards.app, fan)).toBe(1_200);
    expect(await listPeriods(cards.app, subscriptionId)).toHaveLength(2);
    expect((await changeSubscription(cards.app, fan, subscriptionId, 'resume')).json()).toMatchObject({
      paymentSource: 'balance',
      nextCharge: { amount: 12 },
    });
  });

  it('is undone by a reactivation, after which the webhook of an earlier cancellation has no effect', async () => {
    const { cardId, subscriptionId } = await createCardScene(cards.app);
    await postEvent(cards.app, 'Cancellation', cardId);
    cards.app.clock.advance(DAY_MS);
    const late = cards.app.clock.now();
    cards.app.clock.advance(DAY_MS);
    await reactivate(cardId, 27);
    expect((await getSubscription(cards.app, subscriptionId)).isRenewing).toBe(true);
    await postEvent(cards.app, 'Cancellation', cardId, { timestamp: formatArizonaTime(late) });
    expect((await getSubscription(cards.app, subscriptionId)).isRenewing).toBe(true);
    await renewByCard(cards.app, cardId);
    expect(await listPeriods(cards.app, subscriptionId)).toHaveLength(2);
  });

  it('is ignored if the payment was a single deposit', async () => {
    const fan = await cards.app.signUp('customer');
    const body = { paymentProvider: 'ccbill', amount: 50 };
    const { depositId } = (await fan.inject('POST', '/api/customer/deposite-fund', body)).json();
    const id = createProcessorId();
    const single = 'http://x/?recurringPrice=0.00&initialPeriod=2&recurringPeriod=0&numRebills=0';
    await postWebhook(
      cards.app,
      'NewSaleSuccess',
      await buildFirstPayment(cards.app, { depositId, paymentUrl: single }, id),
    );
    await postEvent(cards.app, 'Expiration', id);
    expect(await getState(id)).toBe('ignored');
  });
});

describe('a payment that is not credited', () => {
  it.each<[string, number]>([
    ['of an order that another one paid', 0],
    ['of an order that had expired', 4],
  ])('%s is canceled at the processor, and a renewal until then remains in the wallet', async (_, days) => {
    const fan = await cards.app.signUp('customer');
    const order = await placeOrder(fan, await createTestTier(await cards.app.signUp('creator')));
    if (days === 0) await payFirst(cards.app, order);
    cards.app.clock.advance(days * DAY_MS);
    const second = await payFirst(cards.app, order);
    await runProcessorJobs(cards.app);
    expect(await getState(second)).toBe('quarantined');
    expect(cards.dataLink.canceled).toEqual([second]);
    expect(await getFunds(cards.app, fan)).toBe(0);
    cards.app.clock.advance(30 * DAY_MS);
    cards.dataLink.timesRebilled = 1;
    await renewByCard(cards.app, second);
    await runProcessorJobs(cards.app);
    expect(await getFunds(cards.app, fan)).toBe(1_200);
    expect(cards.dataLink.canceled).toEqual([second, second]);
    await postCardReversal(cards.app, 'Refund', second, second, '12.24');
    expect((await listStoredWebhooks(cards.app, second)).map(({ state }) => state)).toEqual(['refunded', 'processed']);
    expect(await getFunds(cards.app, fan)).toBe(1_200);
  });

  it('is not canceled without a digest of the processor', async () => {
    const fan = await cards.app.signUp('customer');
    const order = await placeOrder(fan, await createTestTier(await cards.app.signUp('creator')));
    await payFirst(cards.app, order);
    const fields = await buildFirstPayment(cards.app, order, createProcessorId());
    await postWebhook(cards.app, 'NewSaleSuccess', { ...fields, dynamicPricingValidationDigest: '' });
    await runProcessorJobs(cards.app);
    expect(cards.dataLink.canceled).toEqual([]);
  });
});

describe('a changed billing date', () => {
  it('moves the next charge and the end of access', async () => {
    const { cardId, subscriptionId } = await createCardScene(cards.app);
    const day = new Date(cards.app.clock.now().getTime() + 45 * DAY_MS).toISOString().slice(0, 10);
    await postEvent(cards.app, 'BillingDateChange', cardId, { nextRenewalDate: day });
    const { nextCharge, paidUntil } = await getSubscription(cards.app, subscriptionId);
    expect([nextCharge?.at, paidUntil]).toEqual([`${day}T07:00:00.000Z`, `${day}T07:00:00.000Z`]);
  });

  it('has no effect if it is older than another one', async () => {
    const { cardId, subscriptionId } = await createCardScene(cards.app);
    const earlier = { timestamp: formatArizonaTime(cards.app.clock.now()), nextRenewalDate: formatDayIn(45) };
    cards.app.clock.advance(HOUR_MS);
    const day = formatDayIn(40);
    await postEvent(cards.app, 'BillingDateChange', cardId, { nextRenewalDate: day });
    await postEvent(cards.app, 'BillingDateChange', cardId, earlier);
    expect((await getSubscription(cards.app, subscriptionId)).nextCharge?.at).toBe(`${day}T07:00:00.000Z`);
  });

  it.each(['2044-01-01', '2001-01-01'])('is quarantined if it is not within a year: %s', async (nextRenewalDate) => {
    const { cardId, subscriptionId } = await createCardScene(cards.app);
    const { paidUntil } = await getSubscription(cards.app, subscriptionId);
    await postEvent(cards.app, 'BillingDateChange', cardId, { nextRenewalDate });
    expect(await getReason(cardId)).toBe('its date is not within a year');
    expect((await getSubscription(cards.app, subscriptionId)).paidUntil).toBe(paidUntil);
  });
});

describe('a reversal', () => {
  it('ends the subscription if it is a chargeback, and the fan owes the amount', async () => {
    const { fan, cardId, subscriptionId } = await createCardScene(cards.app);
    const renewal = await renewByCard(cards.app, cardId);
    for (let n = 0; n < 2; n += 1) await postCardReversal(cards.app, 'Chargeback', cardId, renewal, '12.24');
    await cards.app.ctx.events.waitUntilIdle();
    expect(await getSubscription(cards.app, subscriptionId)).toMatchObject({ state: 'ended', endReason: 'chargeback' });
    const deposits = await listPaidDeposits(cards.app, fan.id);
    expect(deposits).toMatchObject([
      { processor_transaction_id: cardId, reversed_cents: 0 },
      { processor_transaction_id: renewal, reversed_cents: 1_200 },
    ]);
    await runProcessorJobs(cards.app);
    expect(cards.dataLink.canceled).toContain(cardId);
  });

  it('waits if its renewal was not reported yet', async () => {
    const { cardId, fan } = await createCardScene(cards.app);
    const renewal = createProcessorId();
    await postCardReversal(cards.app, 'Refund', cardId, renewal, '12.24');
    expect(await getState(renewal)).toBe('waiting');
    await renewByCard(cards.app, cardId, {}, renewal);
    await runProcessorJobs(cards.app);
    expect((await listStoredWebhooks(cards.app, renewal)).map(({ state }) => state)).toEqual([
      'processed',
      'processed',
    ]);
    expect(await countDeposits(fan)).toBe(2);
  });
});

it('a renewal that the processor returned before it was credited is never credited', async () => {
  const { cardId, fan } = await createCardScene(cards.app);
  const renewal = createProcessorId();
  await postCardReversal(cards.app, 'Refund', cardId, renewal, '12.24');
  cards.app.clock.advance(4 * DAY_MS);
  await cards.app.ctx.db.pool.query(`select graphile_worker.add_job('deposits.sweep', '{}')`);
  await cards.app.ctx.jobs.runDue(['deposits.sweep']);
  await renewByCard(cards.app, cardId, {}, renewal);
  const states = (await listStoredWebhooks(cards.app, renewal)).map(({ state }) => state);
  expect(states).toEqual(['quarantined', 'quarantined']);
  expect(await countDeposits(fan)).toBe(1);
});

describe('a forged webhook', () => {
  it('has no effect if its subscription is unknown', async () => {
    const id = createProcessorId();
    for (const event of ['RenewalFailure', 'Cancellation', 'Expiration', 'BillingDateChange', 'UserReactivation'])
      await postEvent(cards.app, event, id, { nextRenewalDate: '2024-03-01' });
    const states = new Set((await listStoredWebhooks(cards.app, id)).map(({ state }) => state));
    expect([...states]).toEqual(['waiting']);
  });

  it.each([
    ['RenewalSuccess', { subscriptionId: "1' or '1'='1" }],
    ['RenewalSuccess', { transactionId: '1e5' }],
    ['RenewalSuccess', { billedAmount: 'NaN' }],
    ['BillingDateChange', { nextRenewalDate: 'tomorrow' }],
  ])('is quarantined if it is invalid: %s with %j', async (event, change) => {
    const { cardId, fan } = await createCardScene(cards.app);
    const fields = { ...buildRenewal(cards.app, cardId, createProcessorId()), ...change };
    expect(await postWebhook(cards.app, event, fields)).toBe(200);
    await runProcessorJobs(cards.app);
    const rows = await cards.app.ctx.db.query
      .selectFrom('processor_webhooks')
      .select('state')
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect(rows).toEqual([{ state: 'quarantined' }]);
    expect(await countDeposits(fan)).toBe(1);
  });
});
