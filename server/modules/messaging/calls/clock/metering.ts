/**
 * Each process checks once a second for calls that are due or have a silent side, and every 30 seconds without open
 * calls. A running call is due about once a minute.
 */
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { Context } from '../../../../platform/context.ts';
import type { SqlStatement } from '../../../../platform/database/db.ts';
import { getStatementTime, runCallStep } from '../call/step.ts';
import { writeHeartbeats } from './heartbeats.ts';

const CHECK_MS = 1_000;
const WRITE_MS = 2_000;
/**
 * Polling interval while this process knows of no open call. A call that it was not notified of is found within this
 * time.
 */
const IDLE_MS = 30_000;
const CONCURRENCY = 4;
/** A call that is due later than this means that the clock was set back. */
const MAX_AHEAD_MS = 120_000;

const FIND_DUE: SqlStatement = {
  name: 'calls-due',
  text: `with t as (select coalesce($1::timestamptz, clock_timestamp()) as at)
    select array(select id from calls, t where ended_at is null and (next_due_at <= t.at or next_due_at > t.at + $3 * interval '1 millisecond') order by next_due_at limit 500) as due,
      array(select distinct call_id from call_heartbeats, t where is_watched and last_seen_at < t.at - $2 * interval '1 millisecond') as silent,
      exists (select from calls where ended_at is null) as "isAny"`,
};

export async function meterCalls(ctx: Context): Promise<boolean> {
  const [row] = await ctx.db.run<{ due: string[]; silent: string[]; isAny: boolean }>(FIND_DUE, [
    getStatementTime(ctx),
    CALL_LIMITS.heartbeatTimeoutMs,
    MAX_AHEAD_MS,
  ]);
  const ids = [...new Set([...(row?.due ?? []), ...(row?.silent ?? [])])];
  const runNextSteps = async (): Promise<void> => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
      const callId = id;
      await runCallStep(ctx, callId, () => undefined, { skipsLocked: true }).catch((error: unknown) =>
        ctx.log.error({ err: error, callId }, 'a call could not be checked'),
      );
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, runNextSteps));
  return row?.isAny ?? false;
}

export type Metering = {
  start(): void;
  wake(): void;
  stop(): Promise<void>;
};

/** Does nothing with a test clock. */
export function createMetering(ctx: Context): Metering {
  if (getStatementTime(ctx) !== null)
    return { start: () => undefined, wake: () => undefined, stop: async () => undefined };
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;
  let isIdle = true;
  let writtenAt = 0;

  async function checkCalls(): Promise<void> {
    try {
      if (performance.now() - writtenAt >= WRITE_MS) {
        writtenAt = performance.now();
        await writeHeartbeats(ctx);
      }
      isIdle = !(await meterCalls(ctx));
    } catch (error) {
      ctx.log.error({ err: error }, 'calls could not be checked');
    }
    if (!isStopped) scheduleCheck(isIdle ? IDLE_MS : CHECK_MS);
  }
  function scheduleCheck(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = checkCalls();
    }, ms);
    timer.unref();
  }
  return {
    start: () => scheduleCheck(0),
    wake: () => {
      if (!isIdle || isStopped) return;
      isIdle = false;
      scheduleCheck(CHECK_MS);
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
