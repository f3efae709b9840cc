/** Proves that the money in a database adds up: every invariant, in one snapshot, also while the platform runs. */
import type { Database } from '../../kernel/db.ts';
import { CHECKS } from './checks.ts';

export type CheckReport = {
  isClean: boolean;
  checks: { name: string; count: number; wrong: string[] }[];
};

/**
 * Runs every check and answers what was looked at and what is wrong (at most five examples each). Reads everything once:
 * for operators and tests, not for requests.
 */
export async function checkLedger(db: Database): Promise<CheckReport> {
  const client = await db.pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const checks: CheckReport['checks'] = [];
    for (const { name, needs = [], sql } of CHECKS) {
      const { rows: missing } = await client.query('select from unnest($1::text[]) as t where to_regclass(t) is null', [
        needs,
      ]);
      if (missing.length > 0) continue;
      const { rows } = await client.query<{ count: number; wrong: string[] }>(sql);
      checks.push({ name, count: rows[0]?.count ?? 0, wrong: rows[0]?.wrong ?? [] });
    }
    return { isClean: checks.every(({ wrong }) => wrong.length === 0), checks };
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
