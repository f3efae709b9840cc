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

describe('account deletion', () => {
  const closing = async (who: TestUser) => (await who.inject('GET', '/api/account/closing')).json();
  const close = (who: TestUser) => who.inject('POST', '/api/account/close', { currentPassword: who.password });

  it('is blocked while referral earnings of a fan can be claimed, and says that smaller amounts are forfeited', async () => {
    await tipper(18);
    const less = await closing(affiliate);
    expect(less.hindrances).toEqual([]);
    expect(less.consequences).toContain(
      'Your referrals earned you $0.90, below the minimum withdrawal, so it will be forfeited.',
    );
    await tipper(2);
    const waiting = await closing(affiliate);
    expect(waiting.hindrances).toEqual([]);
    expect(waiting.consequences.join(' ')).toMatch(
      /^.*\$1\.00 of your referral earnings haven’t cleared yet\..* 90 days/,
    );
    await clear();
    expect((await close(affiliate)).json()).toMatchObject({
      code: 'CONFLICT',
      message: 'Your referrals earned you $1.00. Move it to your balance first.',
    });
  });

  it('is blocked for a creator once referral earnings reach the minimum payout', async () => {
    await join('creator');
    for (let count = 0; count < 10; count += 1) await tipper(count === 0 ? 98 : 100);
    expect((await closing(affiliate)).consequences).toContain(
      'Your referrals earned you $49.90, below the minimum withdrawal, so it will be forfeited.',
    );
    await tipper(2);
    await clear();
    expect((await closing(affiliate)).hindrances).toEqual(['Your referrals earned you $50.00. Withdraw it first.']);
  });

  it('stops earnings that keep arriving, mails the cleared amount and completes after it was claimed', async () => {
    const creator = await app.signUp('creator');
    const fan = await tipper(100, creator);
    const buy = async () => {
      const back = await app.logIn(fan);
      await paidDeposit(app, back, 20);
      expect((await tip(back, creator, 20)).statusCode).toBe(200);
    };
    const mails = async () => {
      const { rows } = await app.owner.pool.query<{ body: string }>(
        "select body from development_mail where recipient = $1 and subject = 'Action needed before your account is deleted'",
        [affiliate.email],
      );
      return rows.map(({ body }) => body);
    };
    const lookDaily = async (days: number) => {
      for (let day = 0; day < days; day += 1) {
        await erase(app.ctx, affiliate.id, { signal: undefined });
        app.clock.advance(DAY_MS);
        await clearDue(app.ctx.db, app.clock.now());
      }
    };
    const nameOf = async () =>
      (await app.ctx.db.query.selectFrom('users').select('name').where('id', '=', affiliate.id).executeTakeFirst())
        ?.name;
    expect((await close(affiliate)).statusCode).toBe(200);
    for (let days = 0; days < 14; days += 7) {
      await clear();
      await buy();
    }
    app.clock.advance(60_000);
    await lookDaily(3);
    await buy();
    expect(await mails()).toEqual([]);
    await lookDaily(8);
    expect(await mails()).toEqual([expect.stringContaining('Your referrals earned you $7.00.')]);
    expect(await nameOf()).not.toBe('Closed account');

    const back = await app.logIn(affiliate);
    await app.inject('POST', '/api/auth/login', { username: affiliate.username, password: affiliate.password });
    expect((await closing(back)).hindrances).toEqual([
      'Your referrals earned you $7.00. Move it to your balance first.',
    ]);
    const moved = await back.inject('POST', `/api/customer/deposite-fund-from-refer/${affiliate.id}`, { amount: 7 });
    expect(moved.statusCode, moved.body).toBe(200);
    await buy();
    expect((await closing(back)).consequences.join(' ')).not.toContain('referral');
    expect((await tip(back, creator, 7)).statusCode).toBe(200);
    expect((await close(back)).statusCode).toBe(200);
    app.clock.advance(14 * DAY_MS);
    await lookDaily(1);
    expect(await nameOf()).toBe('Closed account');
  });

  it('forfeits referral earnings that were not claimed within 90 days', async () => {
    await tipper(100);
    expect((await close(affiliate)).statusCode).toBe(200);
    const nameOf = async () =>
      (await app.ctx.db.query.selectFrom('users').select('name').where('id', '=', affiliate.id).executeTakeFirst())
        ?.name;
    await clear();
    app.clock.advance(7 * DAY_MS);
    for (const [days, isClosed] of [
      [0, false],
      [89, false],
      [1, true],
    ] as const) {
      app.clock.advance(days * DAY_MS);
      await erase(app.ctx, affiliate.id, { signal: undefined });
      expect((await nameOf()) === 'Closed account', String(days)).toBe(isClosed);
    }
  });

  it('ends commission from users who already paid and from users who pay later', async () => {
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
