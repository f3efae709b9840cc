import { randomUUID } from 'node:crypto';
import type { TestApp, TestUser } from '../../../testing/app.ts';
import { chargeFan, refundSale } from '../../commerce/sales/index.ts';
import { clearDue, setDailyLimit } from '../../ledger/ledger/index.ts';
import { createDeposit } from '../../ledger/ledger/testing.ts';
import { createPayoutMethod } from '../payouts/testing.ts';
import { recordFirstDeposit, recordReferral, recordVerification } from './referrals.ts';

const WALLET = 100_000_000;
const DAY_MS = 24 * 60 * 60_000;

type Group = 'customer' | 'creator';

export class TestAffiliate {
  readonly #app: TestApp;
  readonly #referredUsers: Record<Group, { fan: TestUser; creator: TestUser }>;
  readonly #methodId: string;
  user: TestUser;

  private constructor(
    app: TestApp,
    user: TestUser,
    methodId: string,
    referredUsers: Record<Group, { fan: TestUser; creator: TestUser }>,
  ) {
    this.#app = app;
    this.user = user;
    this.#methodId = methodId;
    this.#referredUsers = referredUsers;
  }

  static async create(app: TestApp): Promise<TestAffiliate> {
    const user = await app.signUp('customer');
    const { id: methodId } = await createPayoutMethod(app, user);
    const affiliate = await app.logIn(user);
    const { code } = (await affiliate.inject('GET', '/api/affiliate/code')).json();
    app.clock.advance(1_000);
    const side = async () => ({ fan: await app.signUp('customer'), creator: await app.signUp('creator') });
    const referredUsers = { customer: await side(), creator: await side() };
    const at = app.clock.now();
    for (const { id, username, type } of [
      { ...referredUsers.customer.fan, type: 'customer' as const },
      { ...referredUsers.creator.creator, type: 'creator' as const },
    ])
      await recordReferral(app.ctx, { userId: id, username, type, referralCode: code });
    for (const { fan } of Object.values(referredUsers)) {
      await app.ctx.db.transaction((tx) => setDailyLimit(tx, fan.id, WALLET));
      await createDeposit(app.ctx.db, fan.id, WALLET, { at });
    }
    await app.ctx.db.transaction((tx) => recordFirstDeposit(tx, { fanId: referredUsers.customer.fan.id, at }));
    const verified = { creatorId: referredUsers.creator.creator.id, status: 'verified', at: at.toISOString() } as const;
    await recordVerification(app.ctx, verified);
    return new TestAffiliate(app, affiliate, methodId, referredUsers);
  }

  async earn(side: Group, cents: number): Promise<string> {
    const { fan, creator } = this.#referredUsers[side];
    const ids = { fanId: fan.id, creatorId: creator.id, operationId: randomUUID() };
    const sale = { kind: 'tip', grossCents: cents * 20, at: this.#app.clock.now(), ...ids };
    return (await this.#app.ctx.db.transaction((tx) => chargeFan(tx, sale))).transactionId;
  }

  async refund(saleId: string, grossCents?: number): Promise<void> {
    const request = { saleId, actorId: randomUUID(), operationId: randomUUID(), at: this.#app.clock.now() };
    await this.#app.ctx.db.transaction((tx) =>
      refundSale(tx, { ...request, ...(grossCents !== undefined && { grossCents }) }),
    );
  }

  async clear(): Promise<void> {
    await clearEarnings(this.#app);
    this.user = await this.#app.logIn(this.user);
  }

  totals = async () => (await this.user.inject('GET', '/api/affiliate/total-earning')).json();
  withdraw = (amount: number) =>
    this.user.inject('POST', '/api/affiliate/withdraw', { amount, methodId: this.#methodId }, key());
  move = (amount: number) =>
    this.user.inject('POST', `/api/customer/deposite-fund-from-refer/${this.user.id}`, { amount }, key());
  cancel = (id: string) => this.user.inject('POST', `/api/affiliate/withdrawal-cancel/${id}`);
}

/** Advances the clock until all earnings so far are due, and clears them. */
export async function clearEarnings(app: TestApp): Promise<void> {
  app.clock.advance(7 * DAY_MS);
  await clearDue(app.ctx.db, app.clock.now());
}

export function tipCreator(fan: TestUser, creator: TestUser, amount: number) {
  return fan.inject('POST', `/api/tip/customer-send/${creator.id}`, { amount, type: 'profile' }, key());
}

/** Does not wait until the event is processed. */
export async function emitVerificationChange(
  app: TestApp,
  creatorId: string,
  status: 'submitted' | 'verified',
): Promise<void> {
  const at = app.clock.now().toISOString();
  await app.ctx.db.transaction((tx) => tx.emit('verification.changed', { creatorId, status, at }));
}

const key = () => ({ 'idempotency-key': randomUUID() });
