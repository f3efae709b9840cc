/**
 * Simulates three months of business from a seed, in parallel with the reference model. Only actions that the model
 * allows are tried, so that every refusal is a difference.
 */
import { randomUUID } from 'node:crypto';
import type { PayoutDetails } from '@stagedoor/contract/finance/payouts.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import { buildReversalFields, postWebhook } from '../../modules/commerce/ccbill/testing.ts';
import { createPaidDeposit } from '../../modules/commerce/deposits/testing.ts';
import { bookSettlement, reverseSettlement } from '../../modules/commerce/reconciliation/settlements.ts';
import {
  captureFunds,
  chargeFanNow,
  holdFunds,
  refundSale,
  setCreatorFee,
  updateSalesSettings,
} from '../../modules/commerce/sales/index.ts';
import { getOrCreateCode } from '../../modules/finance/affiliates/index.ts';
import type { startPayPal } from '../../modules/finance/payouts/paypal.testing.ts';
import { ACH, BITCOIN } from '../../modules/finance/payouts/testing.ts';
import { clearDue } from '../../modules/ledger/ledger/index.ts';
import { createDeposit } from '../../modules/ledger/ledger/testing.ts';
import type { TestApp, TestUser } from '../app.ts';
import {
  DAY_MS,
  type FanBalances,
  type ModelDeposit,
  type PayableBalances,
  ReferenceModel,
  toDay,
} from './reference-model.ts';

export const START = Date.parse('2027-12-15T00:00:00.000Z');
export const END = Date.parse('2028-03-14T23:59:59.999Z');
/** End of a year, ends of months, a leap day and the day after it. */
export const MARK_DAYS = ['2028-01-01', '2028-02-01', '2028-02-29', '2028-03-01'];
/** Hundredths of a percent. The offer ends within the simulated time. */
const FEES = { general: 1_850, offer: 950, offerDays: 40, lastCreator: 1_225 };
const SETTINGS = { clearingDays: 7, payoutFee: 200, moveFee: 150 };
const REFERRED_BASIS_POINTS = 500;

/** mulberry32 */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Method = { id: string; kind: PayoutDetails['kind'] };
type Mark = { day: string; creators: Map<string, PayableBalances>; fans: Map<string, FanBalances> };
type Card = { deposit: ModelDeposit; saleId: string; isReversed: boolean };

export class Simulation {
  readonly app: TestApp;
  readonly payPal: Awaited<ReturnType<typeof startPayPal>>;
  readonly model = new ReferenceModel(SETTINGS);
  readonly fans: TestUser[] = [];
  readonly creators: TestUser[] = [];
  readonly operators: TestUser[] = [];
  readonly affiliates: TestUser[] = [];
  readonly methods = new Map<string, Method>();
  readonly marks: Mark[] = [];
  private readonly cards: Card[] = [];
  private settled = 0;
  readonly random: () => number;

  constructor(app: TestApp, payPal: Awaited<ReturnType<typeof startPayPal>>, seed: number) {
    this.app = app;
    this.payPal = payPal;
    this.random = createRandom(seed);
  }

