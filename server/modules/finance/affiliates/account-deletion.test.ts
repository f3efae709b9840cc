import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../testing/app.ts';
import { createPaidDeposit, requireCleanLedger } from '../../commerce/deposits/testing.ts';
import { eraseUser } from '../../identity/account-deletion/testing.ts';
import { clearDue } from '../../ledger/ledger/index.ts';
import { clearEarnings, tipCreator } from './testing.ts';

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
  await app.ctx.events.waitUntilIdle();
  await requireCleanLedger(app);
});

async function join(type: 'customer' | 'creator'): Promise<void> {
  affiliate = await app.signUp(type);
  code = (await affiliate.inject('GET', '/api/affiliate/code')).json().code;
  app.clock.advance(1_000);
}
async function signUpReferred(): Promise<TestUser> {
  const referred = await app.signUp('customer', { referralCode: code });
  await app.ctx.events.waitUntilIdle();
  return referred;
}
async function tipper(amount: number, creator?: TestUser): Promise<TestUser> {
  const fan = await signUpReferred();
  await createPaidDeposit(app, fan, Math.max(20, amount));
  expect((await tipCreator(fan, creator ?? (await app.signUp('creator')), amount)).statusCode).toBe(200);
  return fan;
}

describe('account deletion', () => {
  const closing = async (user: TestUser) => (await user.inject('GET', '/api/account/deletion')).json();
  const close = (user: TestUser) => user.inject('POST', '/api/account/deletion', { currentPassword: user.password });

  it('is blocked while referral earnings of a fan can be claimed, and warns that smaller amounts are forfeited', async () => {
    await tipper(18);
    const less = await closing(affiliate);
    expect(less.obstacles).toEqual([]);
    expect(less.consequences).toContain(
      'Your referrals earned you $0.90, below the minimum withdrawal, so it will be forfeited.',
    );
    await tipper(2);
    const waiting = await closing(affiliate);
    expect(waiting.obstacles).toEqual([]);
    expect(waiting.consequences.join(' ')).toMatch(
      /^.*\$1\.00 of your referral earnings haven’t cleared yet\..* 90 days/,
    );
    await clearEarnings(app);
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
    await clearEarnings(app);
    expect((await closing(affiliate)).obstacles).toEqual(['Your referrals earned you $50.00. Withdraw it first.']);
  });

  it('stops earnings that keep arriving, mails the cleared amount and completes after it was claimed', async () => {
    const creator = await app.signUp('creator');
    const fan = await tipper(100, creator);
    const buy = async () => {
      const back = await app.logIn(fan);
      await createPaidDeposit(app, back, 20);
      expect((await tipCreator(back, creator, 20)).statusCode).toBe(200);
    };
    const mails = async () => {
      const { rows } = await app.owner.pool.query<{ body: string }>(
        "select body from development_mail where recipient = $1 and subject = 'Action needed before your account is deleted'",
        [affiliate.email],
      );
      return rows.map(({ body }) => body);
    };
    const runDaily = async (days: number) => {
      for (let day = 0; day < days; day += 1) {
        await eraseUser(app.ctx, affiliate.id, { signal: undefined });
        app.clock.advance(DAY_MS);
        await clearDue(app.ctx.db, app.clock.now());
      }
    };
    const getName = async () =>
      (await app.ctx.db.query.selectFrom('users').select('name').where('id', '=', affiliate.id).executeTakeFirst())
        ?.name;
    expect((await close(affiliate)).statusCode).toBe(200);
    for (let days = 0; days < 14; days += 7) {
      await clearEarnings(app);
      await buy();
    }
    app.clock.advance(60_000);
    await runDaily(3);
    await buy();
    expect(await mails()).toEqual([]);
    await runDaily(8);
    expect(await mails()).toEqual([expect.stringContaining('Your referrals earned you $7.00.')]);
    expect(await getName()).not.toBe('Closed account');

    const back = await app.logIn(affiliate);
    await app.inject('POST', '/api/auth/login', { username: affiliate.username, password: affiliate.password });
    expect((await closing(back)).obstacles).toEqual([
      'Your referrals earned you $7.00. Move it to your balance first.',
    ]);
    const moved = await back.inject('POST', `/api/customer/deposite-fund-from-refer/${affiliate.id}`, { amount: 7 });
    expect(moved.statusCode, moved.body).toBe(200);
    await buy();
    expect((await closing(back)).consequences.join(' ')).not.toContain('referral');
    expect((await tipCreator(back, creator, 7)).statusCode).toBe(200);
    expect((await close(back)).statusCode).toBe(200);
    app.clock.advance(14 * DAY_MS);
    await runDaily(1);
    expect(await getName()).toBe('Closed account');
  });

  it('forfeits referral earnings that were not claimed within 90 days', async () => {
    await tipper(100);
    expect((await close(affiliate)).statusCode).toBe(200);
    const getName = async () =>
      (await app.ctx.db.query.selectFrom('users').select('name').where('id', '=', affiliate.id).executeTakeFirst())
        ?.name;
    await clearEarnings(app);
    app.clock.advance(7 * DAY_MS);
    for (const [days, isClosed] of [
      [0, false],
      [89, false],
      [1, true],
    ] as const) {
      app.clock.advance(days * DAY_MS);
      await eraseUser(app.ctx, affiliate.id, { signal: undefined });
      expect((await getName()) === 'Closed account', String(days)).toBe(isClosed);
    }
  });

  it('ends commission from users who already paid and from users who pay later', async () => {
    const creator = await app.signUp('creator');
    const fan = await tipper(10, creator);
    const later = await signUpReferred();
    await close(affiliate);
    app.clock.advance(14 * DAY_MS);
    await eraseUser(app.ctx, affiliate.id, { signal: undefined });
    app.clock.advance(60_000);
    const [back, next] = [await app.logIn(fan), await app.logIn(later)];
    await createPaidDeposit(app, next, 20);
    for (const user of [back, next]) expect((await tipCreator(user, creator, 10)).statusCode).toBe(200);
    const { rows } = await app.owner.pool.query<{ cents: number }>(
      'select cents::int from sales_commissions where affiliate_id = $1',
      [affiliate.id],
    );
    expect(rows).toEqual([{ cents: 50 }]);
  });
});
