import { describe, expect, test } from 'vitest';
import { listPrograms, listTestFiles } from './needs.ts';
import { listNearbyTests, selectFiles, selectSteps, testSteps } from './steps.ts';
import { programs } from './system.mjs';

describe('test files', () => {
  const names = (...paths: string[]) =>
    selectFiles(paths)
      .map(({ name }) => name)
      .filter((name) => name !== 'programs');

  test('wait for a build of the pages only when they are end-to-end tests', () => {
    expect(names('server/platform/ids.test.ts')).toEqual(['vitest']);
    expect(names('e2e/likes.spec.ts:12')).toEqual(['build', 'journeys']);
    expect(names('e2e/likes.spec.ts', 'contract')).toEqual(['vitest', 'build', 'journeys']);
  });

  test('need the programs that their code names, and no others', () => {
    const needed = (path: string) => listPrograms([path]).map(({ name }) => name);
    expect(needed('server/platform/realtime/redis.test.ts')).toEqual(['Redis']);
    expect(needed('contract')).toEqual([]);
    expect(needed('server/modules/ledger/ledger')).toEqual([]);
    expect(needed('server/modules/messaging/chat/live/processes.test.ts')).toContain('python3-socketio');
    expect(needed('e2e/likes.spec.ts')).toEqual(['Chromium', 'Chromium without windows', 'ffmpeg']);
    expect(needed('e2e/browser-engines.spec.ts:3')).toContain('Firefox');
  });

  test('need all programs together', () => {
    expect(listPrograms(['server', 'web', 'e2e'])).toEqual(programs);
    expect(listTestFiles('e2e').length).toBeGreaterThan(40);
  });
});

test('steps that run tests include the installation of the programs that the tests need', () => {
  expect(selectSteps(['types']).map(({ name }) => name)).toEqual(['types']);
  expect(selectSteps(['vitest']).map(({ name }) => name)).toEqual(['programs', 'vitest']);
  expect(selectSteps([])).toBe(testSteps);
});

test('the tests near a change are those of its module, without those that only import the server', () => {
  expect(listNearbyTests('server/modules/messaging/chat/thread/thread.ts')).toEqual([
    'server/modules/messaging/chat/',
    'server/testing/completeness.test.ts',
  ]);
  expect(listNearbyTests('server/functions/ledger/ledger_post.sql')).toEqual([
    'server/modules/ledger/ledger/',
    'server/platform/database/migrate.test.ts',
  ]);
  expect(listNearbyTests('server/platform/database/db.ts')).toEqual(['server/platform/database/']);
  expect(listNearbyTests('server/testing/samples.ts')).toEqual(['server/testing/completeness.test.ts']);
  expect(listNearbyTests('web/vite.config.ts')).toEqual(['web/']);
  expect(listNearbyTests('web/pages/post.tsx')).toEqual(['web/pages/']);
  expect(listNearbyTests('server/platform/database/tables.ts')).toEqual([]);
  expect(listNearbyTests('server/testing/limits.txt')).toEqual([]);
  expect(listNearbyTests('web/ui/stat.tsx')).toEqual(['web/ui/']);
  expect(listNearbyTests('web/modules/finance/wallet/live.ts')).toEqual(['web/modules/finance/wallet/']);
  expect(listNearbyTests('contract/content/posts.ts')).toEqual(['contract/', 'server/testing/completeness.test.ts']);
  expect(listNearbyTests('server/platform/database/db.test.ts')).toEqual(['server/platform/database/db.test.ts']);
  expect(listNearbyTests('README.md')).toEqual([]);
});
