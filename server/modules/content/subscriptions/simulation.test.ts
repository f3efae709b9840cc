/**
 * Compares three years of subscriptions with a reference model, to the cent and to the millisecond. Transactions are aborted
 * at random, and processes "die" after a commit before they know of it. `SUBSCRIPTIONS_SEED`: random seed.
 */
import { randomUUID } from 'node:crypto';
import { offerBody } from '@stagedoor/contract/content/subscription-offers.ts';
import { subscribe as subscribeRoute } from '@stagedoor/contract/content/subscriptions.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { type UserId, userId } from '@stagedoor/contract/shared/ids.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { createSeededRandom } from '../../../platform/seeded-random.ts';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { closeOffer, createOffer, listOwnOffers } from '../subscription-tiers/testing.ts';
import type { ModelOffer, ModelOption, ModelSubscription, ModelTier, Outcome } from './model.testing.ts';
import { SubscriptionModel } from './model.testing.ts';
import { renewDueSubscriptions } from './renewals.ts';
import * as service from './service.ts';
import { markOpened } from './store.ts';
import { subscribe } from './subscribe.ts';
import { addFunds, createTestTier, DAY_MS, expectBalancedLedger, HOUR_MS, MONTHLY_TIER } from './testing.ts';

const SEED = Number(process.env.SUBSCRIPTIONS_SEED ?? Math.floor(Date.now() / 1000));
const FANS = 24;
const FROM = Date.parse('2023-10-15T10:00:00Z');
const UNTIL = Date.parse('2026-10-20T10:00:00Z');
const ZONES = [
  ...['UTC', 'Europe/Paris', 'America/New_York', 'Pacific/Auckland'],
  ...['Australia/Lord_Howe', 'America/St_Johns', 'Asia/Kolkata', 'Europe/Lisbon'],
];
const KILL_SHARE = 0.05;
/** Leaves at least $0.50, the lowest price of the simulation, of the lowest price of a tier. */
const MAX_PERCENT_OFF = 84;
/** The newest ones, most of which still run. */
const OFFERS_TRIED = 12;

const TIERS = [
  {
    prices: { weekly: 3.33, monthaly: 5, yearly: 39.99 },
    bundles: [
      { months: 3, percentOff: 10 },
      { months: 12, percentOff: 33 },
    ],
    trialDays: 7,
    options: ['weekly 1 333', 'monthaly 1 500', 'monthaly 3 1350', 'monthaly 12 4020', 'yearly 1 3999'],
  },
  {
    prices: { weekly: null, monthaly: 9.99, yearly: 99 },
    bundles: [{ months: 6, percentOff: 7 }],
    trialDays: null,
    options: ['monthaly 1 999', 'monthaly 6 5574', 'yearly 1 9900'],
  },
  {
    prices: { weekly: null, monthaly: 13.13, yearly: null },
    bundles: [],
    trialDays: 30,
    options: ['monthaly 1 1313', 'monthaly 1 1313'],
  },
  { prices: { weekly: null, monthaly: null, yearly: null }, bundles: [], trialDays: null, options: ['monthaly 1 0'] },
] as const;
const optionSchema = z.object({
  unit: z.enum(['weekly', 'monthaly', 'yearly']),
  count: z.literal([1, 3, 6, 12]),
  cents: z.number(),
});
function parseOption(text: string): ModelOption {
  const [unit, count, cents] = text.split(' ');
  return z.parse(optionSchema, { unit, count: Number(count), cents: Number(cents) });
}

const random = createSeededRandom(SEED);
const randomInt = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));
function pick<T>(all: readonly T[]): T {
  const one = all[Math.floor(random() * all.length)];
  if (one === undefined) throw new Error('nothing to choose from');
  return one;
}

/** Looks like a lost connection, so that a job stops as it does when its process dies. */
class KilledError extends Error {
  override message = 'Connection terminated by the simulation';
}

let test: TestApp;
let killing: Context;
const fans: { id: UserId; zone: string }[] = [];
const tiers: ModelTier[] = [];
const offers: ModelOffer[] = [];
const model = new SubscriptionModel();
let kills = 0;

function killAtRandom(): void {
  kills += 1;
  throw new KilledError();
}

/** A context whose transactions are aborted at a random statement, before the commit, or reported as lost after it. */
function createKillingContext(ctx: Context): Context {
  const transaction = async <T>(work: (tx: DbTransaction) => Promise<T>): Promise<T> => {
    if (random() >= KILL_SHARE) return ctx.db.transaction(work);
    const moment = randomInt(0, 20);
    const result = await ctx.db.transaction(async (tx) => {
      let statements = 0;
      const run: DbTransaction['run'] = (statement, values) => {
        statements += 1;
        if (statements === moment) killAtRandom();
        return tx.run(statement, values);
      };
      const done = await work({ query: tx.query, run, emit: (type, payload) => tx.emit(type, payload) });
      if (moment % 2 === 0) killAtRandom();
      return done;
    });
    killAtRandom();
    return result;
  };
  return { ...ctx, db: { ...ctx.db, transaction } };
}

