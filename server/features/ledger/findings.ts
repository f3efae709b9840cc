/**
 * Stores the results of reconciliation: each run, and each difference from when it is found until it is gone. An
 * operator can explain a difference, and it opens again when it changes. Callers use {@link compareAlone} and {@link
 * keepRun}.
 */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import {
  ALARMED,
  type Comparison,
  type DIFFERENCE_STATES,
  type DifferenceKind,
} from '@stagedoor/contract/differences.ts';
import type { Selectable } from 'kysely';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement, Tables, Transaction } from '../../kernel/db.ts';
import type { Proven } from './check.ts';

export type Found = {
  kind: DifferenceKind;
  /** Identifies the difference across runs, together with its kind. */
  key: string;
  aboutAt: Date | null;
  theirsCents: number | null;
  oursCents: number | null;
  facts: Readonly<Record<string, string>>;
};

export type Run = {
  comparison: Comparison;
  day: string;
  isFull: boolean;
  startedAt: Date;
  lookedAt: number;
  undone?: string | undefined;
  /** Differences among items since `since` (null: all items). Undefined when nothing could be compared. */
  found?: { differences: readonly Found[]; since: Date | null } | undefined;
  proven?: Proven | undefined;
};

type Tools = Pick<Context, 'db' | 'clock' | 'log'>;

const TAKE: Statement = {
  name: 'findings-take',
  text: `select pg_try_advisory_lock(hashtextextended('compare ' || $1, 0)) as taken`,
};
const GIVE: Statement = {
  name: 'findings-give',
  text: `select pg_advisory_unlock(hashtextextended('compare ' || $1, 0))`,
};

/** Runs the comparison unless it is already running anywhere in the installation. Returns undefined in that case. */
export async function compareAlone<T>(
  { db }: Pick<Tools, 'db'>,
  comparison: Comparison,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const client = await db.pool.connect();
  try {
    const { rows } = await client.query<{ taken: boolean }>({ ...TAKE, values: [comparison] });
    if (rows[0]?.taken !== true) return undefined;
    try {
      return await work();
    } finally {
      await client.query({ ...GIVE, values: [comparison] }).catch(() => undefined);
    }
  } finally {
    client.release();
  }
}

const TRIED: Statement = {
  name: 'findings-tried',
  text: `select bool_or(outcome <> 'undone') as made from ledger_runs where comparison = $1 and day = $2::date`,
};

export async function stateOfRun(
  db: Executor,
  comparison: Comparison,
  day: string,
): Promise<'made' | 'undone' | undefined> {
  const [row] = await db.run<{ made: boolean | null }>(TRIED, [comparison, day]);
  if (row?.made == null) return undefined;
  return row.made ? 'made' : 'undone';
}

const UNDONE_SINCE: Statement = {
  name: 'findings-undone-since',
  text: `select min(day)::timestamptz as since from ledger_runs u where comparison = $1 and outcome = 'undone'
    and day > coalesce((select max(day) from ledger_runs where comparison = $1 and outcome <> 'undone'), '-infinity')`,
};

export async function undoneSince(db: Executor, comparison: Comparison): Promise<Date | null> {
  const [row] = await db.run<{ since: Date | null }>(UNDONE_SINCE, [comparison]);
  return row?.since ?? null;
}

const UNDONE_NIGHTS: Statement = {
  name: 'findings-undone-nights',
  text: `select count(distinct day)::int as count from ledger_runs where comparison = $1 and outcome = 'undone'
    and day > coalesce((select max(day) from ledger_runs where comparison = $1 and outcome <> 'undone'), '-infinity')`,
};

export async function undoneNights(db: Executor, comparison: Comparison): Promise<number> {
  const [row] = await db.run<{ count: number }>(UNDONE_NIGHTS, [comparison]);
  return row?.count ?? 0;
}

export type RunRow = Selectable<Tables['ledger_runs']>;

export async function lastRun(
  db: Executor,
  comparison: Comparison,
  { isFull = false }: { isFull?: boolean } = {},
): Promise<RunRow | undefined> {
  let query = db.query
    .selectFrom('ledger_runs')
    .selectAll()
    .where('comparison', '=', comparison)
    .where('outcome', '<>', 'undone');
  if (isFull) query = query.where('is_full', '=', true);
  // Ids give the order of insertion, which a wrong clock cannot change.
  return query.orderBy('id', 'desc').limit(1).executeTakeFirst();
}

