/**
 * Simulates three months of business from a seed, in parallel with the reference model. Only actions that the model
 * allows are tried, so that every refusal is a difference.
 */
import { randomUUID } from 'node:crypto';
import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { PayoutDetails } from '@stagedoor/contract/payouts.ts';
import { codeOf } from '../../features/affiliates/index.ts';
import { clearDue } from '../../features/ledger/index.ts';
import { makeDeposit } from '../../features/ledger/testing.ts';
import { bookSettlement, takeSettlementBack } from '../../features/payments/settlements.ts';
import { paidDeposit, postEvent, reversalFields } from '../../features/payments/testing.ts';
import type { openPayPal } from '../../features/payouts/paypal.testing.ts';
import { ACH, BITCOIN } from '../../features/payouts/testing.ts';
import {
  captureFunds,
  changeSalesSettings,
  chargeNow,
  holdFunds,
  refundSale,
  setCreatorFee,
} from '../../features/sales/index.ts';
import type { TestApp, TestUser } from '../app.ts';
import { DAY_MS, type Deposit, dayOf, type Fan, type Purse, Reckoning } from './reckoning.ts';

export const START = Date.parse('2027-12-15T00:00:00.000Z');
export const END = Date.parse('2028-03-14T23:59:59.999Z');
/** End of a year, ends of months, a leap day and the day after it. */
export const MARKS = ['2028-01-01', '2028-02-01', '2028-02-29', '2028-03-01'];
/** Hundredths of a percent. The offer ends within the simulated time. */
const FEES = { general: 1_850, offer: 950, offerDays: 40, own: 1_225 };
const SETTINGS = { clearingDays: 7, payoutFee: 200, moveFee: 150 };
const REFERRED_BASIS_POINTS = 500;

/** mulberry32 */
function drawnFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Method = { id: string; kind: PayoutDetails['kind'] };
type Mark = { day: string; creators: Map<string, Purse>; fans: Map<string, Fan> };
type Card = { deposit: Deposit; saleId: string; isTakenBack: boolean };

export class Business {
  readonly app: TestApp;
  readonly payPal: Awaited<ReturnType<typeof openPayPal>>;
  readonly books = new Reckoning(SETTINGS);
  readonly fans: TestUser[] = [];
  readonly creators: TestUser[] = [];
  readonly operators: TestUser[] = [];
  readonly affiliates: TestUser[] = [];
  readonly methods = new Map<string, Method>();
  readonly marks: Mark[] = [];
  private readonly cards: Card[] = [];
  private settled = 0;
  readonly random: () => number;

  constructor(app: TestApp, payPal: Awaited<ReturnType<typeof openPayPal>>, seed: number) {
    this.app = app;
    this.payPal = payPal;
    this.random = drawnFrom(seed);
  }

