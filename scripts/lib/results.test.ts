import { describe, expect, test } from 'vitest';
import {
  countTests,
  type FileRecord,
  formatFile,
  listFailures,
  listFlaky,
  mergeRerun,
  type RunReport,
  type TestRecord,
} from './results.ts';

const record = (name: string, status: TestRecord['status'] = 'passed', more: Partial<TestRecord> = {}): TestRecord => ({
  name,
  status,
  seconds: 1,
  errors: status === 'failed' ? [`${name} is wrong`] : [],
  ...more,
});
const file = (tests: TestRecord[], more: Partial<FileRecord> = {}): FileRecord => ({
  path: 'server/a.test.ts',
  seconds: 1.25,
  tests,
  errors: [],
  ...more,
});
const report = (...files: FileRecord[]): RunReport => ({ files, errors: [] });

describe('counts', () => {
  test('include each test once, and a flaky one as passed', () => {
    const tests = [record('a'), record('b', 'failed'), record('c', 'skipped'), record('d', 'flaky')];
    expect(countTests(report(file(tests)))).toEqual({ passed: 2, failed: 1, skipped: 1 });
  });

  test('include a file that fails to load, and all errors outside files, as one failure each', () => {
    const broken = file([], { errors: ['no such module', 'and another error'] });
    expect(countTests({ files: [broken], errors: ['one', 'two'] })).toEqual({ passed: 0, failed: 2, skipped: 0 });
  });
});

test('a file is reported on one line with its status, path, tests and seconds', () => {
  expect(formatFile(file([record('a')]))).toBe('  ✓ server/a.test.ts  1 test  1.3 s');
  expect(formatFile(file([record('a'), record('b', 'failed')]))).toBe('  ✗ server/a.test.ts  2 tests, 1 failed  1.3 s');
  expect(formatFile(file([record('a', 'skipped')]))).toBe('  – server/a.test.ts  1 test, 1 skipped  1.3 s');
});

describe('a failure', () => {
  test('names the test, the problem and the command that runs it alone', () => {
    const failed = record('sums > add up (twice)', 'failed', { errors: ['\u001b[31mexpected 1 to be 2\u001b[39m'] });
    expect(listFailures(report(file([failed, record('other')])))).toEqual([
      [
        '✗ server/a.test.ts › sums > add up (twice)',
        '    expected 1 to be 2',
        String.raw`    Alone: npm test -- server/a.test.ts -t 'sums add up \(twice\)'`,
      ].join('\n'),
    ]);
  });

  test('of an end-to-end test names its line and trace', () => {
    const failed = record('pays', 'failed', { line: 7, trace: 'test-results/pays/trace.zip' });
    const [text] = listFailures(report(file([failed], { path: 'e2e/a.spec.ts' })));
    expect(text).toContain('✗ e2e/a.spec.ts:7 › pays');
    expect(text).toContain('Trace: npx playwright show-trace test-results/pays/trace.zip');
    expect(text).toContain('Alone: JOURNEY_TRACE=1 npm test -- e2e/a.spec.ts:7');
  });

  test('shows the first lines of a long message, and the line with the seed', () => {
    const message = [...Array.from({ length: 40 }, (_, index) => `line ${index}`), '{ seed: 42, path: "3:1" }'];
    const [text = ''] = listFailures(report(file([record('a', 'failed', { errors: [message.join('\n')] })])));
    expect(text).toContain('line 13\n    { seed: 42, path: "3:1" }\n    …');
    expect(text).not.toContain('line 14');
  });

  test('of a generated list names the command that writes it', () => {
    const failed = record('a', 'failed', { errors: ['Error: Snapshot `a 1` mismatched'] });
    expect(listFailures(report(file([failed])))[0]).toContain('npm test -- --update');
  });

  test('of a file is printed with the output of the file', () => {
    const broken = file([], { errors: ['no such module'], output: 'a warning\n' });
    expect(listFailures({ files: [broken], errors: ['a crash'] })).toEqual([
      '✗ server/a.test.ts\n    no such module',
      '  Output of server/a.test.ts:\n    a warning',
      '✗ Outside the tests\n    a crash',
    ]);
  });
});

describe('a rerun', () => {
  const merge = (first: FileRecord, second: FileRecord) =>
    mergeRerun(report(first, file([], { path: 'b' })), report(second));

  test('marks a test as flaky that fails in one of two runs', () => {
    const merged = merge(
      file([record('a', 'failed'), record('b'), record('c')]),
      file([record('a'), record('b', 'failed'), record('c')]),
    );
    expect(merged.files[0]?.tests.map(({ status }) => status)).toEqual(['flaky', 'flaky', 'passed']);
    expect(listFlaky(merged)).toEqual(['server/a.test.ts › a: a is wrong', 'server/a.test.ts › b: b is wrong']);
    expect(merged.files[1]?.path).toBe('b');
  });

  test('keeps a test failed that fails twice', () => {
    const merged = merge(file([record('a', 'failed')]), file([record('a', 'failed')]));
    expect(countTests(merged)).toMatchObject({ passed: 0, failed: 1 });
  });

  test('marks the first test of a file as flaky if the file only loads in the second run', () => {
    const merged = merge(file([], { errors: ['no database'] }), file([record('a'), record('b')]));
    expect(countTests(merged)).toMatchObject({ passed: 2, failed: 0 });
    expect(listFlaky(merged)).toEqual(['server/a.test.ts › a: no database']);
  });
});
