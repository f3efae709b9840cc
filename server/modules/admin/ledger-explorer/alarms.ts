import type { Alarm, listAlarms as listRoute, startLedgerCheck } from '@stagedoor/contract/admin/ledger.ts';
import {
  ALARM_COMPARISONS,
  COMPARISONS,
  type Comparison,
  DIFFERENCE_KINDS,
} from '@stagedoor/contract/admin/reconciliation.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { differenceId } from '@stagedoor/contract/shared/ids.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { parseSkip, toOffsetPage } from '../../../platform/database/pagination.ts';
import { defineJob } from '../../../platform/jobs/jobs.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { findUserSummaries } from '../../identity/accounts/index.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import {
  arePayoutsAllowed,
  countOpenByKind,
  type DifferenceRow,
  findLastRun,
  listAlarms,
  listExplanations,
  runLedgerCheckNow,
  saveExplanation,
} from '../../ledger/ledger-checks/index.ts';
import { checkLogNow } from '../../trust/transparency-log/index.ts';
import * as texts from './texts.ts';

const isAlarmed = (comparison: string) => ALARM_COMPARISONS.some((one) => one === comparison);
const readText = (details: unknown, name: string): string => {
  const value: unknown = typeof details === 'object' && details !== null ? Reflect.get(details, name) : undefined;
  return typeof value === 'string' ? value : '';
};

async function presentAlarms(db: Executor, rows: readonly DifferenceRow[]): Promise<Alarm[]> {
  const explanations = await listExplanations(
    db,
    rows.map(({ id }) => id),
  );
  const operatorsById = await findUserSummaries(
    db,
    explanations.flatMap(({ actor_id: actorId }) => actorId ?? []),
  );
  return rows.map((row) => {
    const explanation = explanations.findLast(({ difference_id: explainedId }) => explainedId === row.id);
    const operator = operatorsById.get(explanation?.actor_id ?? '')?.username ?? null;
    return {
      id: z.parse(differenceId, row.id),
      comparison: z.parse(z.enum(COMPARISONS), row.comparison),
      state: row.explained_at ? 'resolved' : row.resolved_at ? 'passed' : 'active',
      check: row.key,
      examples: readText(row.details, 'examples'),
      openedAt: row.opened_at.toISOString(),
      lastSeenAt: row.seen_at.toISOString(),
      passedAt: row.resolved_at?.toISOString() ?? null,
      resolved: row.explained_at && { at: row.explained_at.toISOString(), reason: explanation?.reason ?? '', operator },
    };
  });
}

async function getLastCheck(db: Executor, comparison: Comparison) {
  const run = await findLastRun(db, comparison);
  return { comparison, at: run?.ended_at.toISOString() ?? null, isClean: run ? run.outcome === 'clean' : null };
}

export async function getAlarmPage(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  { limit, offset, view }: QueryOf<typeof listRoute>,
): Promise<ResponseInputOf<typeof listRoute>> {
  const skip = parseSkip(offset);
  const { rows, total } = await listAlarms(db, view === 'over', { limit, skip });
  const [data, open, checks, canPayOut, pending] = await Promise.all([
    presentAlarms(db, rows),
    countOpenByKind(db),
    Promise.all(COMPARISONS.map((comparison) => getLastCheck(db, comparison))),
    arePayoutsAllowed(db),
    jobs.pending([checkJob.name]),
  ]);
  const labels: Readonly<Record<string, string>> = DIFFERENCE_KINDS;
  return {
    ...toOffsetPage(data, { limit, skip, total }),
    arePayoutsHalted: !canPayOut,
    isChecking: pending.has(checkJob.name),
    checks,
    otherDifferences: open
      .filter(({ comparison }) => !isAlarmed(comparison))
      .map(({ kind, count, oldestAt }) => ({ label: labels[kind] ?? kind, count, oldestAt: oldestAt.toISOString() })),
  };
}

const checkJob = defineJob('ledgerExplorer.check', z.object({}));

export function registerCheck(ctx: Context): void {
  ctx.jobs.define(
    checkJob,
    async () => {
      await runLedgerCheckNow(ctx, { isFull: true });
      await checkLogNow(ctx);
    },
    'comparing',
  );
}

export async function startCheck(ctx: Context, { userId }: Actor): Promise<ResponseInputOf<typeof startLedgerCheck>> {
  await ctx.db.transaction(async (tx) => {
    await ctx.jobs.add(tx, checkJob, {}, { key: checkJob.name });
    await logAction(ctx, tx, {
      operatorId: userId,
      action: 'ledger.check',
      subjectKind: 'ledger',
      subjectId: 'everything',
    });
  });
  return { info: texts.checkStarted };
}

/**
 * Throws NOT_FOUND for an id that is not an alarm. Throws CONFLICT while the last check still found it, or when it is
 * already resolved.
 */
export async function resolveAlarm(ctx: Context, { userId }: Actor, id: string, reason: string): Promise<Alarm> {
  const row = await ctx.db.transaction(async (tx) => {
    const explained = await saveExplanation(tx, { id, actorId: userId, reason, at: ctx.clock.now() });
    if (!isAlarmed(explained.comparison)) throw new AppError('NOT_FOUND');
    const details = { reason, comparison: explained.comparison, check: explained.key };
    await logAction(ctx, tx, {
      operatorId: userId,
      action: 'alarm.resolve',
      subjectKind: 'alarm',
      subjectId: id,
      details,
    });
    return explained;
  });
  ctx.log.info({ alarmId: id, actorId: userId, check: row.key }, 'an alarm of the ledger was resolved');
  const [view] = await presentAlarms(ctx.db, [row]);
  if (!view) throw new Error('a row has its view');
  return view;
}
