/**
 * Verifies every ledger invariant in one snapshot, also while the platform runs. An incremental check covers only what
 * is newer than the last verified state.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Database } from '../../../platform/database/db.ts';
import { listChecks } from './invariants.ts';

export type CheckReport = {
  isClean: boolean;
  checks: {
    name: string;
    count: number;
    wrong: string[];
    /** Changes whenever the set of failures changes, also beyond the examples. */
    fingerprint?: string;
  }[];
};

/**
 * The verified state covers rows of transactions before `watermark`. Transaction ids are valid only in the same
 * database cluster.
 */
export type VerifiedState = { watermark: number; systemIdentifier: string };

export type SumsReport = CheckReport & {
  verifiedState: VerifiedState;
  isFull: boolean;
};

export type CheckOptions = {
  /** Continues from this state, unless it belongs to another database cluster. */
  since?: VerifiedState | undefined;
  /** Uses one processor and pauses after each statement for twice its duration, to leave capacity to other work. */
  isGentle?: boolean;
};

const MAX_PAUSE_MS = 10_000;

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

async function readSnapshotState(client: PoolClient): Promise<VerifiedState> {
  const { rows } = await client.query<VerifiedState>(
    `select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as watermark, (select system_identifier::text from pg_control_system()) as "systemIdentifier"`,
  );
  const [verifiedState] = rows;
  if (!verifiedState) throw new Error('no snapshot');
  return verifiedState;
}

async function getIdBounds(client: PoolClient, { watermark }: VerifiedState): Promise<readonly unknown[]> {
  const { rows } = await client.query<{ least: string | null; greatest: string | null }>(
    'select min(id::text) as least, max(id::text) as greatest from ledger_transactions where xid >= $1',
    [watermark],
  );
  return [watermark, rows[0]?.least ?? LAST_ID, rows[0]?.greatest ?? LAST_ID];
}

/**
 * Runs every check and reports what was checked and what is wrong. Reads the whole ledger once without `since`, so it
 * is meant for operators, tests and the nightly job, not for requests.
 */
export async function checkLedger(db: Database, { since, isGentle = false }: CheckOptions = {}): Promise<SumsReport> {
  const client = await db.pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    // A generic plan would be wrong here, because the best plan depends on the number of new rows.
    await client.query('set local plan_cache_mode = force_custom_plan');
    if (isGentle) await client.query('set local max_parallel_workers_per_gather = 0');
    const verifiedState = await readSnapshotState(client);
    const isIncremental = since?.systemIdentifier === verifiedState.systemIdentifier;
    const values = since && isIncremental ? await getIdBounds(client, since) : [];
    const checks: CheckReport['checks'] = [];
    for (const { name, needs = [], sql } of listChecks(isIncremental)) {
      const { rows: missing } = await client.query('select from unnest($1::text[]) as t where to_regclass(t) is null', [
        needs,
      ]);
      if (missing.length > 0) continue;
      const startedAt = performance.now();
      const { rows } = await client.query<{ count: number; wrong: string[]; all_wrong?: string | null }>(sql, [
        ...values,
      ]);
      const { count = 0, wrong = [], all_wrong: all } = rows[0] ?? {};
      checks.push({ name, count, wrong, fingerprint: all ?? wrong.join(' ') });
      if (isGentle) await sleep(Math.min(2 * (performance.now() - startedAt), MAX_PAUSE_MS));
    }
    return { isClean: checks.every(({ wrong }) => wrong.length === 0), checks, verifiedState, isFull: !isIncremental };
  } finally {
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}

export function formatCheckReport(report: CheckReport): string {
  return report.checks
    .map(
      ({ name, count, wrong }) =>
        `${wrong.length === 0 ? 'ok   ' : 'WRONG'} ${name} (${count})${wrong.map((example) => `\n        ${example}`).join('')}`,
    )
    .join('\n');
}
