import { describe, expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';
import { account, sumInflows } from '../ledger/index.ts';
import { checkLedger } from './check.ts';
import { listChecks } from './invariants.ts';

const money = setUpMoneyTest();
const TOTALS_CHECK = 'monthly and overall totals equal the daily totals';
const ORDER_CHECK =
  'the lines of each statement are in chronological order, except for late ones within the limit of the account';

/** Posts and rolls back. Returns the id of the transaction if the check of kinds finds it. */
async function listWrongAfterPosting(kind: string, debit: string, credit: string): Promise<string[]> {
  let wrong: string[] = [];
  const rolledBack = money.db.transaction(async (tx) => {
    const [made] = await tx.run<{ id: string }>(
      {
        name: 'test-write',
        text: `select ledger_write(uuidv7(), $1, array[ledger_account($2), ledger_account($3)], array[7, -7], now(),
          p_inflow_account => ledger_account($2), p_inflow_cents => 7, p_day => current_date, p_items => 0, p_tag => 'x') as id`,
      },
      [kind, debit, credit],
    );
    const check = listChecks(false).find(({ name }) => name.startsWith('each transaction has a known kind'));
    const [seen] = await tx.run<{ wrong: string[] }>({ name: 'test-check', text: check?.sql ?? '' }, []);
    wrong = (seen?.wrong ?? []).filter((id) => id === made?.id);
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  return wrong;
}

/** Runs the statement, then the check whose name begins with `name`, and rolls back. */
async function countWrongAfter(name: string, sql: string, values: unknown[]): Promise<number> {
  const client = await money.db.pool.connect();
  try {
    await client.query('begin');
    await client.query(sql, values);
    const check = listChecks(false).find((one) => one.name.startsWith(name));
    return (await client.query<{ wrong: string[] }>(check?.sql ?? '')).rows[0]?.wrong.length ?? -1;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

describe('the ledger check', () => {
  it('finds a manipulated balance', async () => {
    const fan = await money.fan(500);
    await money.db.pool.query('update ledger_accounts set balance_cents = balance_cents + 1 where code = $1', [
      account.wallet(fan),
    ]);
    const report = await checkLedger(money.db);
    expect(report.isClean).toBe(false);
    expect(report.checks.flatMap(({ wrong }) => wrong)).toContain(account.wallet(fan));
    await money.db.pool.query('update ledger_accounts set balance_cents = balance_cents - 1 where code = $1', [
      account.wallet(fan),
    ]);
  });

  it('finds a wrong, invented or missing monthly or overall total', async () => {
    const [fan, pending] = [await money.fan(), account.pending(await money.creator())];
    await money.deposit(fan, 5_000, 100, new Date('2028-02-29T12:00:00Z'));
    await money.deposit(fan, 5_000, 100, new Date('2028-03-01T00:00:00Z'));
    await sumInflows(money.db);
    const findWrong = async () =>
      (await checkLedger(money.db)).checks.find(({ name }) => name === TOTALS_CHECK)?.wrong.length;
    const owned = `account_id = (select id from ledger_accounts where code = 'rev:deposit_fee')`;
    const forge = (text: string) => money.owner.pool.query(text);
    await forge('create table backup as table ledger_period_totals');
    for (const forged of [
      `update ledger_period_totals set amount_cents = amount_cents + 1 where ${owned} and first = '2028-02-01'`,
      `update ledger_period_totals set items = items + 1 where ${owned} and span = 'all'`,
      `update ledger_period_totals set platform_cents = 1 where ${owned} and first = '2028-03-01'`,
      `update ledger_period_totals set first = '2028-04-01' where ${owned} and first = '2028-03-01'`,
      `delete from ledger_period_totals where ${owned} and span = 'all'`,
      `insert into ledger_period_totals values (ledger_account('${pending}'), 'month', '2028-02-01', 'tip', 5, 1, 1)`,
    ]) {
      await forge(forged);
      expect([forged, await findWrong()]).not.toEqual([forged, 0]);
      await forge('truncate ledger_period_totals');
      await forge('insert into ledger_period_totals table backup');
    }
    expect(await findWrong()).toBe(0);
  });

  it('finds an account with a wrong time of its last line or a wrong delay', async () => {
    const [fan, noon] = [await money.fan(), Date.parse('2028-02-29T12:00:00Z')];
    for (const hours of [5, 2, 7]) await money.deposit(fan, 10, 0, new Date(noon + hours * 3_600_000));
    const findWrong = async () => (await checkLedger(money.db)).checks.find(({ name }) => name === ORDER_CHECK)?.wrong;
    expect(await findWrong()).toEqual([]);
    for (const forged of ['max_late_ms = max_late_ms - 1', `last_line_at = last_line_at - interval '1 ms'`]) {
      const [column = ''] = forged.split(' ');
      const condition = `where code = '${account.wallet(fan)}'`;
      const { rows } = await money.db.pool.query(
        `select ${column}::text as original from ledger_accounts ${condition}`,
      );
      await money.owner.pool.query(`update ledger_accounts set ${forged} ${condition}`);
      expect(await findWrong()).toEqual([account.wallet(fan)]);
      await money.owner.pool.query(`update ledger_accounts set ${column} = '${rows[0]?.original}' ${condition}`);
    }
    expect(await findWrong()).toEqual([]);
  });

  it('finds an unknown kind and legs that the kind does not permit', async () => {
    const [bank, clearing] = ['asset:bank:operating', 'asset:processor:ccbill:clearing'];
    expect(await listWrongAfterPosting('settlement', bank, clearing)).toHaveLength(0);
    expect(await listWrongAfterPosting('settlement', clearing, bank)).toHaveLength(1);
    expect(await listWrongAfterPosting('mystery', bank, clearing)).toHaveLength(1);
    expect((await checkLedger(money.db)).isClean).toBe(true);
  });

  it('finds a loss without a debtor, a debt next to a full wallet and a block that outlived its debt', async () => {
    const fan = await money.fan();
    const deposit = await money.deposit(fan, 1_000);
    const lossSql = "select ledger_post('deposit_chargeback', $1, '{1000,-1000}', p_reverses => $2)";
    const legs = ['exp:chargeback_loss', account.clearing('ccbill')];
    expect(await countWrongAfter('what a wallet could not cover', lossSql, [legs, deposit])).toBe(1);
    const unbalancedSql = "select ledger_post('test', $1, '{7,-7}')";
    expect(await countWrongAfter('users with a debt', unbalancedSql, [[account.owed(fan), 'rev:payout_fee']])).toBe(1);
    const blockSql = 'update ledger_accounts set is_frozen = true, is_frozen_for_debt = true where code = $1';
    expect(await countWrongAfter('users with a debt', blockSql, [account.wallet(fan)])).toBe(1);
    const noChangeSql = 'select $1::text';
    for (const name of ['what a wallet could not cover', 'users with a debt', 'reversals of each deposit'])
      expect(await countWrongAfter(name, noChangeSql, [''])).toBe(0);
  });
});
