/** Fans who subscribe by card, and the webhooks of their payments. */
import { randomUUID } from 'node:crypto';
import { getCardPrice } from '@stagedoor/contract/content/card-prices.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { formatArizonaTime } from '../../commerce/ccbill/index.ts';
import { buildReversalFields, buildSaleFields, createProcessorId, postWebhook } from '../../commerce/ccbill/testing.ts';
import { getDepositRow, listPaidDeposits, listStoredWebhooks } from '../../commerce/deposits/testing.ts';
import { createTestTier, expectBalancedLedger } from './testing.ts';

type CardOptions = {
  recurrence?: 'weekly' | 'monthaly' | 'yearly';
  count?: number;
  price?: number;
  expected?: number;
  key?: string;
  returnPath?: string;
};

export function orderByCard(fan: TestUser, tierId: string, options: CardOptions = {}) {
  const { recurrence = 'monthaly', count = 1, price = 12, expected = getCardPrice(price) } = options;
  const body = { tierId, recurrence, count, expected, returnPath: options.returnPath };
  const headers = { 'idempotency-key': options.key ?? randomUUID() };
  return fan.inject('POST', '/api/customer/subscriptions/card', body, headers);
}

export type CardOrder = { paymentUrl: string; depositId: string };
export async function placeOrder(fan: TestUser, tierId: string, options: CardOptions = {}): Promise<CardOrder> {
  const response = await orderByCard(fan, tierId, options);
  expect(response.statusCode, response.body).toBe(200);
  return response.json<CardOrder>();
}

/** Builds the webhook of the first payment with the terms of the payment page. */
export async function buildFirstPayment(app: TestApp, { paymentUrl, depositId }: CardOrder, id: string) {
  const form = new URL(paymentUrl).searchParams;
  const deposit = await getDepositRow(app, depositId);
  return {
    ...buildSaleFields(app, deposit, id),
    billedRecurringPrice: form.get('recurringPrice') ?? '',
    initialPeriod: form.get('initialPeriod') ?? '',
    recurringPeriod: form.get('recurringPeriod') ?? '',
    rebills: form.get('numRebills') ?? '',
  };
}

export async function payFirst(app: TestApp, order: CardOrder, id = createProcessorId()): Promise<string> {
  await postWebhook(app, 'NewSaleSuccess', await buildFirstPayment(app, order, id));
  return id;
}

export type CardScene = { creator: TestUser; fan: TestUser; tierId: string; cardId: string; subscriptionId: string };

export async function findSubscriptionId(app: TestApp, fan: TestUser): Promise<string | undefined> {
  const row = await app.ctx.db.query
    .selectFrom('subscriptions')
    .select('id')
    .where('fan_id', '=', fan.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** A fan without a balance who subscribes by card to a tier of $12.00 a month. `cardId` is the id at the processor. */
export async function createCardScene(
  app: TestApp,
  tier: Parameters<typeof createTestTier>[1] = {},
): Promise<CardScene> {
  const creator = await app.signUp('creator');
  const fan = await app.signUp('customer');
  const tierId = await createTestTier(creator, tier);
  const cardId = await payFirst(app, await placeOrder(fan, tierId));
  const subscriptionId = await findSubscriptionId(app, fan);
  if (subscriptionId === undefined) throw new Error('the subscription did not start');
  await app.ctx.events.waitUntilIdle();
  return { creator, fan, tierId, cardId, subscriptionId };
}

export const buildCommonFields = (app: TestApp, cardId: string) => ({
  subscriptionId: cardId,
  clientAccnum: app.ctx.config.payments.account,
  clientSubacc: app.ctx.config.payments.subaccount,
  timestamp: formatArizonaTime(app.clock.now()),
});

export function buildRenewal(app: TestApp, cardId: string, transactionId: string): Record<string, string> {
  const billed = { billedAmount: '12.24', billedCurrency: 'USD', billedCurrencyCode: '840' };
  return { ...buildCommonFields(app, cardId), transactionId, ...billed, cardType: 'VISA', last4: '4417' };
}

/** Runs the jobs that call the processor. */
export async function runProcessorJobs(app: TestApp): Promise<void> {
  await app.ctx.jobs.runDue(['deposits.confirm', 'deposits.lookUpRenewal', 'deposits.cancelRecurring']);
  await app.ctx.events.waitUntilIdle();
}

/** Runs the schedule that repeats cancellations. */
export async function repeatCancellations(app: TestApp): Promise<void> {
  await app.ctx.db.pool.query(`select graphile_worker.add_job('deposits.repeatCancellations', '{}')`);
  await app.ctx.jobs.runDue(['deposits.repeatCancellations']);
}

export async function renewByCard(
  app: TestApp,
  cardId: string,
  change: Record<string, string> = {},
  transactionId = createProcessorId(),
): Promise<string> {
  await postWebhook(app, 'RenewalSuccess', { ...buildRenewal(app, cardId, transactionId), ...change });
  await runProcessorJobs(app);
  return transactionId;
}

export const postEvent = (app: TestApp, type: string, cardId: string, fields: Record<string, string> = {}) =>
  postWebhook(app, type, { ...buildCommonFields(app, cardId), ...fields });

/** Sends the webhook of a reversal of one payment of a subscription. */
export const postCardReversal = (app: TestApp, type: string, cardId: string, transactionId: string, amount: string) =>
  postWebhook(app, type, { ...buildReversalFields(app, cardId, amount), transactionId });

/** Replaces DataLink by one that counts renewals and accepts cancellations. Call it before each test. */
function mockDataLink() {
  const state = {
    timesRebilled: 99,
    status: 2,
    cancelResult: '1',
    /** An answer without a status. */
    statusResult: null as string | null,
    isDown: false,
    statusCount: 0,
    canceled: [] as string[],
  };
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const query = new URL(String(input)).searchParams;
    if (state.isDown) throw new TypeError('fetch failed');
    if (query.get('action') === 'cancelSubscription') {
      state.canceled.push(query.get('subscriptionId') ?? '');
      return new Response(`<results>${state.cancelResult}</results>`);
    }
    state.statusCount += 1;
    const { timesRebilled, status, statusResult } = state;
    if (statusResult !== null) return new Response(`<results>${statusResult}</results>`);
    return new Response(
      `<results><timesRebilled>${timesRebilled}</timesRebilled><subscriptionStatus>${status}</subscriptionStatus></results>`,
    );
  });
  return state;
}

/** Starts an app for the whole test file, with a new DataLink for each test. Checks the ledger after each test. */
export function setUpCardTest() {
  let app: TestApp;
  let dataLink: ReturnType<typeof mockDataLink>;
  beforeAll(async () => {
    const env = { CCBILL_MIN_USD: '4', CCBILL_MAX_USD: '100' };
    app = await createTestApp({ now: new Date('2024-01-31T12:00:00Z'), env });
  });
  afterAll(() => app.close());
  beforeEach(() => {
    dataLink = mockDataLink();
  });
  afterEach(() => expectBalancedLedger(app));

  const findLastWebhook = async (transactionId: string) => (await listStoredWebhooks(app, transactionId)).at(-1);
  return {
    get app() {
      return app;
    },
    get dataLink() {
      return dataLink;
    },
    countDeposits: async (fan: { id: string }) => (await listPaidDeposits(app, fan.id)).length,
    /** Of the last webhook of a transaction. */
    getState: async (transactionId: string) => (await findLastWebhook(transactionId))?.state,
    /** Of the last webhook of a transaction. */
    getReason: async (transactionId: string) => (await findLastWebhook(transactionId))?.reason,
  };
}
