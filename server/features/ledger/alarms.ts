/**
 * Alarms are differences of ledger sums or of the transparency log. They stop all payouts until a new check passes and
 * an operator explains the cause ({@link explain}).
 */
import { ALARMED } from '@stagedoor/contract/differences.ts';
import type { Executor } from '../../kernel/db.ts';
import { type DifferenceRow, undoneNights } from './findings.ts';

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

/**
 * Counts unresolved alarms. `standing` failed the last check, `passed` passed it but has no explanation yet, `since` is
 * the oldest start.
 */
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

/** Payouts stop after this many nights without a completed check. */
const UNPROVEN_NIGHTS = 3;

/** Returns whether payouts are allowed: no alarm is unresolved and every required check ran recently. */
export async function mayPayOut(db: Executor): Promise<boolean> {
  const { standing, passed } = await countAlarms(db);
  if (standing + passed > 0) return false;
  const nights = await Promise.all(ALARMED.map((comparison) => undoneNights(db, comparison)));
  return nights.every((count) => count < UNPROVEN_NIGHTS);
}
