/**
 * Proves that the money in a database adds up: every invariant, in one snapshot, also while the platform runs. What was proven is not
 * summed again when the proof is continued.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Database } from '../../kernel/db.ts';
import { checksOf } from './checks.ts';

export type CheckReport = {
  isClean: boolean;
  checks: {
    name: string;
    count: number;
    /** At most five examples. */
    wrong: string[];
    /** Another one whenever something else is wrong, also beyond the examples. */
    fingerprint?: string;
  }[];
};

/** Rows that transactions before `watermark` wrote, as this cluster of databases numbers them. */
export type Proven = { watermark: number; systemIdentifier: string };

export type SumsReport = CheckReport & {
  /** What is proven when it is clean. */
  proven: Proven;
  /** Whether everything was looked at, and not only what came since. */
  isFull: boolean;
};

export type CheckOptions = {
  /** Continues this proof, unless it is of another cluster. */
  since?: Proven | undefined;
  /** Leaves the machine to others: uses one processor, and rests after each statement for twice as long as it took. */
  isGentle?: boolean;
};

/** No rest is longer. */
const LONGEST_REST_MS = 10_000;

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

async function takeProven(client: PoolClient): Promise<Proven> {
  const { rows } = await client.query<Proven>(
    `select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as watermark, (select system_identifier::text from pg_control_system()) as "systemIdentifier"`,
  );
  const [proven] = rows;
  if (!proven) throw new Error('no snapshot');
  return proven;
}

/** The values of checks since a proof. */
async function boundsOf(client: PoolClient, { watermark }: Proven): Promise<readonly unknown[]> {
  const { rows } = await client.query<{ least: string | null; greatest: string | null }>(
    'select min(id::text) as least, max(id::text) as greatest from ledger_transactions where xid >= $1',
    [watermark],
  );
  return [watermark, rows[0]?.least ?? LAST_ID, rows[0]?.greatest ?? LAST_ID];
}

/**
 * Runs every check and answers what was looked at and what is wrong (at most five examples each). For operators, tests and the
 * night, not for requests: without `since` it reads everything once.
 */
export async function checkLedger(db: Database, { since, isGentle = false }: CheckOptions = {}): Promise<SumsReport> {
  const client = await db.pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    // A proof is of other sums each time: what is best depends on how much there is.
    await client.query('set local plan_cache_mode = force_custom_plan');
    if (isGentle) await client.query('set local max_parallel_workers_per_gather = 0');
    const proven = await takeProven(client);
    const isSince = since?.systemIdentifier === proven.systemIdentifier;
    const values = since && isSince ? await boundsOf(client, since) : [];
    const checks: CheckReport['checks'] = [];
    for (const { name, needs = [], sql } of checksOf(isSince)) {
      const { rows: missing } = await client.query('select from unnest($1::text[]) as t where to_regclass(t) is null', [
        needs,
      ]);
      if (missing.length > 0) continue;
      const begun = performance.now();
      const { rows } = await client.query<{ count: number; wrong: string[]; all_wrong?: string | null }>(sql, [
        ...values,
      ]);
      const { count = 0, wrong = [], all_wrong: all } = rows[0] ?? {};
      checks.push({ name, count, wrong, fingerprint: all ?? wrong.join(' ') });
      if (isGentle) await sleep(Math.min(2 * (performance.now() - begun), LONGEST_REST_MS));
    }
    return { isClean: checks.every(({ wrong }) => wrong.length === 0), checks, proven, isFull: !isSince };
  } finally {
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}

/** The report in words, a line for each check. */
export function wordsOf(report: CheckReport): string {
  return report.checks
    .map(
      ({ name, count, wrong }) =>
        `${wrong.length === 0 ? 'ok   ' : 'WRONG'} ${name} (${count})${wrong.map((what) => `\n        ${what}`).join('')}`,
    )
    .join('\n');
}
