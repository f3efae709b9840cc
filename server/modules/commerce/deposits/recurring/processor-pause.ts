/**
 * Pauses the requests that jobs send to the processor. The processor locks the account of this server after three failed logins.
 * After a response about the account, all processes therefore pause for an hour. Then one request is sent, and the others wait
 * for its response.
 */
import type { Context } from '../../../../platform/context.ts';
import type { Executor, SqlStatement } from '../../../../platform/database/db.ts';
import { AccountProblemError, CCBILL } from '../../ccbill/index.ts';

const PAUSE_MS = 60 * 60_000;

export class ProcessorPausedError extends Error {}

const FIND: SqlStatement = {
  name: 'processor-pauses-find',
  text: 'select paused_until as "until" from processor_pauses where provider = $1 and paused_until is not null',
};
const TRY_AGAIN: SqlStatement = {
  name: 'processor-pauses-try',
  text: `update processor_pauses set paused_until = $3 where provider = $1 and paused_until <= $2 returning 1 as found`,
};
const PAUSE: SqlStatement = {
  name: 'processor-pauses-start',
  text: `insert into processor_pauses (provider, reason, paused_until) values ($1, $2, $3)
    on conflict (provider) do update set reason = excluded.reason, paused_until = excluded.paused_until`,
};
const SET_END: SqlStatement = {
  name: 'processor-pauses-set-end',
  text: 'update processor_pauses set paused_until = $2 where provider = $1',
};

/** Returns true for the first request after a pause. Throws ProcessorPausedError during a pause. */
async function requireNoPause(db: Executor, now: Date): Promise<boolean> {
  const [pause] = await db.run<{ until: Date }>(FIND, [CCBILL]);
  if (!pause) return false;
  const until = new Date(now.getTime() + PAUSE_MS);
  if (pause.until > now || (await db.run(TRY_AGAIN, [CCBILL, now, until])).length === 0)
    throw new ProcessorPausedError('requests to the payment processor are paused, because it refused the account');
  return true;
}

/**
 * Sends a request unless requests are paused. An AccountProblemError of `request` starts a pause. Throws
 * ProcessorPausedError, and whatever `request` throws.
 */
export async function queryProcessor<T>(
  { clock, db, log }: Pick<Context, 'clock' | 'db' | 'log'>,
  request: () => Promise<T>,
): Promise<T> {
  const isRetry = await requireNoPause(db, clock.now());
  try {
    const response = await request();
    if (isRetry) await db.run(SET_END, [CCBILL, null]);
    return response;
  } catch (error) {
    const now = clock.now();
    if (error instanceof AccountProblemError) {
      await db.run(PAUSE, [CCBILL, error.message, new Date(now.getTime() + PAUSE_MS)]);
      log.error({ reason: error.message }, 'the payment processor refused the account: requests pause for an hour');
    } else if (isRetry) await db.run(SET_END, [CCBILL, now]);
    throw error;
  }
}
