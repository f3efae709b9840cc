/**
 * Stores the results of reconciliation: each run, and each difference from when it is found until it is gone. An
 * operator can explain a difference, and it opens again when it changes. Callers use {@link
 * runExclusiveComparison} and {@link saveRun}.
 */

import {
  ALARM_COMPARISONS,
  type Comparison,
  type DIFFERENCE_STATES,
  type DifferenceKind,
} from '@stagedoor/contract/admin/reconciliation.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { Selectable } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement, Tables } from '../../../platform/database/db.ts';
import type { VerifiedState } from './check.ts';
import * as texts from './texts.ts';

export type FoundDifference = {
  kind: DifferenceKind;
  /** Identifies the difference across runs, together with its kind. */
  key: string;
  occurredAt: Date | null;
  theirsCents: number | null;
  oursCents: number | null;
  details: Readonly<Record<string, string>>;
};

export type ReconciliationRun = {
  comparison: Comparison;
  day: string;
  isFull: boolean;
  startedAt: Date;
  checkedCount: number;
  incompleteReason?: string | undefined;
  /** Differences among items since `since` (null: all items). Undefined when nothing could be compared. */
  result?: { differences: readonly FoundDifference[]; since: Date | null } | undefined;
  verifiedState?: VerifiedState | undefined;
};

type Tools = Pick<Context, 'db' | 'clock' | 'log'>;

const LOCK_COMPARISON: SqlStatement = {
  name: 'findings-lock-comparison',
  text: `select pg_try_advisory_lock(hashtextextended('compare ' || $1, 0)) as "isAcquired"`,
};
const UNLOCK_COMPARISON: SqlStatement = {
  name: 'findings-unlock-comparison',
  text: `select pg_advisory_unlock(hashtextextended('compare ' || $1, 0))`,
};

/** Runs the comparison unless it is already running anywhere in the installation. Returns undefined in that case. */
export async function runExclusiveComparison<T>(
  { db }: Pick<Tools, 'db'>,
  comparison: Comparison,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const client = await db.pool.connect();
  try {
    const { rows } = await client.query<{ isAcquired: boolean }>({ ...LOCK_COMPARISON, values: [comparison] });
    if (rows[0]?.isAcquired !== true) return undefined;
    try {
      return await work();
    } finally {
      await client.query({ ...UNLOCK_COMPARISON, values: [comparison] }).catch(() => undefined);
    }
  } finally {
    client.release();
  }
}

const FIND_RUN_STATE: SqlStatement = {
  name: 'findings-find-run-state',
  text: `select bool_or(outcome <> 'incomplete') as completed from reconciliation_runs where comparison = $1 and day = $2::date`,
};

export async function findRunState(
  db: Executor,
  comparison: Comparison,
  day: string,
): Promise<'completed' | 'incomplete' | undefined> {
  const [row] = await db.run<{ completed: boolean | null }>(FIND_RUN_STATE, [comparison, day]);
  if (row?.completed == null) return undefined;
  return row.completed ? 'completed' : 'incomplete';
}

const INCOMPLETE_SINCE: SqlStatement = {
  name: 'findings-incomplete-since',
  text: `select min(day)::timestamptz as since from reconciliation_runs u where comparison = $1 and outcome = 'incomplete'
    and day > coalesce((select max(day) from reconciliation_runs where comparison = $1 and outcome <> 'incomplete'), '-infinity')`,
};

export async function findIncompleteSince(db: Executor, comparison: Comparison): Promise<Date | null> {
  const [row] = await db.run<{ since: Date | null }>(INCOMPLETE_SINCE, [comparison]);
  return row?.since ?? null;
}

const INCOMPLETE_NIGHTS: SqlStatement = {
  name: 'findings-incomplete-nights',
  text: `select count(distinct day)::int as count from reconciliation_runs where comparison = $1 and outcome = 'incomplete'
    and day > coalesce((select max(day) from reconciliation_runs where comparison = $1 and outcome <> 'incomplete'), '-infinity')`,
};

