import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { waitForBlockedQueries } from '../../../testing/locks.ts';
import { setUpMoneyTest } from '../../../testing/money.ts';
import { account, getBalance, hashRequest, postTransaction, sumInflows } from './index.ts';
import { catchErrorCode } from './testing.ts';

const money = setUpMoneyTest();
const operation = (actorId: string, request: Record<string, unknown> = {}) => ({
  actorId,
  operationId: randomUUID(),
  requestHash: hashRequest(request),
});
const getErrorMessage = async (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error: unknown) => (error instanceof Error ? error.message : 'other'),
  );

describe('the protected ledger tables', () => {
  it.each(['ledger_transactions', 'ledger_lines', 'ledger_external_refs', 'ledger_reversals'])(
    'refuse UPDATE, DELETE and TRUNCATE on %s',
    async (table) => {
      await money.fan(1_000);
      const column =
        table === 'ledger_external_refs' ? 'ref' : table === 'ledger_transactions' ? 'kind' : 'transaction_id';
      for (const sql of [
        `update ${table} set ${column} = ${column}`,
        `delete from ${table}`,
        `truncate ${table} cascade`,
      ]) {
        expect(await getErrorMessage(money.owner.pool.query(sql))).toMatch(/is refused/);
      }
    },
  );

  it('refuse to delete an account', async () => {
    expect(await getErrorMessage(money.owner.pool.query('delete from ledger_accounts'))).toMatch(/is refused/);
  });
});

describe('the journal constraints', () => {
  const write = (accounts: string, amounts: string) =>
    getErrorMessage(
      money.db.pool.query(
        `insert into ledger_transactions (id, occurred_at, kind, account_ids, amounts) values (uuidv7(), now(), 'test', ${accounts}, ${amounts})`,
      ),
    );

  it.each([
    ['unbalanced', "'{1,2}'", "'{5,-4}'"],
    ['of one leg', "'{1}'", "'{5}'"],
    ['of no legs', "'{}'", "'{}'"],
    ['that moves nothing', "'{1,2}'", "'{0,0}'"],
    ['with a leg of nothing known', "'{1,2}'", "'{5,null}'"],
    ['with more than six legs', "'{1,2,3,4,5,6,7}'", "'{1,-1,0,0,0,0,5}'"],
    ['with a leg before the first', "'{1,2,3}'", "'[0:2]={5,1,-1}'"],
    ['with more amounts than accounts', "'{1,2}'", "'{5,-4,-1}'"],
    ['without amounts', "'{1,2}'", 'null'],
  ])('refuse a transaction %s', async (_, accounts, amounts) => {
    expect(await write(accounts, amounts)).toMatch(/violates/);
  });

  it('refuse writes through the entries view', async () => {
    const before = await money.deposit(await money.fan(), 100);
    for (const sql of [
      `delete from ledger_entries where transaction_id = '${before}'`,
      `update ledger_entries set amount_cents = 1 where transaction_id = '${before}'`,
    ]) {
      expect(await getErrorMessage(money.db.pool.query(sql))).toMatch(/cannot (update|delete from) view/);
    }
  });
  it('refuse a negative balance from any statement', async () => {
    const fan = await money.fan(100);
    const take = money.db.pool.query('update ledger_accounts set balance_cents = -1 where code = $1', [
      account.wallet(fan),
    ]);
    expect(await catchErrorCode(take)).toBe('23514');
  });
  it('leave nothing behind when a connection dies during a transaction', async () => {
    const fan = await money.fan(500);
    const before = await money.db.pool.query('select count(*) from ledger_transactions');
    const client = new pg.Client({ connectionString: money.url });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('begin');
    await client.query("select ledger_post('test', $1, array[300, -300]::bigint[])", [
      [account.wallet(fan), 'rev:deposit_fee'],
    ]);
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await money.db.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await expect(client.query('commit')).rejects.toThrow();
    expect(await getBalance(money.db, account.wallet(fan))).toBe(500);
    expect((await money.db.pool.query('select count(*) from ledger_transactions')).rows).toEqual(before.rows);
  });
});

