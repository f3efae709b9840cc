/**
 * The nightly check of the ledger sums: incremental, and full once a week. A problem stays a difference until a full
 * check passes.
 */
import type { Context } from '../../../platform/context.ts';
import { type CheckReport, checkLedger, type SumsReport, type VerifiedState } from './check.ts';
import {
  type FoundDifference,
  findLastRun,
  findRunState,
  runExclusiveComparison,
  saveRun,
} from './reconciliation-findings.ts';

const COMPARISON = 'sums';
const DAY_MS = 24 * 60 * 60_000;
/** Slightly less than a week, so that the full check starts at the same hour of the same weekday. */
export const FULL_AFTER_MS = 7 * DAY_MS - 12 * 60 * 60_000;

type Tools = Pick<Context, 'db' | 'clock' | 'log'>;

async function findVerifiedState({ db, clock }: Tools): Promise<VerifiedState | undefined> {
  const last = await findLastRun(db, COMPARISON);
  const lastFull = await findLastRun(db, COMPARISON, { isFull: true });
  // Uses the absolute difference, because the last run may lie in the future after a wrong clock.
  if (!lastFull || Math.abs(clock.now().getTime() - lastFull.started_at.getTime()) > FULL_AFTER_MS) return undefined;
  if (!last || last.watermark === null || last.system_identifier === null) return undefined;
  return { watermark: last.watermark, systemIdentifier: last.system_identifier };
}

export const toDifferences = ({ checks }: CheckReport, kind: 'sumWrong' | 'logWrong'): FoundDifference[] =>
  checks
    .filter(({ wrong }) => wrong.length > 0)
    .map(({ name, wrong, fingerprint = '' }) => ({
      kind,
      key: name,
      occurredAt: null,
      theirsCents: null,
      oursCents: null,
      // The fingerprint covers all failed rows, because the examples are limited.
      details: { examples: wrong.join('; ').slice(0, 1_000), all: fingerprint.slice(0, 200) },
    }));

/**
 * Checks the sums and stores the result. Returns undefined when another process is running the check, or when it
 * already ran today and `isRepeat` is false.
 */
function runCheck(
  ctx: Tools,
  { isFull, isRepeat }: { isFull: boolean; isRepeat: boolean },
): Promise<SumsReport | undefined> {
  return runExclusiveComparison(ctx, COMPARISON, async () => {
    const startedAt = ctx.clock.now();
    const day = startedAt.toISOString().slice(0, 10);
    if (!isRepeat && (await findRunState(ctx.db, COMPARISON, day)) === 'completed') return undefined;
    const since = isFull ? undefined : await findVerifiedState(ctx);
    const report = await checkLedger(ctx.db, { since, isGentle: true });
    const checkedCount = report.checks.reduce((sum, { count }) => sum + count, 0);
    const result = { differences: toDifferences(report, 'sumWrong'), since: null };
    const { verifiedState } = report;
    const run = {
      comparison: COMPARISON,
      day,
      isFull: report.isFull,
      startedAt,
      checkedCount,
      result,
      verifiedState,
    } as const;
    await saveRun(ctx, run, report.isFull ? undefined : since);
    return report;
  });
}

export function runLedgerCheckNow(
  ctx: Tools,
  { isFull = false }: { isFull?: boolean } = {},
): Promise<SumsReport | undefined> {
  return runCheck(ctx, { isFull, isRepeat: true });
}

/** Checks the sums unless that happened today. Schedule it hourly, so that a missed night is made up for. */
export async function checkLedgerNightly(ctx: Tools): Promise<void> {
  await runCheck(ctx, { isFull: false, isRepeat: false });
}
