/**
 * A ledger with a history: tips of a week, sold one by one by the product's own function, so that the ledger is
 * realistic.
 */
import { type Database, runSql } from '../../server/kernel/db.ts';
import { personIdSql } from './people.ts';

const DAYS = 6;
/** Tips per transaction, few enough that PostgreSQL can prune a wallet's row between two of them. */
const BATCH = 2_000;

/**
 * Sells `sales` tips of 1 USD from fans to creators over the `days` until `untilDaysAgo`, without notifications, and
 * adds up the income.
 */
export async function makePastSales(
  db: Database,
  sales: number,
  fans: number,
  creators: number,
  days = DAYS,
  untilDaysAgo = 0,
): Promise<void> {
  const step = `interval '${days} days' / ${sales}`;
  for (let first = 0; first < sales; first += BATCH) {
    const last = Math.min(first + BATCH, sales) - 1;
    await runSql(
      db,
      `set synchronous_commit = off;
       select count(s.transaction_id) from generate_series(${first}, ${last}) as n, lateral sales_charge('tip', ${personIdSql('fan', `n % ${fans}`)},
         ${personIdSql('creator', `(n * 7::bigint) % ${creators}`)}, 100, gen_random_uuid(), sha256(n::text::bytea), null, '', 'profile',
         now() - interval '${untilDaysAgo} days' - ${step} * (${sales} - n)) as s`,
    );
    await runSql(db, 'truncate outbox; select ledger_roll()');
  }
  await runSql(db, 'set synchronous_commit = on');
}
