import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cacheFolder, root } from './project.mjs';
import type { RunReport } from './results.ts';
import { evaluateRun, type RunnerResult, runTests } from './runner.ts';
import { createPlaywrightArgs, createVitestArgs } from './test-runs.ts';

let folder: string;
beforeAll(() => {
  mkdirSync(cacheFolder, { recursive: true });
  folder = mkdtempSync(join(cacheFolder, 'reporter-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const listStatuses = ({ files }: RunReport) =>
  Object.fromEntries(files.map(({ path, tests }) => [path, tests.map(({ name, status }) => `${status} ${name}`)]));
const toPath = (name: string) => join(relative(root, folder), name);

async function runHere(args: string[]): Promise<RunnerResult & { lines: string[]; report: RunReport }> {
  const lines: string[] = [];
  const onLine = (text: string) => void lines.push(...text.split('\n'));
  const result = await runTests({ args, report: join(folder, 'report.json'), env: { CI: '' }, onLine });
  if (!result.report) throw new Error(`no report, exit code ${result.code}`);
  return { ...result, report: result.report, lines };
}

test('unit test results are reported by file', async () => {
  write('vitest.config.mjs', "export default { test: { include: ['*.test.mjs'] } };");
  write(
    'good.test.mjs',
    `import { describe, expect, test } from 'vitest';
     describe('sums', () => { test('add up', () => console.log('noise')); test.skip('later', () => {}); });
     test('fails', () => { console.log('a hint'); expect(1).toBe(2); });`,
  );
  write('broken.test.mjs', "import './no-such-file.mjs';");
  const args = createVitestArgs(`--root=${folder}`, `--config=${join(folder, 'vitest.config.mjs')}`);
  const { code, report, lines } = await runHere(args);
  expect(listStatuses(report)).toEqual({
    [toPath('good.test.mjs')]: ['passed sums > add up', 'skipped sums > later', 'failed fails'],
    [toPath('broken.test.mjs')]: [],
  });
  expect(evaluateRun(code, report)).toEqual({ passed: 1, failed: 2, skipped: 1, output: '' });
  expect(lines.map((line) => line.replace(/\d+\.\d s/, 's')).sort()).toEqual([
    `  ✗ ${toPath('broken.test.mjs')}  0 tests, does not run  s`,
    `  ✗ ${toPath('good.test.mjs')}  3 tests, 1 failed, 1 skipped  s`,
  ]);
  const good = report.files.find(({ path }) => path === toPath('good.test.mjs'));
  expect(good?.output).toContain('a hint');
  expect(good?.tests[2]?.errors[0]).toMatch(/expected 1 to be 2[\s\S]*good\.test\.mjs:3/);
  expect(good?.timings?.import).toBeGreaterThan(0);
});

test('end-to-end test results are reported by file, and one that passes when rerun is flaky', async () => {
  write(
    'playwright.config.mjs',
    `export default { testDir: ${JSON.stringify(folder)}, workers: 1, testMatch: '*.spec.mjs' };`,
  );
  write(
    'journey.spec.mjs',
    `import { expect, test } from '@playwright/test';
     test('passes', () => {});
     test('recovers', ({}, info) => expect(info.retry).toBe(1));
     test.describe('a group', () => { test('fails', () => { throw new Error('no page'); }); test.skip('later', () => {}); });`,
  );
  const config = `--config=${join(folder, 'playwright.config.mjs')}`;
  const { code, report, lines } = await runHere(createPlaywrightArgs(config, '--retries=1'));
  expect(report.errors).toEqual([]);
  expect(listStatuses(report)).toEqual({
    [toPath('journey.spec.mjs')]: [
      'passed passes',
      'flaky recovers',
      'failed a group › fails',
      'skipped a group › later',
    ],
  });
  expect(evaluateRun(code, report)).toEqual({ passed: 2, failed: 1, skipped: 1, output: '' });
  expect(lines.map((line) => line.replace(/\d+\.\d s/, 's'))).toEqual([
    `  ✗ ${toPath('journey.spec.mjs')}  4 tests, 1 failed, 1 flaky, 1 skipped  s`,
  ]);
  expect(report.files[0]?.tests[2]).toMatchObject({
    line: 4,
    errors: [expect.stringContaining('no page'), expect.anything()],
  });
});

describe('a run', () => {
  const passed: RunReport = {
    files: [{ path: 'a', seconds: 1, tests: [{ name: 'a', status: 'passed', seconds: 1, errors: [] }], errors: [] }],
    errors: [],
  };

  test('fails when the runner fails without a failed test', () => {
    expect(evaluateRun(0, passed)).toMatchObject({ passed: 1, failed: 0 });
    expect(evaluateRun(1, passed)).toMatchObject({ passed: 1, failed: 1 });
    expect(evaluateRun(1, undefined)).toMatchObject({ passed: 0, failed: 1 });
  });

  test('fails when it contains no tests', () => {
    expect(evaluateRun(0, { files: [], errors: [] })).toMatchObject({ passed: 0, failed: 1, output: 'No tests ran.' });
  });
});