  randomBetween(min: number, max: number): number {
    return min + Math.floor(this.random() * (max - min + 1));
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[Math.floor(this.random() * from.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }

  get now(): number {
    return this.app.clock.now().getTime();
  }

  setTime(at: number): void {
    this.app.clock.set(new Date(at));
  }

  async requestJson<T>(user: TestUser, method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<T> {
    const { inject } = await this.app.logIn(user);
    const response = await inject(method, `/api${path}`, body, { 'idempotency-key': randomUUID() });
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.body}`);
    return response.json<T>();
  }

  async open({ fans, creators }: { fans: number; creators: number }): Promise<void> {
    const { app, model } = this;
    const joinedAt = START - 10 * DAY_MS;
    this.setTime(joinedAt);
    await app.ctx.db.transaction((tx) =>
      updateSalesSettings(tx, {
        generalPercent: FEES.general / 100,
        offerPercent: FEES.offer / 100,
        offerDays: FEES.offerDays,
        clearingDays: SETTINGS.clearingDays,
        dailyLimitCents: 100_000_000,
      }),
    );
    await app.owner.query.updateTable('affiliate_settings').set({ move_fee_basis_points: SETTINGS.moveFee }).execute();
    for (let index = 0; index < 2; index += 1) this.operators.push(await app.signUp('operator'));
    const referrers = { customer: await this.join('customer'), creator: await this.join('creator') };
    this.affiliates.push(referrers.customer, referrers.creator);
    for (const { id } of this.affiliates) model.affiliates.set(id, createEmptyBalances());
    app.clock.advance(1_000);
    for (let index = 1; index < creators; index += 1) {
      const by = index === 1 ? referrers.customer : index === 2 ? referrers.creator : undefined;
      await this.join('creator', by);
    }
    for (let index = 1; index < fans; index += 1) {
      const by = index % 4 === 0 ? referrers.customer : index % 5 === 0 ? referrers.creator : undefined;
      await this.join('customer', by);
    }
    const [lastCreator] = this.creators.slice(-1);
    if (lastCreator) {
      const fee = { generalPercent: FEES.lastCreator / 100, offerPercent: null, offerUntil: null };
      await app.ctx.db.transaction((tx) => setCreatorFee(tx, lastCreator.id, fee));
      model.fees.set(lastCreator.id, {
        general: FEES.lastCreator,
        offer: FEES.offer,
        offerUntil: joinedAt + 1_000 + FEES.offerDays * DAY_MS,
      });
    }
    for (const [index, payee] of [...this.creators, referrers.customer].entries()) await this.addMethod(payee, index);
    this.setTime(START);
  }

  private async join(type: 'customer' | 'creator', by?: TestUser): Promise<TestUser> {
    const { app, model } = this;
    const referralCode = by ? await getOrCreateCode(app.ctx, app.ctx.db, by.id) : undefined;
    const user = await app.signUp(type, { ...(referralCode !== undefined && { referralCode }) });
    await app.ctx.events.waitUntilIdle();
    const from = this.now;
    const until = new Date(from);
    until.setUTCMonth(until.getUTCMonth() + 12);
    const terms = { basisPoints: REFERRED_BASIS_POINTS, from, until: until.getTime() };
    if (type === 'creator') {
      this.creators.push(user);
      model.creators.set(user.id, createEmptyBalances());
      model.fees.set(user.id, { ...FEES, offerUntil: from + FEES.offerDays * DAY_MS });
      if (by) {
        const at = new Date(from).toISOString();
        const payload = { creatorId: user.id, status: 'verified', at } as const;
        await app.ctx.db.transaction((tx) => tx.emit('verification.changed', payload));
        await app.ctx.events.waitUntilIdle();
        model.referrals.set(user.id, { affiliateId: by.id, side: 'creator', ...terms });
      }
    } else {
      this.fans.push(user);
      model.fans.set(user.id, { wallet: 0, owed: 0 });
      if (by) await this.payByCard(user);
      if (by) model.referrals.set(user.id, { affiliateId: by.id, side: 'customer', ...terms });
    }
    return user;
  }

  private async addMethod(payee: TestUser, index: number): Promise<void> {
    const details = [ACH, { kind: 'paypal', email: `${payee.username}@example.com` }, BITCOIN, ACH][index % 4] ?? ACH;
    const body = { currentPassword: payee.password, details };
    const method = await this.requestJson<Method>(payee, 'POST', '/payout-methods', body);
    this.methods.set(payee.id, method);
  }

  async payByCard(fan: TestUser): Promise<void> {
    const { deposit, saleId } = await createPaidDeposit(
      this.app,
      await this.app.logIn(fan),
      10 * this.randomBetween(3, 30),
    );
    const booked = this.model.deposit(fan.id, deposit.amount_cents, deposit.fee_cents);
    this.cards.push({ deposit: booked, saleId, isReversed: false });
  }

  async deposit(fan: TestUser): Promise<void> {
    const [amount, feeCents] = [this.randomBetween(1_000, 40_000), this.randomBetween(0, 800)];
    await createDeposit(this.app.ctx.db, fan.id, amount, { feeCents, at: this.app.clock.now() });
    this.model.deposit(fan.id, amount, feeCents);
  }

  async reverseDeposit(): Promise<void> {
    const open = this.cards.filter(({ isReversed }) => !isReversed);
    if (open.length === 0) return;
    const card = this.pick(open);
    card.isReversed = true;
    const whole = card.deposit.amount + card.deposit.fee;
    const cents = this.random() < 0.5 ? whole : this.randomBetween(1, whole);
    const type = this.random() < 0.7 ? 'Chargeback' : 'Refund';
    const fields = buildReversalFields(this.app, card.saleId, (cents / 100).toFixed(2));
    for (const _ of ['first', 'repeated'])
      if ((await postWebhook(this.app, type, fields)) !== 200) throw new Error(`${type} was refused`);
    this.model.reverseDeposit(card.deposit, cents);
  }

  /** Each settlement is booked twice. Every second one is first booked with a wrong sum and reversed. */
  async settle(): Promise<void> {
    const [operator] = this.operators;
    const gross = Math.floor(this.model.platform.processor * 0.9);
    if (!operator || gross < 100) return;
    this.settled += 1;
    const [fees, chargebackFees] = [Math.floor(gross / 9), Math.floor(gross / 100)];
    const sums = { bank: gross - fees - chargebackFees, fees, chargebackFees };
    const { ctx } = this.app;
    const settlement = { reference: `week ${this.settled}`, day: toDay(this.now) };
    const usd = { bank: toUsd(sums.bank), fees: toUsd(fees), chargebackFees: toUsd(chargebackFees) };
    if (this.settled % 2 === 0) {
      const { id } = await bookSettlement(ctx, operator.id, { ...settlement, ...usd, chargebackFees: 0 });
      await reverseSettlement(ctx, operator.id, id, 'without the fees of chargebacks');
    }
    for (const _ of ['first', 'repeated']) await bookSettlement(ctx, operator.id, { ...settlement, ...usd });
    this.model.settle(sums);
  }

  async sell(fan: TestUser): Promise<void> {
    const { wallet, owed } = this.model.fan(fan.id);
    const max = Math.min(wallet, 6_000);
    if (owed > 0 || max < 300) return this.deposit(fan);
    const creator = this.pick(this.creators);
    const gross = this.randomBetween(300, max);
    const kind = this.pick(['tip', 'tip', 'post', 'post', 'chat', 'subscription', 'call']);
    const sale = { kind, fanId: fan.id, creatorId: creator.id };
    if (kind === 'call') return this.call(sale, gross);
    const at = this.app.clock.now();
    const subject = kind === 'tip' ? {} : { subjectId: randomUUID() };
    const charge = { ...sale, ...subject, grossCents: gross, operationId: randomUUID(), at };
    const { transactionId: id } = await chargeFanNow(this.app.ctx.db, charge);
    this.model.sell({ id, ...sale, gross, at: at.getTime() });
  }

  private async call(sale: { kind: string; fanId: string; creatorId: string }, heldCents: number): Promise<void> {
    const at = this.app.clock.now();
    const terms = { fanId: sale.fanId, amountCents: heldCents, purpose: 'call', operationId: randomUUID(), at };
    const expiresAt = new Date(at.getTime() + DAY_MS);
    const grossCents = this.random() < 0.2 ? 0 : this.randomBetween(1, heldCents);
    const { db } = this.app.ctx;
    const { id: holdId } = await db.transaction((tx) => holdFunds(tx, { ...terms, expiresAt }));
    const captured = await db.transaction((tx) =>
      captureFunds(tx, { kind: sale.kind, holdId, creatorId: sale.creatorId, subjectId: null, grossCents, at }),
    );
    if (!captured) throw new Error('a hold is captured once');
    if (grossCents > 0) this.model.sell({ id: captured.transactionId, ...sale, gross: grossCents, at: at.getTime() });
  }

  async refund(): Promise<void> {
    const open = this.model.sales.slice(-400).filter(({ gross, refunded }) => refunded < gross);
    if (open.length === 0) return;
    const sale = this.pick(open);
    const grossCents =
      this.random() < 0.4 ? sale.gross - sale.refunded : this.randomBetween(1, sale.gross - sale.refunded);
    const request = { saleId: sale.id, actorId: sale.creatorId, operationId: randomUUID(), at: this.app.clock.now() };
    const refundOnce = () => this.app.ctx.db.transaction((tx) => refundSale(tx, { ...request, grossCents }));
    await refundOnce();
    await refundOnce();
    this.model.refund(sale, grossCents);
  }

  async clear(): Promise<void> {
    await clearDue(this.app.ctx.db, this.app.clock.now());
    this.model.clear(this.now);
  }

  async move(): Promise<void> {
    const [affiliate] = this.affiliates;
    const eligible = affiliate ? this.model.eligible(affiliate.id) : 0;
    if (!affiliate || eligible < 100) return;
    const cents = this.randomBetween(100, eligible);
    await this.requestJson(affiliate, 'POST', `/customer/deposite-fund-from-refer/${affiliate.id}`, {
      amount: cents / 100,
    });
    this.model.move(affiliate.id, cents);
  }

  mark(at: number): void {
    const copy = <T extends object>(from: ReadonlyMap<string, T>) =>
      new Map([...from].map(([id, one]) => [id, { ...one }]));
    this.marks.push({ day: toDay(at), creators: copy(this.model.creators), fans: copy(this.model.fans) });
  }
}

function createEmptyBalances(): PayableBalances {
  return { pending: 0, available: 0, reserved: 0, owed: 0 };
}