  between(least: number, most: number): number {
    return least + Math.floor(this.random() * (most - least + 1));
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[Math.floor(this.random() * from.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }

  get now(): number {
    return this.app.clock.now().getTime();
  }

  goTo(at: number): void {
    this.app.clock.set(new Date(at));
  }

  async ask<T>(user: TestUser, method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<T> {
    const { inject } = await this.app.logIn(user);
    const answer = await inject(method, `/api${path}`, body, { 'idempotency-key': randomUUID() });
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.body}`);
    return answer.json<T>();
  }

  async open({ fans, creators }: { fans: number; creators: number }): Promise<void> {
    const { app, books } = this;
    const joinedAt = START - 10 * DAY_MS;
    this.goTo(joinedAt);
    await app.ctx.db.transaction((tx) =>
      changeSalesSettings(tx, {
        generalPercent: FEES.general / 100,
        offerPercent: FEES.offer / 100,
        offerDays: FEES.offerDays,
        clearingDays: SETTINGS.clearingDays,
        dailyLimitCents: 100_000_000,
      }),
    );
    await app.owner.query.updateTable('affiliate_settings').set({ move_fee_basis_points: SETTINGS.moveFee }).execute();
    for (let index = 0; index < 2; index += 1) this.operators.push(await app.signUp('operator'));
    const bringing = { customer: await this.join('customer'), creator: await this.join('creator') };
    this.affiliates.push(bringing.customer, bringing.creator);
    for (const { id } of this.affiliates) books.affiliates.set(id, emptyPurse());
    app.clock.advance(1_000);
    for (let index = 1; index < creators; index += 1) {
      const by = index === 1 ? bringing.customer : index === 2 ? bringing.creator : undefined;
      await this.join('creator', by);
    }
    for (let index = 1; index < fans; index += 1) {
      const by = index % 4 === 0 ? bringing.customer : index % 5 === 0 ? bringing.creator : undefined;
      await this.join('customer', by);
    }
    const [own] = this.creators.slice(-1);
    if (own) {
      const fee = { generalPercent: FEES.own / 100, offerPercent: null, offerUntil: null };
      await app.ctx.db.transaction((tx) => setCreatorFee(tx, own.id, fee));
      books.fees.set(own.id, {
        general: FEES.own,
        offer: FEES.offer,
        offerUntil: joinedAt + 1_000 + FEES.offerDays * DAY_MS,
      });
    }
    for (const [index, payee] of [...this.creators, bringing.customer].entries()) await this.addMethod(payee, index);
    this.goTo(START);
  }

  private async join(type: 'customer' | 'creator', by?: TestUser): Promise<TestUser> {
    const { app, books } = this;
    const referralCode = by ? await codeOf(app.ctx, app.ctx.db, by.id) : undefined;
    const person = await app.signUp(type, { ...(referralCode !== undefined && { referralCode }) });
    await app.ctx.events.settle();
    const from = this.now;
    const until = new Date(from);
    until.setUTCMonth(until.getUTCMonth() + 12);
    const terms = { basisPoints: REFERRED_BASIS_POINTS, from, until: until.getTime() };
    if (type === 'creator') {
      this.creators.push(person);
      books.creators.set(person.id, emptyPurse());
      books.fees.set(person.id, { ...FEES, offerUntil: from + FEES.offerDays * DAY_MS });
      if (by) {
        const at = new Date(from).toISOString();
        const told = { creatorId: person.id, status: 'verified', at } as const;
        await app.ctx.db.transaction((tx) => tx.emit('verification.changed', told));
        await app.ctx.events.settle();
        books.referrals.set(person.id, { affiliateId: by.id, side: 'creator', ...terms });
      }
    } else {
      this.fans.push(person);
      books.fans.set(person.id, { wallet: 0, owed: 0 });
      if (by) await this.payByCard(person);
      if (by) books.referrals.set(person.id, { affiliateId: by.id, side: 'customer', ...terms });
    }
    return person;
  }

  private async addMethod(payee: TestUser, index: number): Promise<void> {
    const details = [ACH, { kind: 'paypal', email: `${payee.username}@example.com` }, BITCOIN, ACH][index % 4] ?? ACH;
    const body = { currentPassword: payee.password, details };
    const method = await this.ask<Method>(payee, 'POST', '/payout-methods', body);
    this.methods.set(payee.id, method);
  }

  async payByCard(fan: TestUser): Promise<void> {
    const { deposit, saleId } = await paidDeposit(this.app, await this.app.logIn(fan), 10 * this.between(3, 30));
    const booked = this.books.deposit(fan.id, deposit.amount_cents, deposit.fee_cents);
    this.cards.push({ deposit: booked, saleId, isTakenBack: false });
  }

  async deposit(fan: TestUser): Promise<void> {
    const [amount, feeCents] = [this.between(1_000, 40_000), this.between(0, 800)];
    await makeDeposit(this.app.ctx.db, fan.id, amount, { feeCents, at: this.app.clock.now() });
    this.books.deposit(fan.id, amount, feeCents);
  }

  async takeBack(): Promise<void> {
    const open = this.cards.filter(({ isTakenBack }) => !isTakenBack);
    if (open.length === 0) return;
    const card = this.pick(open);
    card.isTakenBack = true;
    const whole = card.deposit.amount + card.deposit.fee;
    const cents = this.random() < 0.5 ? whole : this.between(1, whole);
    const type = this.random() < 0.7 ? 'Chargeback' : 'Refund';
    const fields = reversalFields(this.app, card.saleId, (cents / 100).toFixed(2));
    for (const _ of ['told', 'told again'])
      if ((await postEvent(this.app, type, fields)) !== 200) throw new Error(`${type} was refused`);
    this.books.takeBack(card.deposit, cents);
  }

  /** Each settlement is booked twice. Every second one is first booked with a wrong sum and reversed. */
  async settle(): Promise<void> {
    const [operator] = this.operators;
    const gross = Math.floor(this.books.house.processor * 0.9);
    if (!operator || gross < 100) return;
    this.settled += 1;
    const [fees, chargebackFees] = [Math.floor(gross / 9), Math.floor(gross / 100)];
    const sums = { bank: gross - fees - chargebackFees, fees, chargebackFees };
    const { ctx } = this.app;
    const said = { reference: `week ${this.settled}`, day: dayOf(this.now) };
    const usd = { bank: toUsd(sums.bank), fees: toUsd(fees), chargebackFees: toUsd(chargebackFees) };
    if (this.settled % 2 === 0) {
      const { id } = await bookSettlement(ctx, operator.id, { ...said, ...usd, chargebackFees: 0 });
      await takeSettlementBack(ctx, operator.id, id, 'without the fees of chargebacks');
    }
    for (const _ of ['told', 'told again']) await bookSettlement(ctx, operator.id, { ...said, ...usd });
    this.books.settle(sums);
  }

  async sell(fan: TestUser): Promise<void> {
    const { wallet, owed } = this.books.fan(fan.id);
    const most = Math.min(wallet, 6_000);
    if (owed > 0 || most < 300) return this.deposit(fan);
    const creator = this.pick(this.creators);
    const gross = this.between(300, most);
    const kind = this.pick(['tip', 'tip', 'post', 'post', 'chat', 'subscription', 'call']);
    const sale = { kind, fanId: fan.id, creatorId: creator.id };
    if (kind === 'call') return this.call(sale, gross);
    const at = this.app.clock.now();
    const subject = kind === 'tip' ? {} : { subjectId: randomUUID() };
    const charge = { ...sale, ...subject, grossCents: gross, operationId: randomUUID(), at };
    const { transactionId: id } = await chargeNow(this.app.ctx.db, charge);
    this.books.sell({ id, ...sale, gross, at: at.getTime() });
  }

  private async call(sale: { kind: string; fanId: string; creatorId: string }, held: number): Promise<void> {
    const at = this.app.clock.now();
    const terms = { fanId: sale.fanId, amountCents: held, purpose: 'call', operationId: randomUUID(), at };
    const expiresAt = new Date(at.getTime() + DAY_MS);
    const grossCents = this.random() < 0.2 ? 0 : this.between(1, held);
    const { db } = this.app.ctx;
    const { id: holdId } = await db.transaction((tx) => holdFunds(tx, { ...terms, expiresAt }));
    const captured = await db.transaction((tx) =>
      captureFunds(tx, { kind: sale.kind, holdId, creatorId: sale.creatorId, subjectId: null, grossCents, at }),
    );
    if (!captured) throw new Error('a hold is captured once');
    if (grossCents > 0) this.books.sell({ id: captured.transactionId, ...sale, gross: grossCents, at: at.getTime() });
  }

  async refund(): Promise<void> {
    const open = this.books.sales.slice(-400).filter(({ gross, back }) => back < gross);
    if (open.length === 0) return;
    const sale = this.pick(open);
    const grossCents = this.random() < 0.4 ? sale.gross - sale.back : this.between(1, sale.gross - sale.back);
    const request = { saleId: sale.id, actorId: sale.creatorId, operationId: randomUUID(), at: this.app.clock.now() };
    const back = () => this.app.ctx.db.transaction((tx) => refundSale(tx, { ...request, grossCents }));
    await back();
    await back();
    this.books.refund(sale, grossCents);
  }

  async clear(): Promise<void> {
    await clearDue(this.app.ctx.db, this.app.clock.now());
    this.books.clear(this.now);
  }

  async move(): Promise<void> {
    const [affiliate] = this.affiliates;
    const eligible = affiliate ? this.books.eligible(affiliate.id) : 0;
    if (!affiliate || eligible < 100) return;
    const cents = this.between(100, eligible);
    await this.ask(affiliate, 'POST', `/customer/deposite-fund-from-refer/${affiliate.id}`, { amount: cents / 100 });
    this.books.move(affiliate.id, cents);
  }

  mark(at: number): void {
    const copy = <T extends object>(from: ReadonlyMap<string, T>) =>
      new Map([...from].map(([id, one]) => [id, { ...one }]));
    this.marks.push({ day: dayOf(at), creators: copy(this.books.creators), fans: copy(this.books.fans) });
  }
}

function emptyPurse(): Purse {
  return { pending: 0, available: 0, reserved: 0, owed: 0 };
}
