import type { Executor, Statement, Transaction } from './db.ts';

export const MOST_COUNTED = 20_000;
const FAILURES_SHOWN = 50;

const COUNTS: Statement = {
  name: 'jobs-state-counts',
  text: `select task_identifier as task,
      count(*) filter (where locked_at is null and attempts < max_attempts and run_at <= now())::int as due,
      count(*) filter (where locked_at is null and attempts < max_attempts and run_at > now())::int as later,
      count(*) filter (where locked_at is not null)::int as running,
      count(*) filter (where locked_at is null and last_error is not null and attempts < max_attempts)::int as trying,
      count(*) filter (where locked_at is null and attempts >= max_attempts)::int as failed,
      min(run_at) filter (where locked_at is null and attempts < max_attempts and run_at <= now()) as "oldestAt"
    from (select * from graphile_worker.jobs limit ${MOST_COUNTED}) looked_at group by task_identifier order by task_identifier`,
};
const FAILURES: Statement = {
  name: 'jobs-state-failures',
  text: `select id::text, task_identifier as task, attempts::int, max_attempts::int as "maxAttempts", last_error as error, run_at as "runAt", updated_at as "failedAt"
    from (select * from graphile_worker.jobs limit ${MOST_COUNTED}) looked_at where last_error is not null and locked_at is null
    order by attempts < max_attempts, updated_at desc, id desc limit ${FAILURES_SHOWN}`,
};
const AGAIN: Statement = {
  name: 'jobs-state-again',
  text: `select task_identifier as task from graphile_worker.jobs where id = $1::bigint and last_error is not null and locked_at is null`,
};
const RESCHEDULE: Statement = {
  name: 'jobs-state-reschedule',
  text: `select id::text from graphile_worker.reschedule_jobs(array[$1::bigint], run_at := now(), attempts := 0)`,
};

export type JobCounts = {
  task: string;
  due: number;
  later: number;
  running: number;
  trying: number;
  failed: number;
  oldestAt: Date | null;
};
export type JobFailure = {
  id: string;
  task: string;
  attempts: number;
  maxAttempts: number;
  error: string;
  runAt: Date;
  failedAt: Date;
};

export async function jobsState(db: Executor): Promise<{ counts: JobCounts[]; failures: JobFailure[] }> {
  const [counts, failures] = await Promise.all([db.run<JobCounts>(COUNTS, []), db.run<JobFailure>(FAILURES, [])]);
  return { counts, failures: failures.map((one) => ({ ...one, error: plainError(one.error) })) };
}

/**
 * Makes a failed job due now with a new count of attempts. Returns its task, or undefined when there is no such job or
 * it runs.
 */
export async function tryJobAgain(tx: Transaction, id: string): Promise<string | undefined> {
  const [job] = await tx.run<{ task: string }>(AGAIN, [id]);
  if (!job) return undefined;
  const [again] = await tx.run<{ id: string }>(RESCHEDULE, [id]);
  return again && job.task;
}

const LONGEST = 140;
const PLAIN = /^(?:[a-z]{1,20}|[A-Z][A-Z_]{2,30}|\d{3}|\d{5})[.,:;!]?$/;
const FIRST = /^[A-Z]\w*Error:?$/;

/** Removes possible personal data from an error message. Only text known to be harmless remains. */
export function plainError(text: string): string {
  const [line = ''] = text.split('\n', 1);
  const bare = line.slice(0, 2_000).replace(/"[^"]*"|“[^”]*”|'[^']*'|`[^`]*`|\([^)]*\)|\[[^\]]*\]|\{.*\}/g, '…');
  const words = bare
    .split(/\s+/)
    .map((word, index) => (PLAIN.test(word) || (index === 0 && FIRST.test(word)) ? word : '…'))
    .join(' ')
    .replace(/…(?: …)+/g, '…');
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}
