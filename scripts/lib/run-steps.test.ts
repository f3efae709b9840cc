import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CheckStep, createStepResult, runSteps } from './run-steps.ts';
import { skipUnchanged } from './static-steps.ts';
import { formatSummary, summarize } from './summary.ts';

let printed: string[] = [];
const print = (text: string) => void printed.push(text.replace(/\(\d+\.\d s/, '(0.0 s'));
const step = (name: string, more: Partial<CheckStep> = {}): CheckStep => ({
  name,
  title: name,
  run: async () => createStepResult([]),
  ...more,
});
let folder: string;
beforeEach(() => {
  printed = [];
  folder = mkdtempSync(join(tmpdir(), 'stagedoor-steps-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('steps', () => {
  test('print when they begin and end, and problems as soon as they are found', async () => {
    const run: CheckStep['run'] = async (reportProblem) => {
      reportProblem('a.ts(1,1): wrong');
      print('later');
      return createStepResult(['a.ts(1,1): wrong']);
    };
    await runSteps([step('types', { run })], { print, printsProblems: true });
    expect(printed).toEqual(['▶ types', 'a.ts(1,1): wrong', 'later', '✗ types (0.0 s)']);
  });

  test('run two quiet ones and all background ones concurrently, and the others after them', async () => {
    const gates = new Map<string, () => void>();
    const createGatedStep = (name: string, more: Partial<CheckStep>) =>
      step(name, {
        ...more,
        run: async () => {
          await new Promise<void>((resolve) => gates.set(name, resolve));
          return createStepResult([]);
        },
      });
    const all = runSteps(
      [
        createGatedStep('install', { background: true }),
        createGatedStep('a', { quiet: true }),
        createGatedStep('b', { quiet: true }),
        createGatedStep('c', { quiet: true }),
        step('tests'),
      ],
      { print },
    );
    expect(printed).toEqual(['▶ install', '▶ a', '▶ b']);
    gates.get('a')?.();
    await expect.poll(() => printed.at(-1)).toBe('▶ c');
    for (const name of ['b', 'c', 'install']) gates.get(name)?.();
    expect((await all).map(({ name }) => name).at(-1)).toBe('tests');
    expect(printed.slice(-2)).toEqual(['▶ tests', '✓ tests (0.0 s)']);
  });

  test('that throw fail without stopping the next ones', async () => {
    const run = () => Promise.reject(new Error('no network'));
    const done = await runSteps([step('a', { run }), step('b')], { print });
    expect(done).toMatchObject([{ failed: 1, output: 'no network' }, { passed: 1 }]);
  });

  test('that passed are skipped until their inputs change, and then run with the changed files', async () => {
    const runs: (readonly string[] | undefined)[] = [];
    const run: CheckStep['run'] = async (_reportProblem, changed) => {
      runs.push(changed);
      return createStepResult(runs.length === 1 ? ['wrong'] : []);
    };
    const runCheck = (inputs: string[]) => runSteps([skipUnchanged(step('a', { run }), inputs, folder)], { print });
    for (let round = 0; round < 3; round++) await runCheck(['scripts/lib/load.ts']);
    expect(runs).toEqual([undefined, undefined]);
    expect(printed.at(-1)).toBe('✓ a (unchanged since it passed)');
    await runCheck(['scripts/lib/load.ts', 'scripts/lib/repeat.ts']);
    expect(runs[2]).toEqual(['scripts/lib/repeat.ts']);
  });
});

describe('the summary', () => {
  const finished = (flaky: string[]) => ({ name: 'vitest', title: 'Tests', passed: 9, failed: 0, output: '', flaky });

  test('lists flaky tests', () => {
    const summary = summarize([finished(['a', 'b', 'c'])], folder);
    expect(summary).toMatchObject({ passed: 9, failed: 0 });
    expect(formatSummary(summary)).toBe('\nflaky:\n  a\n  b\n  c');
  });

  test('fails a run with more than three of them', () => {
    const summary = summarize([finished(['a', 'b']), finished(['c', 'd'])], folder);
    expect(summary).toMatchObject({ passed: 18, failed: 1 });
    expect(formatSummary(summary)).toContain('4 tests passed only when they were run again; 3 may.');
  });
});
