/**
 * Alarms are differences of ledger sums or of the transparency log. They stop all payouts until a new check passes and
 * an operator explains the cause (`saveExplanation`).
 */
import { ALARM_COMPARISONS } from '@stagedoor/contract/admin/reconciliation.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { countIncompleteNights, type DifferenceRow } from './reconciliation-findings.ts';

export async function listAlarms(
  db: Executor,
  isExplained: boolean,
  page: { limit: number; skip: number },
): Promise<{ rows: DifferenceRow[]; total: number }> {
  const query = db.query
    .selectFrom('reconciliation_differences')
    .where('comparison', 'in', ALARM_COMPARISONS)
    .where('explained_at', isExplained ? 'is not' : 'is', null);
  const [rows, counted] = await Promise.all([
    query.selectAll().orderBy('opened_at', 'desc').orderBy('id', 'desc').limit(page.limit).offset(page.skip).execute(),
    query.select((row) => row.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: counted.count };
}

/**
 * Counts unresolved alarms. `active` failed the last check, `passed` passed it but has no explanation yet, `since` is
 * the oldest start.
 */
export async function countAlarms(db: Executor): Promise<{ active: number; passed: number; since: Date | null }> {
  const rows = await db.query
    .selectFrom('reconciliation_differences')
    .select(['opened_at', 'resolved_at'])
    .where('comparison', 'in', ALARM_COMPARISONS)
    .where('explained_at', 'is', null)
    .orderBy('opened_at')
    .execute();
  const passed = rows.filter(({ resolved_at: at }) => at !== null).length;
  return { active: rows.length - passed, passed, since: rows[0]?.opened_at ?? null };
}

/** Payouts stop after this many nights without a completed check. */
const MAX_UNCHECKED_NIGHTS = 3;

/** Returns whether payouts are allowed: no alarm is unresolved and every required check ran recently. */
export async function arePayoutsAllowed(db: Executor): Promise<boolean> {
  const { active, passed } = await countAlarms(db);
  if (active + passed > 0) return false;
  const nights = await Promise.all(ALARM_COMPARISONS.map((comparison) => countIncompleteNights(db, comparison)));
  return nights.every((count) => count < MAX_UNCHECKED_NIGHTS);
}
