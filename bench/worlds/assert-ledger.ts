/** Proves that what was measured was true: nothing was lost or made. */
import { withDatabase } from '../harness/database.ts';

/** Throws unless debits equal credits, no wallet is below zero and every sale's transaction has its sale. */
export async function assertLedger(url: string): Promise<void> {
  await withDatabase(url, async ({ pool }) => {
    const { rows } = await pool.query(
      `select (select sum(case side when 'D' then amount_cents else -amount_cents end) from ledger_entries) as difference,
         (select count(*) from ledger_accounts where spendable and balance_cents < 0) as negative,
         (select count(*) from ledger_transactions t where t.kind in ('tip', 'post')
            and not exists (select from sales s where s.id = t.id)) as unsold`,
    );
    const [{ difference, negative, unsold }] = rows;
    if (Number(difference) !== 0 || negative !== 0 || unsold !== 0)
      throw new Error(`the ledger is wrong: ${JSON.stringify(rows)}`);
  });
}
