/** What referrals earned stands against closing an account while it can be taken, and what they would earn ends with it. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { erase } from '../closing/testing.ts';
import { clearDue } from '../ledger/index.ts';
import { paidDeposit, requireCleanLedger } from '../payments/testing.ts';

const NOON = new Date('2027-02-27T12:00:00Z');
const DAY_MS = 24 * 60 * 60 * 1000;

let app: TestApp;
let affiliate: TestUser;
let code: string;
beforeAll(async () => {
  app = await createTestApp({ now: NOON });
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.set(NOON);
  await join('customer');
});
afterEach(async () => {
  await app.ctx.events.settle();
  await requireCleanLedger(app);
});

/** Somebody with a code. */
async function join(type: 'customer' | 'creator'): Promise<void> {
  affiliate = await app.signUp(type);
  code = (await affiliate.inject('GET', '/api/affiliate/code')).json().code;
  app.clock.advance(1_000);
}
async function brought(): Promise<TestUser> {
  const person = await app.signUp('customer', { referralCode: code });
  await app.ctx.events.settle();
  return person;
}
const tip = (fan: TestUser, creator: TestUser, amount: number) =>
  fan.inject(
    'POST',
    `/api/tip/customer-send/${creator.id}`,
    { amount, type: 'profile' },
    { 'idempotency-key': randomUUID() },
  );
/** A fan who was brought in, and tips so much. */
async function tipper(amount: number, creator?: TestUser): Promise<TestUser> {
  const fan = await brought();
  await paidDeposit(app, fan, Math.max(20, amount));
  expect((await tip(fan, creator ?? (await app.signUp('creator')), amount)).statusCode).toBe(200);
  return fan;
}
async function clear(): Promise<void> {
  app.clock.advance(7 * DAY_MS);
  await clearDue(app.ctx.db, app.clock.now());
}

describe('closing an account', () => {
  const closing = async (who: TestUser) => (await who.inject('GET', '/api/account/closing')).json();
  const close = (who: TestUser) => who.inject('POST', '/api/account/close', { currentPassword: who.password });

  it('waits for what a fan’s referrals earned, while it can be taken; what is less is given up, which is said', async () => {
    await tipper(18);
    const less = await closing(affiliate);
    expect(less.hindrances).toEqual([]);
    expect(less.consequences).toContain('Your referrals earned you $0.90, less than can be taken: you give it up.');
    await tipper(2);
    expect((await closing(affiliate)).hindrances).toEqual([
      '$1.00 of your referral earnings have not cleared yet. Wait for them, and take all of it.',
    ]);
    await clear();
    expect((await close(affiliate)).json()).toMatchObject({
      code: 'CONFLICT',
      message: 'Your referrals earned you $1.00. Move it into your balance first.',
    });
  });

  it('waits for what a creator’s referrals earned from the least payout of them on', async () => {
    await join('creator');
    // Of $998 in all.
    for (let count = 0; count < 10; count += 1) await tipper(count === 0 ? 98 : 100);
    expect((await closing(affiliate)).consequences).toContain(
      'Your referrals earned you $49.90, less than can be taken: you give it up.',
    );
    await tipper(2);
    await clear();
    expect((await closing(affiliate)).hindrances).toEqual([
      'Your referrals earned you $50.00. Have it paid out first.',
    ]);
  });

  it('ends what they earn: of those who came, and of those who come to pay later', async () => {
    const creator = await app.signUp('creator');
    const fan = await tipper(10, creator);
    const later = await brought();
    await close(affiliate);
    app.clock.advance(14 * DAY_MS);
    await erase(app.ctx, affiliate.id, { signal: undefined });
    app.clock.advance(60_000);
    const [back, next] = [await app.logIn(fan), await app.logIn(later)];
    await paidDeposit(app, next, 20);
    for (const who of [back, next]) expect((await tip(who, creator, 10)).statusCode).toBe(200);
    const { rows } = await app.owner.pool.query<{ cents: number }>(
      'select cents::int from sales_commissions where affiliate_id = $1',
      [affiliate.id],
    );
    expect(rows).toEqual([{ cents: 50 }]);
  });
});
