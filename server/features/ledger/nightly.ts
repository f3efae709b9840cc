/**
 * The proof of the sums, every night, beside everything else: what came since the last one, and once a week everything. What is
 * wrong stays a difference until a proof of everything finds it right.
 */
import type { Context } from '../../kernel/context.ts';
import { type CheckReport, checkLedger, type Proven, type SumsReport } from './check.ts';
import { compareAlone, type Found, keepRun, lastRun, stateOfRun } from './findings.ts';

const COMPARISON = 'sums';
const DAY_MS = 24 * 60 * 60_000;
/** After that long everything is looked at again; a little less than a week, so that it is the same hour of the same day. */
export const FULL_AFTER_MS = 7 * DAY_MS - 12 * 60 * 60_000;

type Tools = Pick<Context, 'db' | 'clock' | 'log'>;

/** The proof to continue: the last one, if it was clean (only then it has a watermark) and everything was looked at within a week. */
async function provenBefore({ db, clock }: Tools): Promise<Proven | undefined> {
  const last = await lastRun(db, COMPARISON);
  const whole = await lastRun(db, COMPARISON, { isFull: true });
  // Also when that lies ahead, as after a clock that did.
  if (!whole || Math.abs(clock.now().getTime() - whole.started_at.getTime()) > FULL_AFTER_MS) return undefined;
  if (!last || last.watermark === null || last.system_identifier === null) return undefined;
  return { watermark: last.watermark, systemIdentifier: last.system_identifier };
}

/** What a report says is wrong, a difference for each check. */
export const differencesIn = ({ checks }: CheckReport, kind: 'sumWrong' | 'logWrong'): Found[] =>
  checks
    .filter(({ wrong }) => wrong.length > 0)
    .map(({ name, wrong, fingerprint = '' }) => ({
      kind,
      key: name,
      aboutAt: null,
      theirsCents: null,
      oursCents: null,
      // Other rows are another difference, however many examples there are.
      facts: { examples: wrong.join('; ').slice(0, 1_000), all: fingerprint.slice(0, 200) },
    }));

/**
 * Proves the sums and keeps what came of it: everything, if so asked. Answers nothing when somebody is at it; nor, unless `isAgain`,
 * when it was done today.
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

/** Proves the sums now. */
export function checkNow(ctx: Tools, { isFull = false }: { isFull?: boolean } = {}): Promise<SumsReport | undefined> {
  return check(ctx, { isFull, isAgain: true });
}

/** Proves the sums unless it was done today: run it every hour, so that a night that was missed is made up for. */
export async function checkNightly(ctx: Tools): Promise<void> {
  await check(ctx, { isFull: false, isAgain: false });
}