export async function countIncompleteNights(db: Executor, comparison: Comparison): Promise<number> {
  const [row] = await db.run<{ count: number }>(INCOMPLETE_NIGHTS, [comparison]);
  return row?.count ?? 0;
}

export type ReconciliationRunRow = Selectable<Tables['reconciliation_runs']>;

export async function findLastRun(
  db: Executor,
  comparison: Comparison,
  { isFull = false }: { isFull?: boolean } = {},
): Promise<ReconciliationRunRow | undefined> {
  let query = db.query
    .selectFrom('reconciliation_runs')
    .selectAll()
    .where('comparison', '=', comparison)
    .where('outcome', '<>', 'incomplete');
  if (isFull) query = query.where('is_full', '=', true);
  // Ids give the order of insertion, which a wrong clock cannot change.
  return query.orderBy('id', 'desc').limit(1).executeTakeFirst();
}

const UPSERT_DIFFERENCES: SqlStatement = {
  name: 'findings-upsert-differences',
  text: `insert into reconciliation_differences as d (comparison, kind, key, occurred_at, theirs_cents, ours_cents, details, opened_at, seen_at)
    select $1, f.kind, f.key, f.occurred_at, f.theirs, f.ours, f.details, $2::timestamptz, $2::timestamptz
    from unnest($3::text[], $4::text[], $5::timestamptz[], $6::bigint[], $7::bigint[], $8::jsonb[]) as f (kind, key, occurred_at, theirs, ours, details)
    on conflict (comparison, kind, key) where resolved_at is null do update set seen_at = excluded.seen_at,
      theirs_cents = excluded.theirs_cents, ours_cents = excluded.ours_cents, details = excluded.details,
      explained_at = case when (d.theirs_cents, d.ours_cents, d.details) is not distinct from (excluded.theirs_cents, excluded.ours_cents, excluded.details)
        then d.explained_at end`,
};
const RESOLVE: SqlStatement = {
  name: 'findings-resolve',
  text: `update reconciliation_differences d set resolved_at = $2 where comparison = $1 and resolved_at is null
      and ($3::timestamptz is null or occurred_at is null or occurred_at >= $3)
      and not exists (select from unnest($4::text[], $5::text[]) as f (kind, key) where f.kind = d.kind and f.key = d.key)`,
};
const COUNT_OPEN: SqlStatement = {
  name: 'findings-open',
  text: `select comparison, kind, count(*)::int as count, min(opened_at) as "oldestAt" from reconciliation_differences
    where resolved_at is null and explained_at is null group by 1, 2 order by 1, 2`,
};
const UPSERT_RUN: SqlStatement = {
  name: 'findings-upsert-run',
  text: `insert into reconciliation_runs as r (comparison, day, is_full, started_at, ended_at, outcome, detail, checked_count, watermark, system_identifier)
    values ($1, $2::date, $3, $4, $5, $6, $7, $8, $9, $10)
    on conflict (comparison, day) where outcome = 'incomplete' do update set tries = r.tries + 1, is_full = excluded.is_full,
      started_at = excluded.started_at, ended_at = excluded.ended_at, detail = excluded.detail, checked_count = excluded.checked_count`,
};
const UPDATE_VERIFIED_BALANCES: SqlStatement = {
  name: 'findings-update-verified-balances',
  text: `insert into ledger_verified_balances as p (account_id, cents)
    select e.account_id, sum(case when (e.side = 'D') = (a.kind in ('asset', 'expense')) then e.amount_cents else -e.amount_cents end)
    from ledger_entries e join ledger_accounts a on a.id = e.account_id where e.xid >= $1 and e.xid < $2 group by 1
    on conflict (account_id) do update set cents = excluded.cents + case when $1 = 0 then 0 else p.cents end`,
};

const LOCK_RUNS: SqlStatement = {
  name: 'findings-lock-runs',
  text: `select pg_advisory_xact_lock(hashtextextended('keep ' || $1, 0))`,
};

export type OpenDifferenceCount = { comparison: Comparison; kind: string; count: number; oldestAt: Date };

