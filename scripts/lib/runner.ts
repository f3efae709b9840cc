import { spawn } from 'node:child_process';
import { mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { readText, root } from './project.mjs';
import { countTests, outputFile, type RunReport, type TestCounts } from './results.ts';

/** A runner that takes longer has hung. It is killed and counts as failed. */
const LIMIT_MS = 60 * 60_000;

export interface RunnerResult {
  code: number;
  report: RunReport | undefined;
}

export interface RunnerOptions {
  args: readonly string[];
  report: string;
  env?: Record<string, string>;
  onLine?: (text: string) => void;
}

const stripNewline = (text: string) => text.replace(/\n$/, '');

/** The output of the runner and its tests goes to the output file. Only the lines of the reporter are printed. */
export async function runTests({ args, report, env = {}, onLine = console.log }: RunnerOptions): Promise<RunnerResult> {
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const log = openSync(outputFile, 'a');
  const child = spawn(process.execPath, [...args], {
    cwd: root,
    stdio: ['ignore', log, log, 'pipe'],
    env: { ...process.env, ...env, STAGEDOOR_REPORT: report, STAGEDOOR_LINES: '3' },
  });
  const limit = setTimeout(() => child.kill('SIGTERM'), LIMIT_MS);
  const stop = (signal: NodeJS.Signals) => void child.kill(signal);
  process.on('SIGINT', stop).on('SIGTERM', stop);
  child.stdio[3]?.on('data', (chunk: Buffer) => onLine(stripNewline(chunk.toString())));
  const code = await new Promise<number>((resolve) => {
    child.on('error', () => resolve(1));
    child.on('close', (exitCode) => resolve(exitCode ?? 1));
  });
  clearTimeout(limit);
  process.off('SIGINT', stop).off('SIGTERM', stop);
  const text = readText(report);
  return { code, report: text === undefined ? undefined : JSON.parse(text) };
}

/**
 * The counts of a run. A runner that fails without a failed test (a crash), writes no report or runs nothing counts as
 * one failure.
 */
export function evaluateRun(code: number, report: RunReport | undefined): TestCounts & { output: string } {
  const counts = report ? countTests(report) : { passed: 0, failed: 0, skipped: 0 };
  const { passed, failed } = counts;
  if (failed > 0) return { ...counts, output: '' };
  const seeLog = 'What it printed is in .cache/results/output.log.';
  if (code !== 0) return { ...counts, failed: 1, output: `The test runner ended with exit code ${code}. ${seeLog}` };
  if (passed === 0) return { ...counts, failed: 1, output: 'No tests ran.' };
  return { ...counts, output: '' };
}
