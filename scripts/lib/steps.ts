import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATORS } from './generated.ts';
import { findModuleFolder } from './module-folders.ts';
import { isJourney, listPrograms, needsDatabase } from './needs.ts';
import { root } from './project.mjs';
import { type CheckStep, createStepResult } from './run-steps.ts';
import { skipUnchanged, staticSteps } from './static-steps.ts';
import { ensurePrograms, type Program, programs } from './system.mjs';
import { getWorldName, runJourneys, runUnits } from './test-runs.ts';

function createInstallStep(needed: readonly Program[]): CheckStep {
  const run = async () => {
    await ensurePrograms(needed);
    return createStepResult([]);
  };
  return { name: 'programs', title: 'Programs for the tests', run, background: true };
}

const unitStep: CheckStep = { name: 'vitest', title: 'Unit and integration tests', run: () => runUnits() };
const journeyStep: CheckStep = { name: 'journeys', title: 'End-to-end tests', run: () => runJourneys() };

export const testSteps: readonly CheckStep[] = [createInstallStep(programs), ...staticSteps, unitStep, journeyStep];

/** The steps with these names and the programs that they need, or all steps if no name is given. */
export function selectSteps(names: readonly string[]): readonly CheckStep[] {
  if (names.length === 0) return testSteps;
  const needsPrograms = names.some((name) => name === unitStep.name || name === journeyStep.name);
  return testSteps.filter(({ name }) => names.includes(name) || (name === 'programs' && needsPrograms));
}

export interface TestSelection {
  name?: string | undefined;
  seed?: string | undefined;
  env?: Record<string, string>;
}

/**
 * The steps for selected test files: installing the programs that they need, unit and integration tests, then the build
 * of the pages and end-to-end tests on a copy of a stored demo world.
 */
export function selectFiles(paths: readonly string[], { name, seed, env = {} }: TestSelection = {}): CheckStep[] {
  const [journeys, units] = [paths.filter(isJourney), paths.filter((path) => !isJourney(path))];
  const missing = listPrograms(paths).filter((program) => program.find() === undefined);
  const steps: CheckStep[] = missing.length === 0 ? [] : [createInstallStep(missing)];
  if (units.length > 0) {
    const args = [
      ...(name === undefined ? [] : ['-t', name]),
      ...(seed === undefined ? [] : ['--sequence.shuffle', `--sequence.seed=${seed}`]),
    ];
    // Tests without a database start faster when they do not wait for PostgreSQL.
    const database: Record<string, string> = needsDatabase(units) ? {} : { STAGEDOOR_DATABASE: 'on-demand' };
    steps.push({ ...unitStep, run: () => runUnits({ filters: units, args, env: { ...env, ...database } }) });
  }
  if (journeys.length > 0) {
    const filters = [...journeys, ...(name === undefined ? [] : ['-g', name])];
    steps.push(...staticSteps.filter((step) => step.name === 'build').map((step) => ({ ...step, quiet: false })));
    steps.push({ ...journeyStep, run: () => runJourneys(filters, { ...env, STAGEDOOR_WORLD: getWorldName() }) });
  }
  return steps;
}

/** Tests that take many seconds each. `npm test` runs them, `npm run check` does not. */
const SLOW = [
  'server/modules/content/media/jobs/video/**',
  'server/modules/content/media-processing/video/**',
  'server/modules/messaging/chat/live/processes.test.ts',
  'server/platform/jobs/*-liveness.test.ts',
  'server/demo/**',
];

/** They follow from other files, whose tests run. */
const GENERATED_FILES = new Set(GENERATORS.flatMap(({ files }) => files));

/**
 * The tests of a changed file's module. All tests that import the file would be half the suite, because every
 * integration test imports the whole server. `npm test` runs those.
 */
export function listNearbyTests(path: string): string[] {
  if (/\.test\.tsx?$/.test(path)) return [path];
  if (GENERATED_FILES.has(path) || !/\.(tsx?|mjs|sql)$/.test(path)) return [];
  const moduleFolder = /^(server|web)\/modules\/[^/]+\/[^/]+\//.exec(path)?.[0];
  if (moduleFolder)
    return moduleFolder.startsWith('server') ? [moduleFolder, 'server/testing/completeness.test.ts'] : [moduleFolder];
  const sqlFolder = /^server\/functions\/([^/]+)\//.exec(path)?.[1];
  if (sqlFolder) return [findModuleFolder(sqlFolder) ?? 'server/platform/', 'server/platform/database/migrate.test.ts'];
  if (path.startsWith('server/migrations/')) return ['server/platform/database/migrate.test.ts'];
  if (path.startsWith('contract/')) return ['contract/', 'server/testing/completeness.test.ts'];
  if (path.startsWith('server/testing/')) return ['server/testing/completeness.test.ts'];
  const folder = /^(server\/platform\/[^/]+|(?:server|web)\/[^/]+|web|scripts|bench)\//.exec(path)?.[0];
  return folder ? [folder] : [];
}

async function runChangedTests() {
  const lists = [
    ['diff', '--name-only', 'HEAD'],
    ['ls-files', '--others', '--exclude-standard'],
  ];
  const changed = lists.flatMap((args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n'));
  const filters = [...new Set(changed.flatMap(listNearbyTests))].filter((path) => existsSync(join(root, path)));
  if (filters.length === 0) return { passed: 0, failed: 0, output: '', note: 'nothing changed' };
  const result = await runUnits({ filters, args: ['--passWithNoTests', ...SLOW.map((slow) => `--exclude=${slow}`)] });
  return result.output === 'No tests ran.' ? { passed: 0, failed: 0, output: '', note: 'no tests there' } : result;
}

/** The types come first, and the tests after all other steps. */
export const checkSteps: readonly CheckStep[] = [
  ...staticSteps.filter(({ name }) => !['build', 'browsers'].includes(name)).map((step) => skipUnchanged(step)),
  { name: 'changed', title: 'Tests near what changed', run: runChangedTests },
];
