/**
 * Alarms: differences of the sums and of the log. While one lasts nothing is paid out: until a new check finds it right, and after that
 * a person says why it was wrong ({@link explain}).
 */
import { ALARMED } from '@stagedoor/contract/differences.ts';
import type { Executor } from '../../kernel/db.ts';
import { type DifferenceRow, undoneNights } from './findings.ts';

/** Those that last, or those that are over; the newest first. */
export async function listAlarms(
  db: Executor,
  isOver: boolean,
  page: { limit: number; skip: number },
): Promise<{ rows: DifferenceRow[]; total: number }> {
  const of = db.query
    .selectFrom('ledger_differences')
    .where('comparison', 'in', ALARMED)
    .where('explained_at', isOver ? 'is not' : 'is', null);
  const [rows, counted] = await Promise.all([
    of.selectAll().orderBy('opened_at', 'desc').orderBy('id', 'desc').limit(page.limit).offset(page.skip).execute(),
    of.select((row) => row.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: counted.count };
}

/** How many last: wrong as of the last check, and right again, but nobody has said why; and since when the first of them does. */
export async function countAlarms(db: Executor): Promise<{ standing: number; passed: number; since: Date | null }> {
  const rows = await db.query
    .selectFrom('ledger_differences')
    .select(['opened_at', 'resolved_at'])
    .where('comparison', 'in', ALARMED)
    .where('explained_at', 'is', null)
    .orderBy('opened_at')
    .execute();
  const passed = rows.filter(({ resolved_at: at }) => at !== null).length;
  return { standing: rows.length - passed, passed, since: rows[0]?.opened_at ?? null };
}

/** For how many nights money leaves the house without the proof that the books are right. */
const UNPROVEN_NIGHTS = 3;

/** Whether money may leave the house: nothing is known to be wrong, and that was looked at of late. */
export async function mayPayOut(db: Executor): Promise<boolean> {
  const { standing, passed } = await countAlarms(db);
  if (standing + passed > 0) return false;
  const nights = await Promise.all(ALARMED.map((comparison) => undoneNights(db, comparison)));
  return nights.every((count) => count < UNPROVEN_NIGHTS);
}
