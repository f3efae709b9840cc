/**
 * Checks what is new every night, after the sums, and everything once a week. What is wrong stays a difference until a
 * full check finds it right.
 */
import type { Context } from '../../kernel/context.ts';
import { compareAlone, differencesIn, FULL_AFTER_MS, keepRun, lastRun, stateOfRun } from '../ledger/index.ts';
import { checkLog, type LogReport, markProven } from './check.ts';

const COMPARISON = 'log';

type Tools = Pick<Context, 'clock' | 'config' | 'db' | 'log' | 'storage'>;

/** Returns undefined when another check runs, and, unless `isAgain`, when today's check was done. */
function check(ctx: Tools, isAgain: boolean): Promise<LogReport | undefined> {
  return compareAlone(ctx, COMPARISON, async () => {
    const startedAt = ctx.clock.now();
    const day = startedAt.toISOString().slice(0, 10);
    if (!isAgain && (await stateOfRun(ctx.db, COMPARISON, day)) === 'made') return undefined;
    const whole = await lastRun(ctx.db, COMPARISON, { isFull: true });
    const last = await lastRun(ctx.db, COMPARISON);
    // A partial check would not find an earlier error again.
    const isFull =
      isAgain ||
      !whole ||
      last?.outcome !== 'clean' ||
      Math.abs(startedAt.getTime() - whole.started_at.getTime()) > FULL_AFTER_MS;
    const report = await checkLog(ctx, { isFromCheckpoint: !isFull });
    if (report.isClean) await markProven(ctx, report.size);
    const lookedAt = report.checks.reduce((sum, { count }) => sum + count, 0);
    const found = { differences: differencesIn(report, 'logWrong'), since: null };
    await keepRun(ctx, { comparison: COMPARISON, day, isFull, startedAt, lookedAt, found });
    return report;
  });
}

export function checkLogNow(ctx: Tools): Promise<LogReport | undefined> {
  return check(ctx, true);
}

/**
 * Verifies the log and stores the result, unless today's check was done or another one runs. Meant to be called every
 * hour.
 */
export function checkNightly(ctx: Tools): Promise<LogReport | undefined> {
  return check(ctx, false);
}