export function countOpenByKind(db: Executor): Promise<OpenDifferenceCount[]> {
  return db.run<OpenDifferenceCount>(COUNT_OPEN, []);
}

async function saveDifferences(
  tx: Executor,
  run: ReconciliationRun,
  { differences: allDifferences, since }: NonNullable<ReconciliationRun['result']>,
): Promise<void> {
  const differences = [...new Map(allDifferences.map((one) => [`${one.kind} ${one.key}`, one])).values()];
  const kinds = differences.map(({ kind }) => kind);
  const keys = differences.map(({ key }) => key);
  await tx.run(UPSERT_DIFFERENCES, [
    run.comparison,
    run.startedAt,
    kinds,
    keys,
    differences.map(({ occurredAt }) => occurredAt),
    differences.map(({ theirsCents }) => theirsCents),
    differences.map(({ oursCents }) => oursCents),
    differences.map(({ details }) => JSON.stringify(details)),
  ]);
  await tx.run(RESOLVE, [run.comparison, run.startedAt, since, kinds, keys]);
}

/**
 * Stores a run and its findings. Open differences that were not found again are resolved. A clean check of the sums
 * becomes the base of the next incremental one. `continuedFrom` is the state that this run continued from. Logs unexplained
 * differences.
 */
export async function saveRun(
  { db, clock, log }: Tools,
  run: ReconciliationRun,
  continuedFrom?: VerifiedState,
): Promise<void> {
  const { comparison, day, result, incompleteReason, verifiedState } = run;
  const isClean = result?.differences.length === 0 && incompleteReason === undefined;
  const outcome = incompleteReason === undefined ? (isClean ? 'clean' : 'different') : 'incomplete';
  const open = await db.transaction(async (tx) => {
    await tx.run(LOCK_RUNS, [comparison]);
    // Another process finished the same run, for example after the connection with the lock broke. Its result stays.
    if (continuedFrom && (await findLastRun(tx, comparison))?.watermark !== continuedFrom.watermark) return undefined;
    if (result) await saveDifferences(tx, run, result);
    if (verifiedState && isClean)
      await tx.run(UPDATE_VERIFIED_BALANCES, [continuedFrom?.watermark ?? 0, verifiedState.watermark]);
    await tx.run(UPSERT_RUN, [
      comparison,
      day,
      run.isFull,
      run.startedAt,
      clock.now(),
      outcome,
      incompleteReason ?? null,
      run.checkedCount,
      isClean ? (verifiedState?.watermark ?? null) : null,
      isClean ? (verifiedState?.systemIdentifier ?? null) : null,
    ]);
    return (await countOpenByKind(tx)).filter((one) => one.comparison === comparison);
  });
  if (!open) return log.warn({ comparison, day }, 'the same comparison ran twice; only the first result is stored');
  if (open.length > 0)
    log.error(
      { comparison, day, open },
      'reconciliation found unexplained differences: npm run payments -- differences',
    );
  if (incompleteReason !== undefined)
    log.warn({ comparison, day, detail: incompleteReason }, 'reconciliation was incomplete');
  else log.info({ comparison, day, outcome, checkedCount: run.checkedCount }, 'reconciliation finished');
}

const LIST_LAST_COMPARED: SqlStatement = {
  name: 'findings-list-last-comparisons',
  text: `select comparison, max(ended_at) as at from reconciliation_runs where outcome <> 'incomplete' group by 1`,
};

export function listLastComparisons(db: Executor): Promise<{ comparison: string; at: Date }[]> {
  return db.run(LIST_LAST_COMPARED, []);
}

export type DifferenceRow = Selectable<Tables['reconciliation_differences']>;
export type DifferenceState = (typeof DIFFERENCE_STATES)[number];

export function toDifferenceState({
  resolved_at: resolvedAt,
  explained_at: explainedAt,
}: Pick<DifferenceRow, 'resolved_at' | 'explained_at'>): DifferenceState {
  if (resolvedAt) return 'resolved';
  return explainedAt ? 'explained' : 'open';
}

