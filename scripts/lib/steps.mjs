/** The steps of `npm test` and `npm run check`: each runs to its end and says how much passed and failed. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { failedJourneys, failedUnits } from './failures.ts';
import { checkFloor } from './floor.ts';
import { checkModuleLists } from './module-lists.ts';
import { cacheFolder, capture, fileHash, hashFolders, readText, root, tool } from './project.mjs';
import { checkRights } from './rights.ts';
import { readHouse } from './rooms.ts';
import { checkSources } from './source-rules.mjs';
import { checkHouse } from './walls.ts';
import { ensureWebBuild } from './web-build.mjs';
import { checkWeight } from './weight.ts';

const results = join(cacheFolder, 'results');
const tsc = tool('typescript', 'bin/tsc');
/** A step that takes longer hangs; it is ended and counts as failed. */
const limitMs = 45 * 60_000;

/** Runs one program after another and stops at none: everything that is wrong is told in one go. */
async function runStatic(...programs) {
  const outputs = [];
  let failed = false;
  for (const { args, cwd = root } of programs) {
    const { code, output } = await capture(process.execPath, args, { cwd, timeout: limitMs });
    if (code === 0) continue;
    failed = true;
    outputs.push(output.trim() || `exit code ${code}`);
  }
  return { passed: failed ? 0 : 1, failed: failed ? 1 : 0, output: outputs.join('\n') };
}

function types() {
  const typegen = { args: [tool('@react-router/dev', 'bin.cjs'), 'typegen'], cwd: join(root, 'web') };
  const projects = ['contract', 'server', 'web', 'web/workers', 'tsconfig.tools.json'];
  // What did not change since the last look is not looked at again.
  const kept = (project) => join(cacheFolder, 'tsc', `${project.replaceAll('/', '-')}.tsbuildinfo`);
  const args = (project) => [tsc, '-p', project, '--incremental', '--tsBuildInfoFile', kept(project)];
  return runStatic(typegen, ...projects.map((project) => ({ args: args(project) })));
}

function lint() {
  return runStatic(
    {
      args: [
        tool('@biomejs/biome', 'bin/biome'),
        'ci',
        '--colors=off',
        '--error-on-warnings',
        '--max-diagnostics=50',
        '.',
      ],
    },
    { args: [tool('eslint', 'bin/eslint.js'), '--max-warnings=0', 'web'] },
  );
}

async function boundaries() {
  const folders = ['contract', 'server', 'web', 'e2e', 'bench', 'scripts'].filter(
    (folder) => existsSync(join(root, folder)) && readdirSync(join(root, folder)).length > 0,
  );
  const cruiser = tool('dependency-cruiser', 'bin/dependency-cruiser.mjs');
  const imports = await runStatic({
    args: [cruiser, '--output-type', 'err-long', '--config', '.dependency-cruiser.cjs', ...folders],
  });
  // Loaded here, as the route table loads the build tools of the web.
  const { checkPages } = await import('../../e2e/support/pages.ts');
  const house = readHouse();
  const breaches = [
    ...checkModuleLists(),
    ...checkPages(),
    ...checkSources(),
    ...checkHouse(house),
    ...checkRights(house),
  ];
  const failed = imports.failed > 0 || breaches.length > 0;
  const output = [imports.output, ...breaches].filter((text) => text !== '').join('\n');
  return { passed: failed ? 0 : 1, failed: failed ? 1 : 0, output };
}

function deadCode() {
  return runStatic({ args: [tool('knip', 'bin/knip.js'), '--no-progress'] });
}

function tableTypes() {
  return runStatic({ args: [join(root, 'server', 'testing', 'generate-types.ts'), '--verify'] });
}

let built;
/** One build for the steps of this process, which may run side by side: its lock is for other processes. */
const buildOnce = () => (built ??= ensureWebBuild(() => undefined));

async function build() {
  await buildOnce();
  return { passed: 1, failed: 0, output: '' };
}

