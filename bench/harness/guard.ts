/**
 * `npm run bench -- --guard` compares ten figures with those of the last saved guard run on the same machine, so that a
 * change that slows the product down is noticed before it lands.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type BenchOptions, GUARDED_FIGURES } from './options.ts';
import { type BenchResult, describeMachine, type Figure, formatTable } from './report.ts';

/** How much worse a figure may become. Repeated runs of the same code differ by less. */
const TOLERANCE = 0.15;

const file = new URL('../guard.json', import.meta.url);

/** Ratios by figure, and by machine, because the same code has other ratios on another processor. */
export type GuardRuns = Readonly<
  Record<string, { readonly at: string; readonly ratios: Readonly<Record<string, number>> }>
>;
export type GuardRow = {
  readonly name: string;
  readonly ratio: number;
  readonly saved: number | undefined;
  readonly isWorse: boolean;
};

/**
 * Of figures with `byCpu` the CPU counts, because other load on the machine affects it less. These are ratios of rates,
 * which are better when they are higher, also without an aim.
 */
function toCost({ ratio, byCpu, aim }: Figure): number {
  if (byCpu) return 1 / byCpu.value;
  return aim && 'atLeast' in aim ? 1 / ratio.value : ratio.value;
}

/** @param figures Of all benches. Those that are not guarded are left out. */
export function compareWithSaved(figures: readonly Figure[], saved: GuardRuns[string] | undefined): GuardRow[] {
  return figures
    .filter(({ name }) => GUARDED_FIGURES.has(name))
    .map((figure) => {
      const ratio = toCost(figure);
      const before = saved?.ratios[figure.name];
      return {
        name: figure.name,
        ratio,
        saved: before,
        isWorse: before !== undefined && ratio > before * (1 + TOLERANCE),
      };
    });
}

/** Prints the comparison and saves the run with `--save`. Returns the exit code. */
export function finishGuard(results: readonly BenchResult[], { isSaved }: Pick<BenchOptions, 'isSaved'>): number {
  const runs: GuardRuns = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const machine = describeMachine();
  const rows = compareWithSaved(
    results.flatMap(({ figures }) => figures),
    runs[machine],
  );
  const cells = rows.map(({ name, ratio, saved, isWorse }) => [
    isWorse ? '✗' : saved === undefined ? '' : '✓',
    name,
    ratio.toFixed(2),
    saved?.toFixed(2) ?? '',
    saved === undefined ? '' : `${ratio > saved ? '+' : ''}${Math.round((ratio / saved - 1) * 100)} %`,
  ]);
  console.log(`\n${formatTable([['', 'cost, ours ÷ limit', 'now', 'saved', 'change'], ...cells])}`);
  if (isSaved) {
    const run = {
      at: new Date().toISOString(),
      ratios: Object.fromEntries(rows.map(({ name, ratio }) => [name, ratio])),
    };
    writeFileSync(file, `${JSON.stringify({ ...runs, [machine]: run }, undefined, 2)}\n`);
    return 0;
  }
  if (!runs[machine]) {
    console.log(`\nNo guard run of this machine (${machine}) is saved: npm run bench -- --guard --save`);
    return 1;
  }
  const worse = rows.filter(({ isWorse }) => isWorse);
  if (worse.length > 0)
    console.log(
      `\n${worse.length} of ${rows.length} figures are more than 15 % worse than on ${runs[machine].at.slice(0, 10)}.`,
    );
  return worse.length > 0 ? 1 : 0;
}
