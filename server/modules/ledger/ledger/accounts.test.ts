import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { waitForBlockedQueries } from '../../../testing/locks.ts';
import { setUpMoneyTest } from '../../../testing/money.ts';
import {
  account,
  findOperation,
  getBalance,
  getWalletBalance,
  hashRequest,
  hasMovedMoney,
  lockAccounts,
  lockWallet,
  postTransaction,
  setDailyLimit,
  sumInflows,
} from './index.ts';
import { listLegs, sumLegs } from './transaction-legs.ts';

const money = setUpMoneyTest();
const NOON = new Date('2026-03-04T12:00:00Z');

describe('a wallet', () => {
  it('is empty until something is posted', async () => {
    const fan = await money.fan();
    expect(await getWalletBalance(money.db, fan)).toEqual({ balanceCents: 0, balanceLine: 0 });
    expect(await getBalance(money.db, account.wallet(fan))).toBe(0);
    await money.deposit(fan, 300);
    await money.deposit(fan, 200);
    expect(await getWalletBalance(money.db, fan)).toEqual({ balanceCents: 500, balanceLine: 2 });
  });

  it('is created when it is locked, and no one else can post to it until the transaction ends', async () => {
    const fan = await money.fan();
    const posts: Promise<unknown>[] = [];
    await money.db.transaction(async (tx) => {
      expect(await lockWallet(tx, fan)).toEqual({
        ...{ balanceCents: 0, balanceLine: 0, isFrozen: false, dayLimitCents: null, spentDay: null, spentCents: 0 },
      });
    });
    await money.db.transaction(async (tx) => {
      await lockWallet(tx, fan);
      posts.push(money.deposit(fan, 300));
      await waitForBlockedQueries(money);
      expect((await getWalletBalance(tx, fan)).balanceCents).toBe(0);
    });
    await Promise.all(posts);
    expect((await getWalletBalance(money.db, fan)).balanceCents).toBe(300);
  });

  it('can have a daily limit of its own, and none again', async () => {
    const fan = await money.fan();
    const limitAfter = (limitCents: number | null) =>
      money.db.transaction(async (tx) => {
        await setDailyLimit(tx, fan, limitCents);
        return (await lockWallet(tx, fan)).dayLimitCents;
      });
    expect(await limitAfter(700)).toBe(700);
    expect(await limitAfter(null)).toBeNull();
  });
});

describe('locking accounts', () => {
  it('returns their balances in the requested order and creates those that are missing', async () => {
    const [fan, other] = [await money.fan(300), await money.fan(200)];
    const codes = [account.wallet(other), account.owed(fan), account.wallet(fan)];
    expect(await money.db.transaction((tx) => lockAccounts(tx, codes))).toEqual([200, 0, 300]);
    expect(await money.db.transaction((tx) => lockAccounts(tx, codes.toReversed()))).toEqual([300, 0, 200]);
    const { rows } = await money.db.pool.query('select from ledger_accounts where code = $1', [account.owed(fan)]);
    expect(rows).toHaveLength(1);
  });

  it('holds all of them until the transaction ends', async () => {
    const [fan, other] = [await money.fan(300), await money.fan(200)];
    const deposits: Promise<unknown>[] = [];
    await money.db.transaction(async (tx) => {
      await lockAccounts(tx, [account.wallet(fan), account.wallet(other)]);
      deposits.push(money.deposit(fan, 1), money.deposit(other, 1));
      await waitForBlockedQueries(money, 2);
    });
    await Promise.all(deposits);
    expect(await getBalance(money.db, account.wallet(other))).toBe(201);
  });
});

describe('money of a user', () => {
  it('has moved once the wallet has a line or an affiliate account exists', async () => {
    const [fan, affiliate] = [await money.fan(), await money.fan()];
    await money.db.transaction((tx) => lockWallet(tx, fan));
    expect(await hasMovedMoney(money.db, fan)).toBe(false);
    expect(await hasMovedMoney(money.db, affiliate)).toBe(false);
    await money.deposit(fan, 100);
    await money.db.pool.query('select ledger_account($1)', [account.affiliatePending(affiliate)]);
    expect(await hasMovedMoney(money.db, fan)).toBe(true);
    expect(await hasMovedMoney(money.db, affiliate)).toBe(true);
  });
});

