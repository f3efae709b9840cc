import type { DbTransaction, Executor, SqlStatement } from '../database/db.ts';

export const MAX_COUNTED = 20_000;
const MAX_FAILURES = 50;

const COUNTS: SqlStatement = {
  name: 'jobs-status-counts',
  text: `select task_identifier as task,
      count(*) filter (where locked_at is null and attempts < max_attempts and run_at <= now())::int as due,
      count(*) filter (where locked_at is null and attempts < max_attempts and run_at > now())::int as scheduled,
      count(*) filter (where locked_at is not null)::int as running,
      count(*) filter (where locked_at is null and last_error is not null and attempts < max_attempts)::int as retrying,
      count(*) filter (where locked_at is null and attempts >= max_attempts)::int as failed,
      min(run_at) filter (where locked_at is null and attempts < max_attempts and run_at <= now()) as "oldestAt"
    from (select * from graphile_worker.jobs limit ${MAX_COUNTED}) sample group by task_identifier order by task_identifier`,
};
const FAILURES: SqlStatement = {
  name: 'jobs-status-failures',
  text: `select id::text, task_identifier as task, attempts::int, max_attempts::int as "maxAttempts", last_error as error, run_at as "runAt", updated_at as "failedAt"
    from (select * from graphile_worker.jobs limit ${MAX_COUNTED}) sample where last_error is not null and locked_at is null
    order by attempts < max_attempts, updated_at desc, id desc limit ${MAX_FAILURES}`,
};
const FIND_FAILED: SqlStatement = {
  name: 'jobs-status-find-failed',
  text: `select task_identifier as task from graphile_worker.jobs where id = $1::bigint and last_error is not null and locked_at is null`,
};
const RESCHEDULE: SqlStatement = {
  name: 'jobs-status-reschedule',
  text: `select id::text from graphile_worker.reschedule_jobs(array[$1::bigint], run_at := now(), attempts := 0)`,
};

export type JobCountsRow = {
  task: string;
  due: number;
  scheduled: number;
  running: number;
  retrying: number;
  failed: number;
  oldestAt: Date | null;
};
export type JobFailureRow = {
  id: string;
  task: string;
  attempts: number;
  maxAttempts: number;
  error: string;
  runAt: Date;
  failedAt: Date;
};

export async function getJobsStatus(db: Executor): Promise<{ counts: JobCountsRow[]; failures: JobFailureRow[] }> {
  const [counts, failures] = await Promise.all([db.run<JobCountsRow>(COUNTS, []), db.run<JobFailureRow>(FAILURES, [])]);
  return { counts, failures: failures.map((one) => ({ ...one, error: redactError(one.error) })) };
}

/**
 * Makes a failed job due now with a new count of attempts. Returns its task, or undefined when there is no such job or
 * it runs.
 */
export async function retryFailedJob(tx: DbTransaction, id: string): Promise<string | undefined> {
  const [job] = await tx.run<{ task: string }>(FIND_FAILED, [id]);
  if (!job) return undefined;
  const [rescheduled] = await tx.run<{ id: string }>(RESCHEDULE, [id]);
  return rescheduled && job.task;
}

const MAX_LENGTH = 140;
const SAFE_WORD = /^(?:[a-z]{1,20}|[A-Z][A-Z_]{2,30}|\d{3}|\d{5})[.,:;!]?$/;
const ERROR_NAME = /^[A-Z]\w*Error:?$/;

/** Removes possible personal data from an error message. Only text known to be harmless remains. */
export function redactError(text: string): string {
  const [line = ''] = text.split('\n', 1);
  const withoutQuotes = line
    .slice(0, 2_000)
    .replace(/"[^"]*"|“[^”]*”|'[^']*'|`[^`]*`|\([^)]*\)|\[[^\]]*\]|\{.*\}/g, '…');
  const redacted = withoutQuotes
    .split(/\s+/)
    .map((word, index) => (SAFE_WORD.test(word) || (index === 0 && ERROR_NAME.test(word)) ? word : '…'))
    .join(' ')
    .replace(/…(?: …)+/g, '…');
  return redacted.length > MAX_LENGTH ? `${redacted.slice(0, MAX_LENGTH)}…` : redacted;
}
