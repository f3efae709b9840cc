/**
 * Guesses at a secret are counted in the database, so that the limit holds across processes and concurrent requests.
 */
import { createHash } from 'node:crypto';
import type { Context } from '../../../platform/context.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { requireNotLimited } from '../../../platform/limits/rate-limit.ts';

export const MAX_ATTEMPTS = 10;
const WINDOW_MS = 15 * 60_000;

const COUNT: SqlStatement = {
  name: 'accounts-count-attempt',
  text: `insert into login_attempts as a (subject, count, window_ends_at) values ($1, 1, $3)
         on conflict (subject) do update set
           count = case when a.window_ends_at <= $2 then 1 else least(a.count, 1000) + 1 end,
           window_ends_at = case when a.window_ends_at <= $2 then excluded.window_ends_at else a.window_ends_at end
         returning count, window_ends_at`,
};
const RELEASE: SqlStatement = {
  name: 'accounts-release-attempt',
  text: 'update login_attempts set count = greatest(count - 1, 0) where subject = $1',
};
const CLEAR: SqlStatement = { name: 'accounts-clear-attempts', text: 'delete from login_attempts where subject = $1' };

function toSubjectKey(subject: string): Buffer {
  return createHash('sha256').update(subject).digest();
}

/**
 * Counts an attempt before the secret is checked, so that concurrent ones all count. Throws RATE_LIMITED, with the
 * seconds to wait, after more than `max` within 15 minutes.
 */
export async function countAttempt(
  ctx: Pick<Context, 'db' | 'clock'>,
  subject: string,
  max = MAX_ATTEMPTS,
): Promise<void> {
  const now = ctx.clock.now();
  const windowEndsAt = new Date(now.getTime() + WINDOW_MS);
  const [row] = await ctx.db.run<{ count: number; window_ends_at: Date }>(COUNT, [
    toSubjectKey(subject),
    now,
    windowEndsAt,
  ]);
  if (row && row.count > max) requireNotLimited(Math.max(1, row.window_ends_at.getTime() - now.getTime()));
}

/** Reverts one attempt because the secret was right. Earlier failures stay counted. */
export async function releaseAttempt(db: Executor, subject: string): Promise<void> {
  await db.run(RELEASE, [toSubjectKey(subject)]);
}

export async function clearAttempts(db: Executor, subject: string): Promise<void> {
  await db.run(CLEAR, [toSubjectKey(subject)]);
}