describe('a transaction', () => {
  it('stores its operation, external event, reversed transaction, details, time and day', async () => {
    const fan = await money.fan(1_000);
    const deposit = await money.deposit(fan, 200);
    const operation = { actorId: fan, operationId: randomUUID(), requestHash: hashRequest({ a: 1 }) };
    const external = { provider: 'ccbill', ref: 'order', eventKey: randomUUID() };
    expect(await findOperation(money.db, fan, operation.operationId)).toBeUndefined();
    const { transactionId } = await postTransaction(money.db, {
      ...{ kind: 'test', reversesId: deposit, metadata: { reason: 'by mistake' }, at: NOON, operation, external },
      ...{ tag: 'tip', day: '2026-02-01', items: 3 },
      legs: [
        [account.wallet(fan), 100],
        ['rev:payout_fee', -100],
      ],
    });
    expect(await findOperation(money.db, fan, operation.operationId)).toBe(transactionId);
    expect(await findOperation(money.db, randomUUID(), operation.operationId)).toBeUndefined();
    const { rows } = await money.db.pool.query(
      `select t.occurred_at as at, t.metadata, x.provider, x.ref, x.event_key as "eventKey", r.reverses_id as "reversesId",
          i.tag, i.day::text, i.items
        from ledger_transactions t join ledger_external_refs x on x.transaction_id = t.id
        join ledger_reversals r on r.transaction_id = t.id
        join ledger_accounts f on f.code = 'rev:payout_fee' join ledger_inflows i on i.account_id = f.id
        where t.id = $1`,
      [transactionId],
    );
    expect(rows).toEqual([
      {
        ...{ at: NOON, metadata: { reason: 'by mistake' }, ...external, reversesId: deposit },
        ...{ tag: 'tip', day: '2026-02-01', items: 3 },
      },
    ]);
    expect(await sumInflows(money.db, 1_000)).toBeGreaterThan(0);
    expect(await sumInflows(money.db, 1_000)).toBe(0);
  });

  it('lists its legs in their order, which can be summed by the start and the end of the account', async () => {
    const [fan, other] = [await money.fan(1_000), await money.fan()];
    const { transactionId } = await postTransaction(money.db, {
      kind: 'test',
      legs: [
        [account.wallet(fan), 600],
        [account.hold(fan), -250],
        [account.wallet(other), -300],
        ['rev:payout_fee', -50],
      ],
    });
    const legs = await listLegs(money.db, transactionId);
    expect(legs).toEqual([
      { code: account.wallet(fan), cents: 600, ownerId: fan },
      { code: account.hold(fan), cents: -250, ownerId: fan },
      { code: account.wallet(other), cents: -300, ownerId: other },
      { code: 'rev:payout_fee', cents: -50, ownerId: null },
    ]);
    expect(sumLegs(legs, 'liab:fan:')).toBe(50);
    expect(sumLegs(legs, 'liab:fan:', ':wallet')).toBe(300);
    expect(sumLegs(legs, 'rev:')).toBe(-50);
    await postTransaction(money.db, {
      kind: 'hold_release',
      legs: [
        [account.hold(fan), 250],
        [account.wallet(fan), -250],
      ],
    });
  });
});

describe('the hash of a request', () => {
  it('is the same in any order of its keys, and for a key without a value', () => {
    expect(hashRequest({ a: 1, b: 'x' })).toEqual(hashRequest({ b: 'x', a: 1 }));
    expect(hashRequest({ a: 1, b: null })).toEqual(hashRequest({ a: 1, b: undefined }));
  });

  it.each([
    ['another value', { a: 2, b: 'x' }],
    ['a value that looks the same', { a: '1', b: 'x' }],
    ['another key', { a: 1, c: 'x' }],
    ['one key less', { a: 1 }],
    ['no value', { a: 1, b: null }],
    ['false', { a: 1, b: false }],
  ])('differs for %s', (_, request) => {
    expect(hashRequest(request)).not.toEqual(hashRequest({ a: 1, b: 'x' }));
  });
});