export async function listDifferences(
  db: Executor,
  state: DifferenceState,
  page: { limit: number; skip: number },
): Promise<{ rows: DifferenceRow[]; total: number }> {
  let query = db.query
    .selectFrom('reconciliation_differences')
    .where('resolved_at', state === 'resolved' ? 'is not' : 'is', null);
  if (state !== 'resolved') query = query.where('explained_at', state === 'explained' ? 'is not' : 'is', null);
  const [rows, counted] = await Promise.all([
    query.selectAll().orderBy('opened_at', 'desc').orderBy('id', 'desc').limit(page.limit).offset(page.skip).execute(),
    query.select((row) => row.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: counted.count };
}

export async function countOpenDifferences(db: Executor): Promise<{ count: number; since: Date | null }> {
  return db.query
    .selectFrom('reconciliation_differences')
    .select((row) => [row.fn.countAll<number>().as('count'), row.fn.min<Date | null>('opened_at').as('since')])
    .where('comparison', 'not in', ALARM_COMPARISONS)
    .where('resolved_at', 'is', null)
    .where('explained_at', 'is', null)
    .executeTakeFirstOrThrow();
}

export async function listUnresolvedDifferences(db: Executor, comparison: Comparison): Promise<DifferenceRow[]> {
  return db.query
    .selectFrom('reconciliation_differences')
    .selectAll()
    .where('comparison', '=', comparison)
    .where('resolved_at', 'is', null)
    .execute();
}

export type ExplanationRow = Selectable<Tables['reconciliation_explanations']>;

export async function listExplanations(db: Executor, ids: readonly string[]): Promise<ExplanationRow[]> {
  if (ids.length === 0) return [];
  return db.query
    .selectFrom('reconciliation_explanations')
    .selectAll()
    .where('difference_id', 'in', ids)
    .orderBy('id')
    .execute();
}

/**
 * Stores the explanation of a difference. For an alarm this is possible only after a new check passed, and it resolves
 * the alarm. Throws NOT_FOUND. Throws CONFLICT when the difference is gone (an alarm: still present) or already
 * explained.
 */
export async function saveExplanation(
  tx: DbTransaction,
  { id, actorId, reason, at }: { id: string; actorId: string | null; reason: string; at: Date },
): Promise<DifferenceRow> {
  const known = await tx.query
    .selectFrom('reconciliation_differences')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!known) throw new AppError('NOT_FOUND');
  const isAlarm = ALARM_COMPARISONS.some((comparison) => comparison === known.comparison);
  if (isAlarm && !known.resolved_at)
    throw new AppError('CONFLICT', {
      message: texts.lastCheckStillFailed,
    });
  if (!isAlarm && known.resolved_at) throw new AppError('CONFLICT', { message: texts.differenceNoLongerExists });
  if (known.explained_at) throw new AppError('CONFLICT', { message: texts.alreadyExplained });
  await tx.query
    .insertInto('reconciliation_explanations')
    .values({ difference_id: id, actor_id: actorId, reason, explained_at: at })
    .execute();
  return tx.query
    .updateTable('reconciliation_differences')
    .set({ explained_at: at })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export type ReconciliationRunView = {
  comparison: string;
  day: string;
  isFull: boolean;
  tries: number;
  startedAt: Date;
  endedAt: Date;
  outcome: 'clean' | 'different' | 'incomplete';
  detail: string | null;
  checkedCount: number;
};

const RUNS: SqlStatement = {
  name: 'findings-runs',
  text: `select comparison, day::text as day, is_full as "isFull", tries, started_at as "startedAt", ended_at as "endedAt", outcome, detail, checked_count as "checkedCount",
      count(*) over ()::int as total from reconciliation_runs order by started_at desc, id desc limit $1 offset $2`,
};

export async function listRuns(
  db: Executor,
  { limit, skip }: { limit: number; skip: number },
): Promise<{ rows: ReconciliationRunView[]; total: number }> {
  const rows = await db.run<ReconciliationRunView & { total: number }>(RUNS, [limit, skip]);
  return { rows, total: rows[0]?.total ?? 0 };
}
