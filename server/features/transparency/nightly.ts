/**
 * The proof of the log, every night after the sums: what came since the last one, and once a week everything. What is wrong stays a
 * difference until a proof of everything finds it right.
 */
import type { Context } from '../../kernel/context.ts';
import { compareAlone, differencesIn, FULL_AFTER_MS, keepRun, lastRun, stateOfRun } from '../ledger/index.ts';
import { checkLog, type LogReport, markProven } from './check.ts';

const COMPARISON = 'log';

type Tools = Pick<Context, 'clock' | 'config' | 'db' | 'log' | 'storage'>;

/** Answers nothing when somebody is at it; nor, unless `isAgain`, when it was done today. */
function check(ctx: Tools, isAgain: boolean): Promise<LogReport | undefined> {
  return compareAlone(ctx, COMPARISON, async () => {
    const startedAt = ctx.clock.now();
    const day = startedAt.toISOString().slice(0, 10);
    if (!isAgain && (await stateOfRun(ctx.db, COMPARISON, day)) === 'made') return undefined;
    const whole = await lastRun(ctx.db, COMPARISON, { isFull: true });
    const last = await lastRun(ctx.db, COMPARISON);
    // Part of it would not find again what is wrong elsewhere.
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

/** Proves the whole log now. */
export function checkLogNow(ctx: Tools): Promise<LogReport | undefined> {
  return check(ctx, true);
}

/** Proves the log and keeps what came of it, unless it was done today or somebody is at it: run it every hour of the night. */
export function checkNightly(ctx: Tools): Promise<LogReport | undefined> {
  return check(ctx, false);
}
