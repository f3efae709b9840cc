/**
 * Requests to the processor in the background. After an answer about the account itself they pause for an hour in all processes,
 * because three failed logins lock it out. Then one request tries again, and the others wait for its answer.
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

/** Returns whether this request is the one that tries again after a pause. Throws ProcessorPausedError. */
async function enterPause(db: Executor, now: Date): Promise<boolean> {
  const [pause] = await db.run<{ until: Date }>(FIND, [CCBILL]);
  if (!pause) return false;
  const until = new Date(now.getTime() + PAUSE_MS);
  if (pause.until > now || (await db.run(TRY_AGAIN, [CCBILL, now, until])).length === 0)
    throw new ProcessorPausedError('requests to the payment processor pause after a problem of the account');
  return true;
}

/** Throws ProcessorPausedError without a request, or what `request` throws. An AccountProblemError of it starts a pause. */
export async function queryProcessor<T>(
  { clock, db, log }: Pick<Context, 'clock' | 'db' | 'log'>,
  request: () => Promise<T>,
): Promise<T> {
  const isRetry = await enterPause(db, clock.now());
  try {
    const answer = await request();
    if (isRetry) await db.run(SET_END, [CCBILL, null]);
    return answer;
  } catch (error) {
    const now = clock.now();
    if (error instanceof AccountProblemError) {
      await db.run(PAUSE, [CCBILL, error.message, new Date(now.getTime() + PAUSE_MS)]);
      log.error({ reason: error.message }, 'the payment processor refused the account: requests pause for an hour');
    } else if (isRetry) await db.run(SET_END, [CCBILL, now]);
    throw error;
  }
}
