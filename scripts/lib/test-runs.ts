import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { getToolPath, hashFile, hashFolders, root } from './project.mjs';
import {
  countTests,
  hasFailed,
  listFailures,
  listFlaky,
  mergeRerun,
  type RunReport,
  resultsFolder,
} from './results.ts';
import type { StepResult } from './run-steps.ts';
import { evaluateRun, type RunnerResult, runTests } from './runner.ts';

export const isCi = process.env.CI !== undefined && process.env.CI !== '' && process.env.CI !== 'false';
/** If more files fail than this, the cause is not random, and they are not run again. */
const RERUN_FILES = 10;
const reporter = (name: string) => join(root, 'scripts', 'lib', `${name}-reporter.ts`);
export const unitReport = join(resultsFolder, 'units.json');
export const journeyReport = join(resultsFolder, 'journeys.json');

export const createVitestArgs = (...more: string[]) => [
  getToolPath('vitest', 'vitest.mjs'),
  'run',
  `--reporter=${reporter('unit')}`,
  ...more,
];

export const createPlaywrightArgs = (...more: string[]) => [
  getToolPath('@playwright/test', 'cli.js'),
  'test',
  `--reporter=${reporter('journey')}`,
  ...more,
];

function toStepResult({ code, report }: RunnerResult): StepResult {
  const counts = evaluateRun(code, report);
  return {
    ...counts,
    failures: report ? listFailures(report) : [],
    flaky: report ? listFlaky(report) : [],
  };
}

function isRerunnable(report: RunReport): boolean {
  const failed = report.files.filter(hasFailed).length;
  return report.errors.length === 0 && failed > 0 && failed <= RERUN_FILES;
}

export type UnitOptions = { filters?: readonly string[]; args?: readonly string[]; env?: Record<string, string> };

export async function runUnits({ filters = [], args = [], env = {} }: UnitOptions = {}): Promise<StepResult> {
  const first = await runTests({ args: createVitestArgs(...args, ...filters), report: unitReport, env });
  if (!isCi || first.report === undefined || !isRerunnable(first.report)) return toStepResult(first);
  const files = first.report.files.filter(hasFailed).map(({ path }) => path);
  console.log(`  Failed files run once more:`);
  const report = join(resultsFolder, 'units-rerun.json');
  const second = await runTests({ args: createVitestArgs(...args, ...files), report, env });
  if (second.report === undefined) return toStepResult(first);
  const merged = mergeRerun(first.report, second.report);
  return toStepResult({ code: countTests(merged).failed > 0 ? 1 : second.code, report: merged });
}

/** Playwright reruns a failed test by itself. Its exit code is 0 when that passes. */
export async function runJourneys(
  filters: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<StepResult> {
  const args = createPlaywrightArgs(
    ...(isCi ? ['--retries=1', '--trace=on-first-retry'] : ['--retries=0']),
    ...filters,
  );
  return toStepResult(await runTests({ args, report: journeyReport, env }));
}

/**
 * The name of the stored demo world. It depends on everything that creates the world, so that a change creates a new
 * one.
 */
export function getWorldName(): string {
  const stamp =
    hashFolders(['server/demo', 'server/migrations', 'server/functions']) +
    hashFile(join(root, 'e2e/support/create-world.ts')) +
    hashFile(join(root, 'package-lock.json'));
  return createHash('sha256').update(stamp).digest('hex').slice(0, 16);
}
