import { expect, test } from 'vitest';
import { judge, stepsOf, testsNear } from './steps.mjs';

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

test('the tests beside a change are those of its room, and none that merely open the house', () => {
  expect(testsNear('server/features/chat/thread/thread.ts')).toEqual([
    'server/features/chat/',
    'server/testing/completeness.test.ts',
  ]);
  expect(testsNear('server/functions/ledger/ledger_post.sql')).toEqual([
    'server/features/ledger/',
    'server/kernel/migrate.test.ts',
  ]);
  expect(testsNear('server/kernel/db.ts')).toEqual(['server/kernel/']);
  expect(testsNear('web/ui/stat.tsx')).toEqual(['web/']);
  expect(testsNear('web/features/wallet/live.ts')).toEqual(['web/features/wallet/']);
  expect(testsNear('contract/posts.ts')).toEqual(['contract/', 'server/testing/completeness.test.ts']);
  expect(testsNear('server/kernel/db.test.ts')).toEqual(['server/kernel/db.test.ts']);
  expect(testsNear('README.md')).toEqual([]);
});