/** Repeats what was killed, as a client does, and returns the outcome. */
async function perform(work: (ctx: Context) => Promise<unknown>): Promise<Outcome> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await work(attempt < 3 ? killing : test.ctx);
      return 'OK';
    } catch (error) {
      if (error instanceof AppError && (error.code === 'CONFLICT' || error.code === 'INSUFFICIENT_FUNDS'))
        return error.code;
      if (!(error instanceof KilledError)) throw error;
    }
  }
}

const getNow = () => test.clock.now().getTime();

/** Mostly one of the tier's creator, but it may be used up, ended, closed, or for another tier or other fans. */
function pickOffer({ creatorId }: ModelTier): ModelOffer | undefined {
  const newest = offers.slice(-OFFERS_TRIED);
  const own = newest.filter((offer) => offer.creatorId === creatorId);
  const tried = random() < 0.9 ? own : newest;
  return tried.length > 0 && random() < 0.8 ? pick(tried) : undefined;
}

async function subscribeAtRandom(fan: { id: UserId; zone: string }): Promise<void> {
  // A free tier is rarer, because it would be the last one of most fans.
  const tier =
    random() < 0.95 ? pick(tiers.filter(({ options }) => options.every(({ cents }) => cents > 0))) : pick(tiers);
  const option = pick(tier.options);
  const offer = pickOffer(tier);
  const { today, renewal } = model.calculateFirstCharges({ fanId: fan.id, tier, option, offer });
  const body = {
    ...{ tierId: tier.id, recurrence: option.unit, count: option.count, ...(offer && { offer: offer.code }) },
    expected: { today: today / 100, renewal: renewal / 100, ...(offer && { afterOffer: option.cents / 100 }) },
    timeZone: fan.zone,
  };
  let id = '';
  const key = randomUUID();
  const outcome = await perform(async (ctx) => {
    id = (await subscribe(ctx, { userId: fan.id }, z.parse(subscribeRoute.body, body), key)).subscription.id;
  });
  const expected = model.subscribe({ id, fanId: fan.id, tier, option, zone: fan.zone, offer }, getNow());
  expect([fan.id, 'subscribe', outcome]).toEqual([fan.id, 'subscribe', expected]);
}

async function addOffer(): Promise<void> {
  const tier = pick(tiers.filter(({ options }) => options.every(({ cents }) => cents > 0)));
  const endMs = getNow() + randomInt(1, 90) * DAY_MS;
  const offer: ModelOffer = {
    ...{ code: `SALE${offers.length}`, creatorId: tier.creatorId, tierId: random() < 0.3 ? tier.id : null, endMs },
    ...{
      percent: randomInt(5, MAX_PERCENT_OFF),
      charges: randomInt(1, 8),
      audience: pick(['everyone', 'everyone', 'new', 'returning'] as const),
    },
    ...{ maxUses: random() < 0.5 ? randomInt(1, 5) : null, isClosed: false, usedBy: [] },
  };
  const { code, tierId, percent: percentOff, charges: periods, audience, maxUses } = offer;
  const body = { code, tierId, percentOff, periods, audience, maxUses, endsAt: new Date(endMs).toISOString() };
  const creator = { userId: z.parse(userId, tier.creatorId) };
  const key = randomUUID();
  expect(await perform((ctx) => createOffer(ctx, creator, z.parse(offerBody, body), key))).toBe('OK');
  offers.push(offer);
}

async function closeOfferAtRandom(): Promise<void> {
  const offer = offers.length > 0 ? pick(offers.slice(-OFFERS_TRIED)) : undefined;
  if (!offer) return;
  const creator = { userId: z.parse(userId, offer.creatorId) };
  const { offers: own } = await listOwnOffers(test.ctx, offer.creatorId);
  const id = own.find(({ code }) => code === offer.code)?.id ?? '';
  await perform((ctx) => closeOffer(ctx, creator, id));
  offer.isClosed = true;
}

async function setNewPrice(one: ModelSubscription): Promise<void> {
  if (one.end !== null || one.paidUntilMs === null) return;
  one.newPrice = { cents: one.cents + randomInt(1, 99), fromMs: getNow() + randomInt(0, 45 * 24) * HOUR_MS };
  await test.ctx.db.query
    .updateTable('subscriptions')
    .set({ new_price_cents: one.newPrice.cents, new_price_from: new Date(one.newPrice.fromMs) })
    .where('id', '=', one.id)
    .execute();
}

