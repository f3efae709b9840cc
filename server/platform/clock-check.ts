/**
 * Compares the clock of this machine with that of the database. Sessions, prices of calls and order of messages depend on
 * it, so a process whose clock is wrong is not ready.
 */
import { CLOCK_LIMITS } from '@stagedoor/contract/admin/system-status.ts';
import type { Clock } from './clock.ts';
import type { Database, SqlStatement } from './database/db.ts';
import type { Logger } from './log.ts';

const CHECK_MS = 60 * 60_000;
/** A process that is not ready checks again soon, because the clock may have been set. */
const RECHECK_MS = 30_000;
/** The time from a busy database is less exact, so the quickest of several answers counts. */
const ATTEMPTS = 3;
const QUICK_MS = 200;

const READ_TIME: SqlStatement = {
  name: 'clock-read',
  text: 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
};

export interface ClockCheck {
  /** Compares now, and then every hour. An unreachable database is not a wrong clock. */
  start(): Promise<void>;
  stop(): void;
  check(): Promise<void>;
  /** Positive if this machine is ahead. Null before the first comparison. */
  getOffsetMs(): number | null;
  /** Throws while the difference is more than 30 seconds. */
  requireRightClock(): void;
}

export function createClockCheck(clock: Clock, db: () => Pick<Database, 'run'>, log: Logger): ClockCheck {
  let offsetMs: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const isWrong = () => offsetMs !== null && Math.abs(offsetMs) > CLOCK_LIMITS.maxMs;

  async function measure(): Promise<{ offsetMs: number; tripMs: number }> {
    const [sentAt, started] = [clock.now().getTime(), performance.now()];
    const [row] = await db().run<{ ms: number }>(READ_TIME, []);
    const tripMs = performance.now() - started;
    if (!row) throw new Error('the database returned no time');
    return { offsetMs: Math.round(sentAt + tripMs / 2 - row.ms), tripMs };
  }

  async function check(): Promise<void> {
    let best = await measure();
    for (let attempt = 1; attempt < ATTEMPTS && best.tripMs > QUICK_MS; attempt += 1) {
      const next = await measure();
      if (next.tripMs < best.tripMs) best = next;
    }
    const wasWrong = isWrong();
    offsetMs = best.offsetMs;
    const direction = offsetMs > 0 ? 'ahead of' : 'behind';
    const difference = `the clock of this machine is ${Math.abs(offsetMs) / 1000} s ${direction} that of the database`;
    if (isWrong()) log.error({ offsetMs }, `${difference}: not ready until it is set (use NTP)`);
    else if (Math.abs(offsetMs) > CLOCK_LIMITS.reportedMs) log.warn({ offsetMs }, `${difference}: use NTP`);
    else if (wasWrong) log.info({ offsetMs }, 'the clock of this machine is right again');
  }

  async function run(): Promise<void> {
    await check().catch((error: unknown) => log.warn({ err: error }, 'the clock could not be compared'));
    if (isStopped) return;
    timer = setTimeout(() => void run(), isWrong() ? RECHECK_MS : CHECK_MS);
    timer.unref();
  }

  return {
    start: run,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
    check,
    getOffsetMs: () => offsetMs,
    requireRightClock: () => {
      if (isWrong()) throw new Error(`the clock differs by ${offsetMs} ms from that of the database`);
    },
  };
}
