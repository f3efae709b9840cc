/**
 * The nightly check of the ledger sums: incremental, and full once a week. A problem stays a difference until a full
 * check passes.
 */
import type { Context } from '../../kernel/context.ts';
import { type CheckReport, checkLedger, type Proven, type SumsReport } from './check.ts';
import { compareAlone, type Found, keepRun, lastRun, stateOfRun } from './findings.ts';

const COMPARISON = 'sums';
const DAY_MS = 24 * 60 * 60_000;
/** Slightly less than a week, so that the full check starts at the same hour of the same weekday. */
export const FULL_AFTER_MS = 7 * DAY_MS - 12 * 60 * 60_000;

type Tools = Pick<Context, 'db' | 'clock' | 'log'>;

async function provenBefore({ db, clock }: Tools): Promise<Proven | undefined> {
  const last = await lastRun(db, COMPARISON);
  const whole = await lastRun(db, COMPARISON, { isFull: true });
  // Uses the absolute difference, because the last run may lie in the future after a wrong clock.
  if (!whole || Math.abs(clock.now().getTime() - whole.started_at.getTime()) > FULL_AFTER_MS) return undefined;
  if (!last || last.watermark === null || last.system_identifier === null) return undefined;
  return { watermark: last.watermark, systemIdentifier: last.system_identifier };
}

export const differencesIn = ({ checks }: CheckReport, kind: 'sumWrong' | 'logWrong'): Found[] =>
  checks
    .filter(({ wrong }) => wrong.length > 0)
    .map(({ name, wrong, fingerprint = '' }) => ({
      kind,
      key: name,
      aboutAt: null,
      theirsCents: null,
      oursCents: null,
      // The fingerprint covers all failed rows, because the examples are limited.
      facts: { examples: wrong.join('; ').slice(0, 1_000), all: fingerprint.slice(0, 200) },
    }));

/**
 * Checks the sums and stores the result. Returns undefined when another process is running the check, or when it
 * already ran today and `isAgain` is false.
 */
function check(
  ctx: Tools,
  { isFull, isAgain }: { isFull: boolean; isAgain: boolean },
): Promise<SumsReport | undefined> {
  return compareAlone(ctx, COMPARISON, async () => {
    const startedAt = ctx.clock.now();
    const day = startedAt.toISOString().slice(0, 10);
    if (!isAgain && (await stateOfRun(ctx.db, COMPARISON, day)) === 'made') return undefined;
    const since = isFull ? undefined : await provenBefore(ctx);
    const report = await checkLedger(ctx.db, { since, isGentle: true });
    const lookedAt = report.checks.reduce((sum, { count }) => sum + count, 0);
    const found = { differences: differencesIn(report, 'sumWrong'), since: null };
    const { proven } = report;
    const run = { comparison: COMPARISON, day, isFull: report.isFull, startedAt, lookedAt, found, proven } as const;
    await keepRun(ctx, run, report.isFull ? undefined : since);
    return report;
  });
}

export function checkNow(ctx: Tools, { isFull = false }: { isFull?: boolean } = {}): Promise<SumsReport | undefined> {
  return check(ctx, { isFull, isAgain: true });
}

/** Checks the sums unless that happened today. Schedule it hourly, so that a missed night is made up for. */
export async function checkNightly(ctx: Tools): Promise<void> {
  await check(ctx, { isFull: false, isAgain: false });
}