async function actAtRandom(one: ModelSubscription): Promise<void> {
  const [nowMs, fan, key] = [getNow(), { userId: z.parse(userId, one.fanId) }, randomUUID()];
  const accepted = random() < 0.8 && one.newPrice ? one.newPrice.cents : one.cents;
  const choices: readonly [string, number, (ctx: Context) => Promise<unknown>, () => Outcome][] = [
    ['cancel', 2, (ctx) => service.cancelSubscription(ctx, fan, one.id), () => model.cancel(one, nowMs)],
    ['resume', 4, (ctx) => service.resumeSubscription(ctx, fan, one.id), () => model.resume(one, nowMs)],
    ['pay', 4, (ctx) => service.paySubscription(ctx, fan, one.id, key), () => model.pay(one, nowMs)],
    ['refund', 3, (ctx) => service.refundSubscription(ctx, fan, one.id, key), () => model.refundLast(one, nowMs)],
    [
      ...(['acceptPrice', 3] as const),
      (ctx) => service.acceptPrice(ctx, fan, one.id, accepted / 100),
      () => model.acceptPrice(one, accepted),
    ],
  ];
  const [name, , work, expectOutcome] = pick(choices.flatMap((each) => Array.from({ length: each[1] }, () => each)));
  const outcome = await perform(work);
  expect([one.id, name, outcome]).toEqual([one.id, name, expectOutcome()]);
}

async function openContent(one: ModelSubscription): Promise<void> {
  if (one.end !== null) return;
  expect(await markOpened(test.ctx.db, one.fanId, one.tier.creatorId, test.clock.now())).toBe(true);
  model.open(one);
}

async function runJob(): Promise<void> {
  const outcome = await perform((ctx) => renewDueSubscriptions(ctx));
  expect(outcome).toBe('OK');
  model.runJob(getNow());
}

async function addFundsAtRandom(fan: { id: UserId }): Promise<void> {
  const cents = randomInt(300, 9_000);
  await addFunds(test, fan, cents);
  model.deposit(fan.id, cents);
}

/** Usually a running subscription, sometimes one of the 20 newest, which may have ended. */
const pickSubscription = () => {
  const running = model.listRunning();
  return random() < 0.9 && running.length > 0 ? pick(running) : model.subscriptions.at(-randomInt(1, 20));
};

async function performRandomAction(): Promise<void> {
  const fan = pick(fans);
  const dice = random();
  if (dice < 0.3) return addFundsAtRandom(fan);
  if (dice < 0.36) return addOffer();
  if (dice < 0.365) return closeOfferAtRandom();
  if (dice < 0.65) return subscribeAtRandom(fan);
  const one = pickSubscription();
  if (!one) return;
  if (dice < 0.72) return openContent(one);
  if (dice < 0.74) return setNewPrice(one);
  return actAtRandom(one);
}

/** Sometimes to the millisecond in which a renewal is due, sometimes over days in which nothing runs. */
function getNextTime(): number {
  const nowMs = getNow();
  const nextDueMs = Math.min(...model.listRunning().map(({ dueMs }) => (dueMs && dueMs > nowMs ? dueMs : Infinity)));
  if (random() < 0.2 && nextDueMs < nowMs + DAY_MS) return nextDueMs;
  if (random() < 0.02) return nowMs + randomInt(3, 30) * DAY_MS;
  return nowMs + randomInt(1, 56 * 3_600) * 1000;
}

const formatTime = (ms: number | null | undefined) => (typeof ms === 'number' ? new Date(ms).toISOString() : '-');
const formatModel = (one: ModelSubscription) =>
  [
    ...[one.id, one.tier.id, one.number, formatTime(one.paidUntilMs), formatTime(one.dueMs), one.cents, one.isRenewing],
    ...[one.discount?.percent ?? '-', one.discount?.charges ?? '-'],
    ...[one.hasFailed, one.newPrice?.cents ?? '-', formatTime(one.newPrice?.fromMs), one.end ?? 'running'],
  ].join(' ');

async function expectSameSubscriptions(isFinal: boolean): Promise<void> {
  const rows = await test.ctx.db.query
    .selectFrom('subscriptions')
    .selectAll()
    .$if(!isFinal, (query) => query.where('ended_at', 'is', null))
    .execute();
  const stored = rows.map((row) =>
    [
      ...[row.id, row.tier_id, row.period_number, formatTime(row.paid_until?.getTime())],
      ...[formatTime(row.due_at?.getTime()), row.price_cents, row.is_renewing],
      ...[row.discount_percent ?? '-', row.discount_periods_left ?? '-', row.failed_attempts > 0],
      ...[row.new_price_cents ?? '-', formatTime(row.new_price_from?.getTime()), row.end_reason ?? 'running'],
    ].join(' '),
  );
  const expected = (isFinal ? model.subscriptions : model.listRunning()).map(formatModel);
  expect(stored.toSorted()).toEqual(expected.toSorted());
}

