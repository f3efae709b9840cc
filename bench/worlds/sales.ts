/** A ledger with a past: tips of a week, sold by the product's own function one by one, so that the books are what they would be. */
import { type Database, runSql } from '../../server/kernel/db.ts';
import { personIdSql } from './people.ts';

/** Nothing has cleared yet, so that all of it is still pending. */
const DAYS = 6;
/** Tips in one transaction: few enough that PostgreSQL can tidy a wallet's row between two of them. */
const BATCH = 2_000;

/** Sells `sales` tips of 1 USD from fans and to creators in turn over the `days` until `untilDaysAgo`, tells nobody, and sums up what came in. */
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
