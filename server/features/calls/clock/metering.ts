/**
 * Each process checks once a second for calls that are due or have a silent side, and every 30 seconds without open
 * calls. A running call is due about once a minute.
 */
import { CALL } from '@stagedoor/contract/atoms/room-limits.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Statement } from '../../../kernel/db.ts';
import { instantOf, take } from '../call/turn.ts';
import { writeHearings } from './hearing.ts';

const LOOK_MS = 1_000;
const WRITE_MS = 2_000;
/**
 * Polling interval while this process knows of no open call. A call that it was not notified of is found within this
 * time.
 */
const IDLE_MS = 30_000;
const AT_ONCE = 4;
/** A call that is due later than this means that the clock was set back. */
const FAR_MS = 120_000;

const DUE: Statement = {
  name: 'calls-due',
  text: `with t as (select coalesce($1::timestamptz, clock_timestamp()) as at)
    select array(select id from calls, t where ended_at is null and (next_due_at <= t.at or next_due_at > t.at + $3 * interval '1 millisecond') order by next_due_at limit 500) as due,
      array(select distinct call_id from call_hearings, t where is_watched and heard_at < t.at - $2 * interval '1 millisecond') as silent,
      exists (select from calls where ended_at is null) as "isAny"`,
};

export async function meter(ctx: Context): Promise<boolean> {
  const [row] = await ctx.db.run<{ due: string[]; silent: string[]; isAny: boolean }>(DUE, [
    instantOf(ctx),
    CALL.silenceMs,
    FAR_MS,
  ]);
  const ids = [...new Set([...(row?.due ?? []), ...(row?.silent ?? [])])];
  const next = async (): Promise<void> => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
      const callId = id;
      await take(ctx, callId, () => undefined, { skipsLocked: true }).catch((error: unknown) =>
        ctx.log.error({ err: error, callId }, 'a call could not be looked at'),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return row?.isAny ?? false;
}

export type Metering = {
  begin(): void;
  wake(): void;
  stop(): Promise<void>;
};

/** Does nothing with a test clock. */
export function createMetering(ctx: Context): Metering {
  if (instantOf(ctx) !== null) return { begin: () => undefined, wake: () => undefined, stop: async () => undefined };
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;
  let isIdle = true;
  let writtenAt = 0;

  async function look(): Promise<void> {
    try {
      if (performance.now() - writtenAt >= WRITE_MS) {
        writtenAt = performance.now();
        await writeHearings(ctx);
      }
      isIdle = !(await meter(ctx));
    } catch (error) {
      ctx.log.error({ err: error }, 'calls could not be looked at');
    }
    if (!isStopped) plan(isIdle ? IDLE_MS : LOOK_MS);
  }
  function plan(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = look();
    }, ms);
    timer.unref();
  }
  return {
    begin: () => plan(0),
    wake: () => {
      if (!isIdle || isStopped) return;
      isIdle = false;
      plan(LOOK_MS);
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
