import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputFile, resultsFolder } from './results.ts';
import type { FinishedStep } from './run-steps.ts';
import { journeyReport, unitReport } from './test-runs.ts';

export const FLAKY_LIMIT = 3;
const flakyFile = join(resultsFolder, 'flaky.json');

export interface RunSummary {
  passed: number;
  failed: number;
  problems: string[];
  flaky: string[];
}

export function clearResults(): void {
  mkdirSync(resultsFolder, { recursive: true });
  for (const path of [outputFile, flakyFile, unitReport, journeyReport]) rmSync(path, { force: true });
}

export function summarize(steps: readonly FinishedStep[], folder = resultsFolder): RunSummary {
  const flaky = steps.flatMap((step) => step.flaky ?? []);
  const failed = steps.filter((step) => step.failed > 0);
  const problems = failed.flatMap(({ title, output, failures = [] }) => [
    ...failures,
    ...(output === '' ? [] : [`✗ ${title}\n${output}`]),
  ]);
  const isFlaky = flaky.length > FLAKY_LIMIT;
  if (isFlaky) problems.push(`✗ ${flaky.length} tests passed only when they were run again; ${FLAKY_LIMIT} may.`);
  if (flaky.length > 0) writeFileSync(join(folder, 'flaky.json'), JSON.stringify(flaky, null, 2));
  return {
    passed: steps.reduce((sum, step) => sum + step.passed, 0),
    failed: steps.reduce((sum, step) => sum + step.failed, 0) + (isFlaky ? 1 : 0),
    problems,
    flaky,
  };
}

export function formatSummary({ problems, flaky }: RunSummary): string {
  const parts = problems.map((problem) => `\n${problem}`);
  if (problems.length > 0) parts.push('\nWhat tests and servers printed: .cache/results/output.log');
  if (flaky.length > 0) parts.push(`\nflaky:\n${flaky.map((line) => `  ${line}`).join('\n')}`);
  return parts.join('\n');
}
