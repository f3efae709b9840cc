import { randomUUID } from 'node:crypto';
import { HOLD_PART_KINDS, MONEY_KINDS, STATEMENT_TYPES } from '@stagedoor/contract/commerce/money-kinds.ts';
import { describe, expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import { account, getBalance, type Leg, postTransaction } from './index.ts';
import { addKind, catchErrorCode } from './testing.ts';

const money = setUpMoneyTest();

async function rows<T>(sql: string, values: unknown[] = []): Promise<T[]> {
  return (await money.db.pool.query(sql, values)).rows;
}
const posting = (kind: string, legs: readonly Leg[]) =>
  catchErrorCode(money.db.transaction((tx) => postTransaction(tx, { kind, legs })));
const add = (kind: Parameters<typeof addKind>[1]) => catchErrorCode(addKind(money.owner, kind));

describe('the transaction kinds', () => {
  it('match the contract exactly', async () => {
    const kinds = await rows<{ kind: string; title: string; type: string; isSale: boolean; isOnce: boolean }>(
      `select kind, title, statement_type as type, fee_account is not null as "isSale", is_once as "isOnce" from ledger_kinds where kind <> 'test'`,
    );
    const expected = Object.entries(MONEY_KINDS).map(([kind, { title, type, sale }]) => ({
      ...{ kind, title, type },
      isSale: sale !== undefined,
      isOnce: sale?.isOnce ?? false,
    }));
    const byKind = (one: { kind: string }, other: { kind: string }) => (one.kind < other.kind ? -1 : 1);
    expect(kinds.toSorted(byKind)).toEqual(expected.toSorted(byKind));
    for (const { type } of kinds) expect(STATEMENT_TYPES).toContain(type);
  });

  it('are parts of a hold exactly if they extend or resolve one', async () => {
    const parts = await rows<{ kind: string }>(
      `select kind from ledger_kinds where kind <> all ('{hold,test}') and 'liab:fan:%:call_hold' = any (debits || credits) order by kind collate "C"`,
    );
    expect(parts.map(({ kind }) => kind)).toEqual(HOLD_PART_KINDS);
  });

  it('cannot be deleted', async () => {
    for (const sql of ["delete from ledger_kinds where kind = 'tip'", 'truncate ledger_kinds'])
      expect(await catchErrorCode(money.owner.pool.query(sql))).toBe('42501');
  });

  it('require all legs of a sale to count as a sale, and create the fee account', async () => {
    const sale = {
      kind: 'gift',
      fee_account: 'rev:platform_fee:gift',
      debits: ['liab:fan:%:wallet'],
      credits: ['liab:creator:%:pending', 'rev:platform_fee:gift'],
    };
    expect(await add({ ...sale, credits: ['liab:creator:%:pending'] })).toBe('23514');
    expect(await add({ ...sale, credits: ['rev:platform_fee:gift'] })).toBe('23514');
    expect(await add({ ...sale, fee_account: 'rev:deposit_fee' })).toBe('23514');
    expect(await add({ ...sale, fee_account: null, is_once: true })).toBe('23514');
    await addKind(money.owner, sale);
    expect(await rows("select kind from ledger_accounts where code = 'rev:platform_fee:gift'")).toEqual([
      { kind: 'revenue' },
    ]);
  });
});

describe('posting', () => {
  it('refuses a kind without a row and moves nothing', async () => {
    const fan = await money.fan(500);
    expect(
      await posting('rebate', [
        [account.wallet(fan), 100],
        ['rev:deposit_fee', -100],
      ]),
    ).toBe('SD400');
    expect(await getBalance(money.db, account.wallet(fan))).toBe(500);
  });

  it.each([
    ['an account that the kind does not know', 'hold', 'liab:fan:*:wallet', 'rev:deposit_fee'],
    ['the wrong side', 'hold', 'liab:fan:*:call_hold', 'liab:fan:*:wallet'],
    ['another sale’s fee', 'tip', 'liab:fan:*:wallet', 'rev:platform_fee:post'],
    ['another user’s money', 'deposit', 'liab:creator:*:available', 'liab:fan:*:wallet'],
  ])('refuses a leg on %s', async (_, kind, debit, credit) => {
    const fan = await money.fan(500);
    const legs: Leg[] = [
      [debit.replace('*', fan), 100],
      [credit.replace('*', fan), -100],
    ];
    expect(await posting(kind, legs)).toBe('SD400');
    expect(await getBalance(money.db, account.wallet(fan))).toBe(500);
  });

  it('returns one transaction to concurrent requests with the same operation id', async () => {
    const operation = { actorId: randomUUID(), operationId: randomUUID(), requestHash: Buffer.alloc(32) };
    const legs: Leg[] = [
      ['asset:bank:operating', 5],
      ['asset:processor:ccbill:clearing', -5],
    ];
    const both = await Promise.all(
      Array.from({ length: 6 }, () =>
        money.db.transaction((tx) => postTransaction(tx, { kind: 'settlement', legs, operation })),
      ),
    );
    expect(new Set(both.map(({ transactionId }) => transactionId)).size).toBe(1);
    expect(both.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
  });
});

describe('the ledger tables', () => {
  it('are written only by ledger functions, and the journal by a single one', async () => {
    const functions = await rows<{ name: string; body: string }>(
      `select proname as name, prosrc as body from pg_proc p join pg_language l on l.oid = p.prolang
       where pronamespace = 'public'::regnamespace and lanname in ('sql', 'plpgsql')`,
    );
    expect(functions.length).toBeGreaterThan(20);
    const listWriters = (table: string, verbs: string) => {
      const writes = new RegExp(String.raw`\b(${verbs})\s+(only\s+)?${table}\b`, 'i');
      return functions.flatMap(({ name, body }) => (writes.test(body) ? [name] : [])).toSorted();
    };
    for (const table of ['ledger_transactions', 'ledger_lines', 'ledger_inflows'])
      expect(listWriters(table, 'insert into|merge into|copy')).toEqual(['ledger_write']);
    for (const name of listWriters('ledger_[a-z_]+', 'insert into|update|delete from|merge into|truncate|copy'))
      expect(name).toMatch(/^ledger_/);
  });
});
