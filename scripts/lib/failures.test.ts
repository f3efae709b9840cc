import { expect, test } from 'vitest';
import { failedJourneys, failedUnits } from './failures.ts';

test('a failed unit test is told by its file, its name and what it says, without colours', () => {
  const report = {
    testResults: [
      {
        name: '/house/server/a.test.ts',
        status: 'failed',
        message: '',
        assertionResults: [
          { fullName: 'adds up', status: 'passed', failureMessages: [] },
          {
            fullName: 'takes away',
            status: 'failed',
            failureMessages: [
              '\u001b[31mexpected 1 to be 2\u001b[39m\n\n    at run (/house/node_modules/runner.js:1:1)',
            ],
          },
        ],
      },
      { name: '/house/server/b.test.ts', status: 'failed', message: 'Cannot find module x', assertionResults: [] },
      { name: '/house/server/c.test.ts', status: 'passed', message: '', assertionResults: [] },
    ],
  };
  expect(failedUnits(report, '/house')).toEqual([
    'server/a.test.ts › takes away\n    expected 1 to be 2',
    'server/b.test.ts\n    Cannot find module x',
  ]);
});

test('a failed journey is told wherever its suite stands, and so is what failed outside of one', () => {
  const journey = (title: string, status: string, message?: string) => ({
    title,
    file: 'calls.spec.ts',
    line: 7,
    tests: [{ status, results: [{ errors: message === undefined ? [] : [{ message }] }] }],
  });
  const report = {
    suites: [
      {
        specs: [journey('rings', 'expected')],
        suites: [{ specs: [journey('ends', 'unexpected', 'no lamp'), journey('pays', 'flaky', 'late')] }],
      },
    ],
    errors: [{ message: 'no start' }],
  };
  expect(failedJourneys(report)).toEqual([
    'e2e/calls.spec.ts:7 › ends\n    no lamp',
    'e2e/calls.spec.ts:7 › pays\n    late',
    'outside a journey\n    no start',
  ]);
});

test('of a long message the first lines are told, and that there is more', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
  const file = { name: 'x.test.ts', status: 'failed', message: lines.join('\n'), assertionResults: [] };
  const [told] = failedUnits({ testResults: [file] }, '/house');
  expect(told?.split('\n')).toEqual(['x.test.ts', ...lines.slice(0, 12).map((line) => `    ${line}`), '    …']);
});
