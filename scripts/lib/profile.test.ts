import { expect, test } from 'vitest';
import { createTimeProfile, formatProfile } from './profile.ts';
import type { FileRecord } from './results.ts';

const unit: FileRecord = {
  path: 'server/a.test.ts',
  seconds: 10,
  tests: [
    { name: 'a', status: 'passed', seconds: 1, errors: [] },
    { name: 'b', status: 'passed', seconds: 3, errors: [] },
  ],
  errors: [],
  timings: { import: 4, setUp: 2 },
};
const journey: FileRecord = {
  path: 'e2e/b.spec.ts',
  seconds: 20,
  tests: [{ name: 'c', status: 'passed', seconds: 20, setUpSeconds: 8, errors: [] }],
  errors: [],
};

test('a profile lists the time of each file, the longest first', () => {
  const databases = [
    { path: 'server/a.test.ts', ms: 500 },
    { path: 'server/a.test.ts', ms: 250 },
  ];
  const profile = createTimeProfile(
    [
      { files: [unit], errors: [] },
      { files: [journey], errors: [] },
    ],
    databases,
  );
  expect(profile).toEqual([
    {
      ...{ path: 'e2e/b.spec.ts', total: 20, import: 0, database: 0, setUp: 8, tests: 12, count: 1 },
      slowest: [{ name: 'c', seconds: 20, setUp: 8 }],
    },
    {
      ...{ path: 'server/a.test.ts', total: 10, import: 4, database: 0.75, setUp: 1.25, tests: 4, count: 2 },
      slowest: [
        { name: 'b', seconds: 3 },
        { name: 'a', seconds: 1 },
      ],
    },
  ]);
  expect(
    formatProfile(profile)
      .split('\n')
      .map((line) => line.trim().split(/\s+/)),
  ).toEqual([
    ['total', 'import', 'database', 'set-up', 'tests', 'count', 'file', '(seconds)'],
    ['20.0', '0.0', '0.0', '8.0', '12.0', '1', 'e2e/b.spec.ts'],
    ['10.0', '4.0', '0.8', '1.3', '4.0', '2', 'server/a.test.ts'],
    ['30.0', '4.0', '0.8', '9.3', '16.0', '3', 'all', '2', 'files'],
  ]);
});