describe('posting', () => {
  it('moves money between accounts and creates them as needed', async () => {
    const fan = await money.fan(1_000);
    await money.db.transaction((tx) =>
      postTransaction(tx, {
        kind: 'test',
        legs: [
          [account.wallet(fan), 400],
          [account.hold(fan), -400],
          ['rev:payout_fee', 0],
        ],
      }),
    );
    expect(await getBalance(money.db, account.wallet(fan))).toBe(600);
    expect(await getBalance(money.db, account.hold(fan))).toBe(400);
    await money.db.transaction((tx) =>
      postTransaction(tx, {
        kind: 'hold_release',
        legs: [
          [account.hold(fan), 400],
          [account.wallet(fan), -400],
        ],
      }),
    );
  });

  it('refuses unknown accounts and insufficient funds', async () => {
    const fan = await money.fan(10);
    const legs = (code: string) =>
      [
        [account.wallet(fan), 11],
        [code, -11],
      ] as const;
    expect(
      await catchErrorCode(
        money.db.transaction((tx) => postTransaction(tx, { kind: 'test', legs: legs('liab:fan:nobody:wallet') })),
      ),
    ).toBe('NOT_FOUND');
    expect(
      await catchErrorCode(
        money.db.transaction((tx) => postTransaction(tx, { kind: 'test', legs: legs('rev:deposit_fee') })),
      ),
    ).toBe('INSUFFICIENT_FUNDS');
  });

  it('is idempotent per operation id, and returns CONFLICT for another request under the same id', async () => {
    const fan = await money.fan(1_000);
    const idempotency = operation(fan, { a: 1, b: 2 });
    const legs = [
      [account.wallet(fan), 100],
      ['rev:deposit_fee', -100],
    ] as const;
    const first = await money.db.transaction((tx) =>
      postTransaction(tx, { kind: 'test', legs, operation: idempotency }),
    );
    const again = await money.db.transaction((tx) =>
      postTransaction(tx, {
        kind: 'test',
        legs,
        operation: { ...idempotency, requestHash: hashRequest({ b: 2, a: 1 }) },
      }),
    );
    expect(again).toEqual({ transactionId: first.transactionId, isReplayed: true });
    expect(
      await catchErrorCode(
        money.db.transaction((tx) =>
          postTransaction(tx, {
            kind: 'test',
            legs,
            operation: { ...idempotency, requestHash: hashRequest({ a: 2 }) },
          }),
        ),
      ),
    ).toBe('CONFLICT');
    expect(await getBalance(money.db, account.wallet(fan))).toBe(900);
  });

  it('refuses the second of two debits at the same time when the balance covers only one', async () => {
    const fan = await money.fan(100);
    const legs = [
      [account.wallet(fan), 60],
      ['rev:deposit_fee', -60],
    ] as const;
    const later: Promise<unknown>[] = [];
    await money.db.transaction(async (tx) => {
      await postTransaction(tx, { kind: 'test', legs });
      later.push(catchErrorCode(postTransaction(money.db, { kind: 'test', legs })));
      await waitForBlockedQueries(money);
    });
    expect(await Promise.all(later)).toEqual(['INSUFFICIENT_FUNDS']);
    expect(await getBalance(money.db, account.wallet(fan))).toBe(40);
  });

  it('separates equal operation ids of different users', async () => {
    const [one, other] = [await money.fan(100), await money.fan(100)];
    const idempotency = operation(one);
    for (const fan of [one, other]) {
      const legs = [
        [account.wallet(fan), 40],
        ['rev:deposit_fee', -40],
      ] as const;
      await money.db.transaction((tx) =>
        postTransaction(tx, { kind: 'test', legs, operation: { ...idempotency, actorId: fan } }),
      );
      expect(await getBalance(money.db, account.wallet(fan))).toBe(60);
    }
  });

  it('creates an account once under concurrency', async () => {
    const fan = await money.fan();
    const creator = await money.creator();
    const credit = () =>
      postTransaction(money.db, {
        kind: 'test',
        legs: [
          ['exp:affiliate', 1],
          [account.wallet(fan), -1],
        ],
      });
    const earn = () =>
      postTransaction(money.db, {
        kind: 'test',
        legs: [
          ['exp:affiliate', 1],
          [`liab:affiliate:${creator}:pending`, -1],
        ],
      });
    await Promise.all(Array.from({ length: 24 }, (_, index) => (index % 2 ? credit() : earn())));
    expect(await getBalance(money.db, account.wallet(fan))).toBe(12);
    expect(await getBalance(money.db, `liab:affiliate:${creator}:pending`)).toBe(12);
    await postTransaction(money.db, {
      kind: 'test',
      legs: [
        [`liab:affiliate:${creator}:pending`, 12],
        ['exp:affiliate', -12],
      ],
    });
  });

  it('rolls inflows up exactly once while several workers run and money comes in', async () => {
    const code = 'rev:deposit_fee';
    const start = await getBalance(money.db, code);
    let isDone = false;
    const roll = async () => {
      while (!isDone) {
        await sumInflows(money.db, 7);
        expect(await money.isLedgerClean()).toBe(true);
      }
    };
    const rolling = [roll(), roll()];
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        for (let index = 0; index < 20; index += 1)
          await postTransaction(money.db, {
            kind: 'test',
            legs: [
              ['asset:bank:operating', 3],
              [code, -3],
            ],
          });
      }),
    );
    isDone = true;
    await Promise.all(rolling);
    while ((await sumInflows(money.db)) > 0) {}
    expect(await getBalance(money.db, code)).toBe(start + 360);
    expect((await money.db.pool.query('select count(*) from ledger_inflows')).rows).toEqual([{ count: 0 }]);
  });
});
