import { expect, test } from 'vitest';
import { judge, stepsOf } from './steps.mjs';

test('a run counts what its report says', () => {
  expect(judge(0, { passed: 3, failed: 0, skipped: 1 })).toMatchObject({ passed: 3, failed: 0, skipped: 1 });
  expect(judge(1, { passed: 3, failed: 2, skipped: 0 })).toMatchObject({ passed: 3, failed: 2 });
});

test('a runner that fails without a failed test counts as a failure', () => {
  expect(judge(1, { passed: 3, failed: 0, skipped: 0 })).toMatchObject({ passed: 3, failed: 1 });
  expect(judge(1, undefined)).toMatchObject({ passed: 0, failed: 1 });
});

test('a run of nothing is a failure', () => {
  expect(judge(0, { passed: 0, failed: 0, skipped: 4 })).toMatchObject({ passed: 0, failed: 1 });
  expect(judge(0, undefined)).toMatchObject({ passed: 0, failed: 1 });
});

test('files are run by what they are, after a build that is up to date', () => {
  const names = (...paths: string[]) => stepsOf(paths).map(({ name }) => name);
  expect(names('server/kernel/ids.test.ts')).toEqual(['build', 'vitest']);
  expect(names('e2e/likes.spec.ts')).toEqual(['build', 'journeys']);
  expect(names('e2e/likes.spec.ts', 'contract')).toEqual(['build', 'vitest', 'journeys']);
});