/** What was built runs in the oldest browsers, and weighs no more than it may. */
async function browsers() {
  await buildOnce();
  const breaches = [...checkFloor(), ...checkWeight()];
  const failed = breaches.length > 0 ? 1 : 0;
  return { passed: 1 - failed, failed, output: breaches.join('\n') };
}

/** Runs a test runner in sight, and returns its exit code and the JSON report that it wrote beside. */
async function runner(args, report, env = {}) {
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  const limit = setTimeout(() => child.kill('SIGTERM'), limitMs);
  const code = await new Promise((resolve) => {
    child.on('error', () => resolve(1));
    child.on('exit', (exitCode) => resolve(exitCode ?? 1));
  });
  clearTimeout(limit);
  const text = readText(report);
  return { code, report: text === undefined ? undefined : JSON.parse(text) };
}

/**
 * The counts of a report, made honest: a runner that failed without a failed test (a file that does not load, a
 * crash), that wrote no report or ran nothing counts as one failure.
 */
export function judge(code, counts) {
  const passed = counts?.passed ?? 0;
  const failed = counts?.failed ?? 0;
  const skipped = counts?.skipped ?? 0;
  if (failed > 0) return { passed, failed, skipped, output: '' };
  if (code !== 0) return { passed, failed: 1, skipped, output: `The runner ended with exit code ${code}.` };
  if (passed === 0) return { passed, failed: 1, skipped, output: 'No test ran.' };
  return { passed, failed, skipped, output: '' };
}

