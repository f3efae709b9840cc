/**
 * Checks what is new every night, after the sums, and everything once a week. What is wrong stays a difference until a
 * full check finds it right.
 */
import type { Context } from '../../../platform/context.ts';
import {
  FULL_AFTER_MS,
  findLastRun,
  findRunState,
  runExclusiveComparison,
  saveRun,
  toDifferences,
} from '../../ledger/ledger-checks/index.ts';
import { checkLog, type LogReport, markVerified } from './check.ts';

const COMPARISON = 'log';

type Tools = Pick<Context, 'clock' | 'config' | 'db' | 'log' | 'storage'>;

/** Returns undefined when another check runs, and, unless `isRepeat`, when today's check was done. */
function runCheck(ctx: Tools, isRepeat: boolean): Promise<LogReport | undefined> {
  return runExclusiveComparison(ctx, COMPARISON, async () => {
    const startedAt = ctx.clock.now();
    const day = startedAt.toISOString().slice(0, 10);
    if (!isRepeat && (await findRunState(ctx.db, COMPARISON, day)) === 'completed') return undefined;
    const lastFull = await findLastRun(ctx.db, COMPARISON, { isFull: true });
    const last = await findLastRun(ctx.db, COMPARISON);
    // A partial check would not find an earlier error again.
    const isFull =
      isRepeat ||
      !lastFull ||
      last?.outcome !== 'clean' ||
      Math.abs(startedAt.getTime() - lastFull.started_at.getTime()) > FULL_AFTER_MS;
    const report = await checkLog(ctx, { isFromCheckpoint: !isFull });
    if (report.isClean) await markVerified(ctx, report.size);
    const checkedCount = report.checks.reduce((sum, { count }) => sum + count, 0);
    const result = { differences: toDifferences(report, 'logWrong'), since: null };
    await saveRun(ctx, { comparison: COMPARISON, day, isFull, startedAt, checkedCount, result });
    return report;
  });
}

export function checkLogNow(ctx: Tools): Promise<LogReport | undefined> {
  return runCheck(ctx, true);
}

/**
 * Verifies the log and stores the result, unless today's check was done or another one runs. Meant to be called every
 * hour.
 */
export function checkLogNightly(ctx: Tools): Promise<LogReport | undefined> {
  return runCheck(ctx, false);
}