const FOUND: Statement = {
  name: 'findings-found',
  text: `insert into ledger_differences as d (comparison, kind, key, about_at, theirs_cents, ours_cents, facts, opened_at, seen_at)
    select $1, f.kind, f.key, f.about_at, f.theirs, f.ours, f.facts, $2::timestamptz, $2::timestamptz
    from unnest($3::text[], $4::text[], $5::timestamptz[], $6::bigint[], $7::bigint[], $8::jsonb[]) as f (kind, key, about_at, theirs, ours, facts)
    on conflict (comparison, kind, key) where resolved_at is null do update set seen_at = excluded.seen_at,
      theirs_cents = excluded.theirs_cents, ours_cents = excluded.ours_cents, facts = excluded.facts,
      explained_at = case when (d.theirs_cents, d.ours_cents, d.facts) is not distinct from (excluded.theirs_cents, excluded.ours_cents, excluded.facts)
        then d.explained_at end`,
};
const RESOLVE: Statement = {
  name: 'findings-resolve',
  text: `update ledger_differences d set resolved_at = $2 where comparison = $1 and resolved_at is null
      and ($3::timestamptz is null or about_at is null or about_at >= $3)
      and not exists (select from unnest($4::text[], $5::text[]) as f (kind, key) where f.kind = d.kind and f.key = d.key)`,
};
const OPEN: Statement = {
  name: 'findings-open',
  text: `select comparison, kind, count(*)::int as count, min(opened_at) as "oldestAt" from ledger_differences
    where resolved_at is null and explained_at is null group by 1, 2 order by 1, 2`,
};
const KEEP: Statement = {
  name: 'findings-keep-run',
  text: `insert into ledger_runs as r (comparison, day, is_full, started_at, ended_at, outcome, detail, looked_at, watermark, system_identifier)
    values ($1, $2::date, $3, $4, $5, $6, $7, $8, $9, $10)
    on conflict (comparison, day) where outcome = 'undone' do update set tries = r.tries + 1, is_full = excluded.is_full,
      started_at = excluded.started_at, ended_at = excluded.ended_at, detail = excluded.detail, looked_at = excluded.looked_at`,
};
const PROVE: Statement = {
  name: 'findings-prove',
  text: `insert into ledger_proven as p (account_id, cents)
    select e.account_id, sum(case when (e.side = 'D') = (a.kind in ('asset', 'expense')) then e.amount_cents else -e.amount_cents end)
    from ledger_entries e join ledger_accounts a on a.id = e.account_id where e.xid >= $1 and e.xid < $2 group by 1
    on conflict (account_id) do update set cents = excluded.cents + case when $1 = 0 then 0 else p.cents end`,
};

const KEEPING: Statement = {
  name: 'findings-keeping',
  text: `select pg_advisory_xact_lock(hashtextextended('keep ' || $1, 0))`,
};

export type OpenKind = { comparison: Comparison; kind: string; count: number; oldestAt: Date };

export function countOpen(db: Executor): Promise<OpenKind[]> {
  return db.run<OpenKind>(OPEN, []);
}

async function keepFound(
  tx: Executor,
  run: Run,
  { differences: found, since }: NonNullable<Run['found']>,
): Promise<void> {
  const differences = [...new Map(found.map((one) => [`${one.kind} ${one.key}`, one])).values()];
  const kinds = differences.map(({ kind }) => kind);
  const keys = differences.map(({ key }) => key);
  await tx.run(FOUND, [
    run.comparison,
    run.startedAt,
    kinds,
    keys,
    differences.map(({ aboutAt }) => aboutAt),
    differences.map(({ theirsCents }) => theirsCents),
    differences.map(({ oursCents }) => oursCents),
    differences.map(({ facts }) => JSON.stringify(facts)),
  ]);
  await tx.run(RESOLVE, [run.comparison, run.startedAt, since, kinds, keys]);
}

/**
 * Stores a run and its findings. Open differences that were not found again are resolved. A clean check of the sums
 * becomes the base of the next incremental one. `continued` is the state that this run continued from. Logs unexplained
 * differences.
 */
export async function keepRun({ db, clock, log }: Tools, run: Run, continued?: Proven): Promise<void> {
  const { comparison, day, found, undone, proven } = run;
  const isClean = found?.differences.length === 0 && undone === undefined;
  const outcome = undone === undefined ? (isClean ? 'clean' : 'different') : 'undone';
  const open = await db.transaction(async (tx) => {
    await tx.run(KEEPING, [comparison]);
    // Another process finished the same run, for example after the connection with the lock broke. Its result stays.
    if (continued && (await lastRun(tx, comparison))?.watermark !== continued.watermark) return undefined;
    if (found) await keepFound(tx, run, found);
    if (proven && isClean) await tx.run(PROVE, [continued?.watermark ?? 0, proven.watermark]);
    await tx.run(KEEP, [
      comparison,
      day,
      run.isFull,
      run.startedAt,
      clock.now(),
      outcome,
      undone ?? null,
      run.lookedAt,
      isClean ? (proven?.watermark ?? null) : null,
      isClean ? (proven?.systemIdentifier ?? null) : null,
    ]);
    return (await countOpen(tx)).filter((one) => one.comparison === comparison);
  });
  if (!open) return log.warn({ comparison, day }, 'the same comparison ran twice; only the first result is stored');
  if (open.length > 0)
    log.error(
      { comparison, day, open },
      'reconciliation found unexplained differences: npm run payments -- differences',
    );
  if (undone !== undefined) log.warn({ comparison, day, detail: undone }, 'reconciliation was incomplete');
  else log.info({ comparison, day, outcome, lookedAt: run.lookedAt }, 'reconciliation finished');
}

