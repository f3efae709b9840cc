/** `npm run flaky`: runs test files many times on a busy machine and counts how often each test passes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startLoad } from './load.ts';
import { isJourney, listPrograms } from './needs.ts';
import { type RunReport, resultsFolder } from './results.ts';
import { runTests } from './runner.ts';
import { ensurePrograms } from './system.mjs';
import { createPlaywrightArgs, createVitestArgs, getWorldName } from './test-runs.ts';
import { ensureWebBuild } from './web-build.mjs';

const LIMIT_MS = 4 * 60 * 60_000;

export interface PassRate {
  test: string;
  passed: number;
  runs: number;
  error?: string;
}

/** How often each test passed. A run in which a file fails to load counts as a failure of the file. */
export class PassRates {
  readonly #rates = new Map<string, PassRate>();

  add({ files, errors }: RunReport): void {
    for (const file of files) {
      if (file.errors.length > 0) this.#count(file.path, false, file.errors[0]);
      for (const { name, status, errors: messages } of file.tests)
        if (status !== 'skipped') this.#count(`${file.path} › ${name}`, status === 'passed', messages[0]);
    }
    if (errors.length > 0) this.addFailure(errors[0]);
  }

  addFailure(error = 'The test runner failed. See .cache/results/output.log.'): void {
    this.#count('outside the tests', false, error);
  }

  list(): PassRate[] {
    return [...this.#rates.values()].sort((a, b) => a.passed / a.runs - b.passed / b.runs);
  }

  #count(test: string, hasPassed: boolean, error?: string): void {
    const rate = this.#rates.get(test) ?? { test, passed: 0, runs: 0 };
    rate.runs += 1;
    if (hasPassed) rate.passed += 1;
    else if (error !== undefined) rate.error ??= error;
    this.#rates.set(test, rate);
  }
}

/** One line per failure: the test and the first line of its error. */
export function listFailures({ files, errors }: RunReport): string[] {
  const getLine = (error = '') => error.split('\n')[0] ?? '';
  return [
    ...errors.map(getLine),
    ...files.flatMap(({ path, errors: fileErrors, tests }) => [
      ...fileErrors.map((error) => `${path}: ${getLine(error)}`),
      ...tests
        .filter(({ status }) => status !== 'passed' && status !== 'skipped')
        .map((test) => `${path} › ${test.name}: ${getLine(test.errors[0])}`),
    ]),
  ];
}

export function formatRates(rates: readonly PassRate[]): string {
  return rates
    .map(({ test, passed, runs, error }) => {
      const line = `${passed === runs ? '✓' : '✗'} ${`${passed}/${runs}`.padStart(5)}  ${test}`;
      const [first = ''] = (error ?? '').split('\n');
      return error === undefined ? line : `${line}\n           ${first}`;
    })
    .join('\n');
}

export interface RepeatOptions {
  paths: readonly string[];
  name?: string | undefined;
  times: number;
  load: number;
}

/**
 * Each repetition is a separate run, because tests of a file share state and end-to-end tests share a server. The demo
 * world is created once and copied for each.
 */
export async function repeatTests({ paths, name, times, load }: RepeatOptions): Promise<PassRate[]> {
  const missing = listPrograms(paths).filter((program) => program.find() === undefined);
  if (missing.length > 0) await ensurePrograms(missing);
  const units = paths.filter((path) => !isJourney(path));
  const journeys = paths.filter(isJourney);
  if (journeys.length > 0) await ensureWebBuild();
  mkdirSync(resultsFolder, { recursive: true });
  const report = join(resultsFolder, 'flaky-run.json');
  const rates = new PassRates();
  const failures: string[] = [];
  const runOnce = async (args: string[], env: Record<string, string> = {}) => {
    const { report: runReport } = await runTests({ args, report, env, onLine: () => {} });
    if (runReport === undefined) rates.addFailure();
    else rates.add(runReport);
    failures.push(...(runReport === undefined ? ['The test runner failed.'] : listFailures(runReport)));
  };
  let isStopped = false;
  const stop = () => {
    isStopped = true;
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const busy = startLoad(load, LIMIT_MS);
  try {
    for (let round = 1; round <= times && !isStopped; round++) {
      const started = performance.now();
      failures.length = 0;
      if (units.length > 0) await runOnce(createVitestArgs(...units, ...(name === undefined ? [] : ['-t', name])));
      if (journeys.length > 0) {
        const args = createPlaywrightArgs('--retries=0', ...journeys, ...(name === undefined ? [] : ['-g', name]));
        await runOnce(args, { STAGEDOOR_WORLD: getWorldName() });
      }
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${failures.length === 0 ? '✓' : '✗'} Run ${round} of ${times} (${seconds} s)`);
      for (const failure of failures) console.log(`    ${failure}`);
    }
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await busy.stop();
  }
  const list = rates.list();
  writeFileSync(join(resultsFolder, 'pass-rates.json'), JSON.stringify(list, null, 2));
  return list;
}