async function vitest(...more) {
  const file = join(results, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const { code, report } = await runner([tool('vitest', 'vitest.mjs'), 'run', ...reporters, ...more], file);
  const counts = report && {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
  return { ...judge(code, counts), failures: report ? failedUnits(report, root) : [] };
}

/** Tests that take many seconds each, with films, several processes or held jobs: `npm test` runs them, `npm run check` does not. */
const slow = [
  'server/features/media/video/**',
  'server/features/chat/live/nodes.test.ts',
  'server/kernel/*-liveness.test.ts',
  'server/demo/**',
];

/**
 * Where the tests of a changed file stand: with the rooms that it is part of. Whatever imports it would be half the suite, since
 * every test of the server opens the whole house; `npm test` runs that.
 */
export function testsNear(path) {
  if (/\.test\.tsx?$/.test(path)) return [path];
  const room = /^(server\/features|web\/features)\/[^/]+\//.exec(path)?.[0];
  if (room) return room.startsWith('server') ? [room, 'server/testing/completeness.test.ts'] : [room];
  const bodies = /^server\/functions\/([^/]+)\//.exec(path)?.[1];
  if (bodies)
    return [bodies === 'kernel' ? 'server/kernel/' : `server/features/${bodies}/`, 'server/kernel/migrate.test.ts'];
  if (path.startsWith('server/migrations/')) return ['server/kernel/migrate.test.ts'];
  if (path.startsWith('contract/')) return ['contract/', 'server/testing/completeness.test.ts'];
  const folder = /^(server\/[^/]+|web|scripts|bench)\//.exec(path)?.[0];
  return folder ? [folder] : [];
}

/** The tests beside what changed since the last commit, without the slow ones; none is fine. */
async function changedTests() {
  const lists = [
    ['diff', '--name-only', 'HEAD'],
    ['ls-files', '--others', '--exclude-standard'],
  ];
  const changed = lists.flatMap((args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n'));
  const near = [...new Set(changed.flatMap(testsNear))].filter((path) => existsSync(join(root, path)));
  if (near.length === 0) return { passed: 0, failed: 0, output: '' };
  const result = await vitest('--passWithNoTests', ...near, ...slow.map((pattern) => `--exclude=${pattern}`));
  return result.output === 'No test ran.' ? { passed: 0, failed: 0, output: '' } : result;
}

async function journeys(more = [], env = {}) {
  const file = join(results, 'journeys.json');
  const { code, report } = await runner([tool('@playwright/test', 'cli.js'), 'test', ...more], file, env);
  const counts = report && {
    passed: report.stats.expected,
    failed: report.stats.unexpected + report.stats.flaky,
    skipped: report.stats.skipped,
  };
  return { ...judge(code, counts), failures: report ? failedJourneys(report) : [] };
}

/** `quiet` steps print nothing while they run and may run side by side. `programs`: needs what npm cannot bring. */
export const testSteps = [
  { name: 'types', title: 'Types', run: types, quiet: true },
  { name: 'lint', title: 'Lint and format', run: lint, quiet: true },
  { name: 'boundaries', title: 'Boundaries', run: boundaries, quiet: true },
  { name: 'dead', title: 'Dead code', run: deadCode, quiet: true },
  { name: 'tables', title: 'Table types', run: tableTypes, quiet: true },
  { name: 'build', title: 'Build of the pages', run: build, quiet: true },
  { name: 'browsers', title: 'Oldest browsers and weight', run: browsers, quiet: true },
  { name: 'vitest', title: 'Unit and integration tests', run: () => vitest(), programs: true },
  { name: 'journeys', title: 'Journeys in a browser', run: () => journeys(), programs: true },
];

/** The name of the demo world that single journeys run on: kept until what makes it changes. */
function keptWorld() {
  const stamp =
    hashFolders(['server/demo', 'server/migrations', 'server/functions']) + fileHash(join(root, 'package-lock.json'));
  return createHash('sha256').update(stamp).digest('hex').slice(0, 16);
}

/**
 * The steps for some test files: a build of the pages that is up to date, then unit and integration tests, then journeys
 * on a kept world. `name` (as in `-t name`) picks tests by their names.
 */
export function stepsOf(paths, name) {
  const isJourney = (path) => path.endsWith('.spec.ts') || path === 'e2e' || path.startsWith('e2e/');
  const [ofBrowser, ofServer] = [paths.filter(isJourney), paths.filter((path) => !isJourney(path))];
  const named = (flag) => (name === undefined ? [] : [flag, name]);
  return [
    ...testSteps.filter((step) => step.name === 'build'),
    ...(ofServer.length === 0 ? [] : [{ ...stepNamed('vitest'), run: () => vitest(...ofServer, ...named('-t')) }]),
    ...(ofBrowser.length === 0
      ? []
      : [
          {
            ...stepNamed('journeys'),
            run: () => journeys([...ofBrowser, ...named('-g')], { STAGEDOOR_WORLD: keptWorld() }),
          },
        ]),
  ];
}

function stepNamed(name) {
  return testSteps.find((step) => step.name === name);
}

export const checkSteps = [
  ...testSteps.filter(({ name }) => ['types', 'lint', 'boundaries', 'dead', 'tables'].includes(name)),
  { name: 'changed', title: 'Tests near what changed', run: changedTests },
];

async function runStep(step) {
  const started = performance.now();
  let result;
  try {
    result = await step.run();
  } catch (error) {
    result = { passed: 0, failed: 1, output: error instanceof Error ? error.message : String(error) };
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const counts =
    result.passed + result.failed > 1 || result.skipped ? `, ${result.passed} passed, ${result.failed} failed` : '';
  const skipped = result.skipped ? `, ${result.skipped} skipped` : '';
  if (result.output !== '') console.log(`\n${result.output}`);
  console.log(`${result.failed === 0 ? '✓' : '✗'} ${step.title} (${seconds} s${counts}${skipped})`);
  return { ...result, title: step.title };
}

/** Runs all steps, quiet ones two at a time (one tends to wait while another computes), and returns their results. */
export async function runSteps(steps) {
  const done = [];
  const quiet = steps.filter((step) => step.quiet);
  const next = async () => {
    for (let step = quiet.shift(); step !== undefined; step = quiet.shift()) done.push(await runStep(step));
  };
  await Promise.all([next(), next()]);
  for (const step of steps.filter((candidate) => !candidate.quiet)) {
    console.log(`\n${step.title}`);
    done.push(await runStep(step));
  }
  return done;
}
