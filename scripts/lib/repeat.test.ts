import { expect, test } from 'vitest';
import { startLoad } from './load.ts';
import { formatRates, listFailures, PassRates } from './repeat.ts';
import type { TestRecord } from './results.ts';

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('pass rates count each test, the worst first', () => {
  const rates = new PassRates();
  const add = (...statuses: TestRecord['status'][]) => {
    const tests = statuses.map((status, index) => ({
      ...{ name: `test ${index}`, status, seconds: 1 },
      errors: status === 'failed' ? ['late\nat a.ts'] : [],
    }));
    rates.add({ files: [{ path: 'a.test.ts', seconds: 1, tests, errors: [] }], errors: [] });
  };
  add('passed', 'failed', 'skipped');
  add('passed', 'passed', 'skipped');
  expect(formatRates(rates.list())).toBe(
    ['✗   1/2  a.test.ts › test 1', '           late', '✓   2/2  a.test.ts › test 0'].join('\n'),
  );
  rates.addFailure();
  expect(rates.list()[0]).toMatchObject({ test: 'outside the tests', passed: 0, runs: 1 });
});

test('a repetition prints each failure with the first line of its error', () => {
  const tests: TestRecord[] = [
    { name: 'saves', status: 'failed', seconds: 1, errors: ['late\nat a.ts'] },
    { name: 'opens', status: 'passed', seconds: 1, errors: [] },
  ];
  const files = [
    { path: 'a.test.ts', seconds: 1, tests, errors: [] },
    { path: 'b.test.ts', seconds: 1, tests: [], errors: ['no such module\nat b.ts'] },
  ];
  expect(listFailures({ files, errors: [] })).toEqual(['a.test.ts › saves: late', 'b.test.ts: no such module']);
});

test('the load ends when it is stopped and at its deadline', async () => {
  const load = startLoad(2, 60_000);
  expect(load.pids.map(isAlive)).toEqual([true, true]);
  await load.stop();
  expect(load.pids.map(isAlive)).toEqual([false, false]);
  const short = startLoad(1, 1);
  await expect.poll(() => short.pids.map(isAlive)).toEqual([false]);
  await short.stop();
});