const COMPARED: Statement = {
  name: 'findings-compared',
  text: `select comparison, max(ended_at) as at from ledger_runs where outcome <> 'undone' group by 1`,
};

export function lastComparisons(db: Executor): Promise<{ comparison: string; at: Date }[]> {
  return db.run(COMPARED, []);
}

export type DifferenceRow = Selectable<Tables['ledger_differences']>;
export type DifferenceState = (typeof DIFFERENCE_STATES)[number];

export function differenceStateOf({
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
  let of = db.query.selectFrom('ledger_differences').where('resolved_at', state === 'resolved' ? 'is not' : 'is', null);
  if (state !== 'resolved') of = of.where('explained_at', state === 'explained' ? 'is not' : 'is', null);
  const [rows, counted] = await Promise.all([
    of.selectAll().orderBy('opened_at', 'desc').orderBy('id', 'desc').limit(page.limit).offset(page.skip).execute(),
    of.select((row) => row.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: counted.count };
}

export async function countOpenDifferences(db: Executor): Promise<{ count: number; since: Date | null }> {
  return db.query
    .selectFrom('ledger_differences')
    .select((row) => [row.fn.countAll<number>().as('count'), row.fn.min<Date | null>('opened_at').as('since')])
    .where('comparison', 'not in', ALARMED)
    .where('resolved_at', 'is', null)
    .where('explained_at', 'is', null)
    .executeTakeFirstOrThrow();
}

export async function standingDifferences(db: Executor, comparison: Comparison): Promise<DifferenceRow[]> {
  return db.query
    .selectFrom('ledger_differences')
    .selectAll()
    .where('comparison', '=', comparison)
    .where('resolved_at', 'is', null)
    .execute();
}

export type ExplanationRow = Selectable<Tables['ledger_explanations']>;

export async function explanationsOf(db: Executor, ids: readonly string[]): Promise<ExplanationRow[]> {
  if (ids.length === 0) return [];
  return db.query
    .selectFrom('ledger_explanations')
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
export async function explain(
  tx: Transaction,
  { id, actorId, ground, at }: { id: string; actorId: string | null; ground: string; at: Date },
): Promise<DifferenceRow> {
  const known = await tx.query
    .selectFrom('ledger_differences')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!known) throw new AppError('NOT_FOUND');
  const isAlarm = ALARMED.some((comparison) => comparison === known.comparison);
  if (isAlarm && !known.resolved_at)
    throw new AppError('CONFLICT', {
      message: 'The last check still failed. You can explain this once a new check passes.',
    });
  if (!isAlarm && known.resolved_at) throw new AppError('CONFLICT', { message: 'This difference no longer exists.' });
  if (known.explained_at) throw new AppError('CONFLICT', { message: 'This was already explained.' });
  await tx.query
    .insertInto('ledger_explanations')
    .values({ difference_id: id, actor_id: actorId, ground, explained_at: at })
    .execute();
  return tx.query
    .updateTable('ledger_differences')
    .set({ explained_at: at })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export type RunView = {
  comparison: string;
  day: string;
  isFull: boolean;
  tries: number;
  startedAt: Date;
  endedAt: Date;
  outcome: 'clean' | 'different' | 'undone';
  detail: string | null;
  lookedAt: number;
};

const RUNS: Statement = {
  name: 'findings-runs',
  text: `select comparison, day::text as day, is_full as "isFull", tries, started_at as "startedAt", ended_at as "endedAt", outcome, detail, looked_at as "lookedAt",
      count(*) over ()::int as total from ledger_runs order by started_at desc, id desc limit $1 offset $2`,
};

export async function listRuns(
  db: Executor,
  { limit, skip }: { limit: number; skip: number },
): Promise<{ rows: RunView[]; total: number }> {
  const rows = await db.run<RunView & { total: number }>(RUNS, [limit, skip]);
  return { rows, total: rows[0]?.total ?? 0 };
}