async function expectSameWallets(): Promise<void> {
  const codes = fans.map(({ id }) => `liab:fan:${id}:wallet`);
  const rows = await test.ctx.db.query
    .selectFrom('ledger_accounts')
    .select(['code', 'balance_cents'])
    .where('code', 'in', codes)
    .execute();
  const stored = rows.map((row) => `${row.code} ${row.balance_cents}`);
  const expected = [...model.wallets].map(([id, cents]) => `liab:fan:${id}:wallet ${cents}`);
  expect(stored.toSorted()).toEqual(expected.toSorted());
}

async function expectSamePeriods(): Promise<void> {
  const rows = await test.ctx.db.query.selectFrom('subscription_periods').selectAll().execute();
  const stored = rows.map((row) =>
    [
      ...[row.subscription_id, row.number, formatTime(row.starts_at.getTime()), formatTime(row.ends_at.getTime())],
      ...[formatTime(row.charged_at.getTime()), row.price_cents, row.refunded_cents, row.opened_at !== null],
    ].join(' '),
  );
  const expected = model.subscriptions.flatMap(({ id, periods }) =>
    periods.map((period) =>
      [
        ...[id, period.number, formatTime(period.startMs), formatTime(period.endMs), formatTime(period.chargedMs)],
        ...[period.cents, period.refundedCents, period.isOpened],
      ].join(' '),
    ),
  );
  expect(stored.toSorted()).toEqual(expected.toSorted());
}

async function expectSameSales(): Promise<void> {
  const { rows } = await test.ctx.db.pool.query(
    `select count(*)::int as count, sum(gross_cents)::int as charged, sum(reversed_cents)::int as refunded from sales
     where kind = 'subscription'`,
  );
  const count = model.subscriptions.reduce((sum, { periods }) => sum + periods.length, 0);
  expect(rows).toEqual([{ count, charged: model.chargedCents, refunded: model.refundedCents }]);
}

beforeAll(async () => {
  test = await createTestApp({ now: new Date(FROM) });
  killing = createKillingContext(test.ctx);
  await test.owner.query.updateTable('sales_settings').set({ daily_limit_cents: 10_000_000 }).execute();
  await test.owner.query
    .insertInto('sales_price_limits')
    .values({ kind: 'subscription', min_cents: 50, max_cents: 10_000 })
    .execute();
  for (const indexes of [
    [0, 1, 3],
    [0, 2],
    [1, 2],
  ]) {
    const creator = await test.signUp('creator');
    for (const index of indexes) {
      const { prices, bundles, trialDays, options } = TIERS[index] ?? TIERS[0];
      const body = { ...MONTHLY_TIER, prices, bundles: [...bundles], trialDays };
      const id = await createTestTier(creator, body);
      tiers.push({ id, creatorId: creator.id, trialDays, options: options.map(parseOption) });
    }
  }
  for (let n = 0; n < FANS; n += 1)
    fans.push({ id: z.parse(userId, (await test.signUp('customer')).id), zone: ZONES[n % ZONES.length] ?? 'UTC' });
});
afterAll(() => test.close());

const ENDS = ['canceled', 'changed', 'priceChange', 'refunded', 'unpaid', null] as const;
/** A random history rarely lacks something that the simulation is for. It then continues. */
const hasTriedEverything = () =>
  ENDS.every((end) => model.subscriptions.some((one) => one.end === end)) && kills > 20 && model.discountedCharges > 20;

it(`at least three years with seed ${SEED} agree with the model`, { timeout: 180_000 }, async () => {
  let steps = 0;
  for (const fan of fans) await addFundsAtRandom(fan);
  while (getNow() < UNTIL || !hasTriedEverything()) {
    steps += 1;
    test.clock.set(new Date(getNextTime()));
    if (random() < 0.9) await runJob();
    // Those whose day other months do not have.
    if (test.clock.now().getUTCDate() >= 29) await subscribeAtRandom(pick(fans));
    for (let actions = randomInt(0, 3); actions > 0; actions -= 1) await performRandomAction();
    await expectSameSubscriptions(false);
    await expectSameWallets();
  }
  await expectSameSubscriptions(true);
  await expectSamePeriods();
  await expectSameSales();
  await expectBalancedLedger(test);
  const count = model.subscriptions.flatMap(({ periods }) => periods).length;
  console.log(
    `SUBSCRIPTIONS_SEED=${SEED}: ${steps} steps, ${model.subscriptions.length} subscriptions, ${count} periods, ${kills} kills`,
  );
  const used = await test.ctx.db.query.selectFrom('subscription_offers').select(['code', 'use_count']).execute();
  expect(new Map(used.map((row) => [row.code, row.use_count]))).toEqual(
    new Map(offers.map(({ code, usedBy }) => [code, usedBy.length])),
  );
});
