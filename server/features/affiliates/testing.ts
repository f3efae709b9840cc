import { randomUUID } from 'node:crypto';
import type { TestApp, TestUser } from '../../testing/app.ts';
import { clearDue, setDailyLimit } from '../ledger/index.ts';
import { makeDeposit } from '../ledger/testing.ts';
import { addMethod } from '../payouts/testing.ts';
import { charge, refundSale } from '../sales/index.ts';
import { noteDeposit, noteVerification, refer } from './referrals.ts';

const WALLET = 100_000_000;
const DAY_MS = 24 * 60 * 60_000;

type Group = 'customer' | 'creator';

export class Bringer {
  readonly #app: TestApp;
  readonly #people: Record<Group, { fan: TestUser; creator: TestUser }>;
  readonly #methodId: string;
  user: TestUser;

  private constructor(
    app: TestApp,
    user: TestUser,
    methodId: string,
    people: Record<Group, { fan: TestUser; creator: TestUser }>,
  ) {
    this.#app = app;
    this.user = user;
    this.#methodId = methodId;
    this.#people = people;
  }

  static async make(app: TestApp): Promise<Bringer> {
    const user = await app.signUp('customer');
    const { id: methodId } = await addMethod(app, user);
    const affiliate = await app.logIn(user);
    const { code } = (await affiliate.inject('GET', '/api/affiliate/code')).json();
    app.clock.advance(1_000);
    const side = async () => ({ fan: await app.signUp('customer'), creator: await app.signUp('creator') });
    const people = { customer: await side(), creator: await side() };
    const at = app.clock.now();
    for (const { id, username, type } of [
      { ...people.customer.fan, type: 'customer' as const },
      { ...people.creator.creator, type: 'creator' as const },
    ])
      await refer(app.ctx, { userId: id, username, type, referralCode: code });
    for (const { fan } of Object.values(people)) {
      await app.ctx.db.transaction((tx) => setDailyLimit(tx, fan.id, WALLET));
      await makeDeposit(app.ctx.db, fan.id, WALLET, { at });
    }
    await app.ctx.db.transaction((tx) => noteDeposit(tx, { fanId: people.customer.fan.id, at }));
    const verified = { creatorId: people.creator.creator.id, status: 'verified', at: at.toISOString() } as const;
    await noteVerification(app.ctx, verified);
    return new Bringer(app, affiliate, methodId, people);
  }

  async earn(side: Group, cents: number): Promise<string> {
    const { fan, creator } = this.#people[side];
    const ids = { fanId: fan.id, creatorId: creator.id, operationId: randomUUID() };
    const sale = { kind: 'tip', grossCents: cents * 20, at: this.#app.clock.now(), ...ids };
    return (await this.#app.ctx.db.transaction((tx) => charge(tx, sale))).transactionId;
  }

  async giveBack(saleId: string, grossCents?: number): Promise<void> {
    const request = { saleId, actorId: randomUUID(), operationId: randomUUID(), at: this.#app.clock.now() };
    await this.#app.ctx.db.transaction((tx) =>
      refundSale(tx, { ...request, ...(grossCents !== undefined && { grossCents }) }),
    );
  }

  async clear(): Promise<void> {
    this.#app.clock.advance(7 * DAY_MS);
    await clearDue(this.#app.ctx.db, this.#app.clock.now());
    this.user = await this.#app.logIn(this.user);
  }

  totals = async () => (await this.user.inject('GET', '/api/affiliate/total-earning')).json();
  withdraw = (amount: number) =>
    this.user.inject('POST', '/api/affiliate/withdraw', { amount, methodId: this.#methodId }, key());
  move = (amount: number) =>
    this.user.inject('POST', `/api/customer/deposite-fund-from-refer/${this.user.id}`, { amount }, key());
  cancel = (id: string) => this.user.inject('POST', `/api/affiliate/withdrawal-cancel/${id}`);
}

const key = () => ({ 'idempotency-key': randomUUID() });
