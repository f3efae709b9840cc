/**
 * The steps that read the sources: types, lint, boundaries, dead code, table types, and the build of the pages. A step
 * imports its own dependencies, so that running one test file does not wait for them.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder, captureOutput, getToolPath, hashFile, readText, root } from './project.mjs';
import { type CheckStep, createStepResult, type ReportProblem, type StepResult } from './run-steps.ts';
import { ensureWebBuild } from './web-build.mjs';

/** A program that takes longer has hung. It is killed and counts as failed. */
const LIMIT_MS = 20 * 60_000;
const getCachePath = (name: string) => join(cacheFolder, name);

interface Program {
  args: readonly string[];
  cwd?: string;
  isLineByLine?: boolean;
}

async function runPrograms(reportProblem: ReportProblem, ...programs: readonly Program[]): Promise<StepResult> {
  const problems: string[] = [];
  for (const { args, cwd = root, isLineByLine = false } of programs) {
    let rest = '';
    const onOutput = (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      if (lines.length > 0) reportProblem(lines.join('\n'));
    };
    const options = { cwd, timeout: LIMIT_MS, ...(isLineByLine && { onOutput }) };
    const { code, output } = await captureOutput(process.execPath, args, options);
    if (rest !== '') reportProblem(rest);
    if (code === 0) continue;
    const problem = output.trim() || `${args[0]} ended with exit code ${code}.`;
    if (!isLineByLine) reportProblem(problem);
    problems.push(problem);
  }
  return createStepResult(problems);
}

/** The projects refer to each other (tsconfig.json). Unchanged ones are not checked again. */
function checkTypes(reportProblem: ReportProblem): Promise<StepResult> {
  return runPrograms(
    reportProblem,
    { args: [getToolPath('@react-router/dev', 'bin.cjs'), 'typegen'], cwd: join(root, 'web') },
    {
      args: [getToolPath('typescript-7', 'bin/tsc'), '--build', 'tsconfig.json', '--pretty', 'false'],
      isLineByLine: true,
    },
  );
}

const SETTINGS = ['biome.json', 'eslint.config.js', 'package-lock.json'];
/** Checking more files than this takes as long as checking all. */
const MAX_SELECTED_FILES = 300;

function lint(reportProblem: ReportProblem, changed?: readonly string[]): Promise<StepResult> {
  const isSelective =
    changed && changed.length <= MAX_SELECTED_FILES && !SETTINGS.some((path) => changed.includes(path));
  const files = isSelective ? ['--no-errors-on-unmatched', ...changed] : ['.'];
  const biome = ['ci', '--colors=off', '--error-on-warnings', '--max-diagnostics=50', ...files];
  const eslint = [
    '--max-warnings=0',
    '--cache',
    '--cache-strategy=content',
    `--cache-location=${getCachePath('eslint/')}`,
  ];
  return runPrograms(
    reportProblem,
    { args: [getToolPath('@biomejs/biome', 'bin/biome'), ...biome] },
    { args: [getToolPath('eslint', 'bin/eslint.js'), ...eslint, 'web'] },
  );
}

const FOLDERS = ['contract', 'server', 'web', 'e2e', 'bench', 'scripts'];

async function checkBoundaries(reportProblem: ReportProblem): Promise<StepResult> {
  // The route table loads the web build tools.
  const [
    { checkModuleLists },
    { checkPages },
    { readCodebase },
    { checkSources },
    { checkModules },
    { checkGrants },
    { checkVocabulary },
  ] = await Promise.all([
    import('./module-lists.ts'),
    import('../../e2e/support/pages.ts'),
    import('./modules.ts'),
    import('./source-rules.mjs'),
    import('./boundaries.ts'),
    import('./db-grants.ts'),
    import('./vocabulary.ts'),
  ]);
  const codebase = readCodebase();
  const breaches = [
    ...checkModuleLists(),
    ...checkPages(),
    ...checkSources(),
    ...checkVocabulary(),
    ...checkModules(codebase),
    ...checkGrants(codebase),
  ];
  for (const breach of breaches) reportProblem(breach);
  const imports = await runPrograms(reportProblem, {
    args: [
      getToolPath('dependency-cruiser', 'bin/dependency-cruiser.mjs'),
      '--output-type=err-long',
      '--config=.dependency-cruiser.cjs',
      ...FOLDERS,
    ],
  });
  return createStepResult([...breaches, imports.output].filter((text) => text !== ''));
}

function findDeadCode(reportProblem: ReportProblem): Promise<StepResult> {
  return runPrograms(reportProblem, {
    // Without its cache, which does not notice a route that moved to another page.
    args: [getToolPath('knip', 'bin/knip.js'), '--no-progress'],
  });
}

function checkTableTypes(reportProblem: ReportProblem): Promise<StepResult> {
  return runPrograms(reportProblem, { args: [join(root, 'server', 'testing', 'generate-types.ts'), '--verify'] });
}

let buildPromise: Promise<unknown> | undefined;
const buildOnce = () => (buildPromise ??= ensureWebBuild(() => undefined));

async function build(): Promise<StepResult> {
  await buildOnce();
  return createStepResult([]);
}

/** Checks that the built pages run in the oldest supported browsers and stay within the size budget. */
async function checkBuild(): Promise<StepResult> {
  const [{ checkBrowserSupport }, { checkBundleBudget }] = await Promise.all([
    import('./browser-support.ts'),
    import('./bundle-budget.ts'),
  ]);
  await buildOnce();
  return createStepResult([...checkBrowserSupport(), ...checkBundleBudget()]);
}

export const staticSteps: readonly CheckStep[] = [
  { name: 'types', title: 'Types', run: checkTypes, quiet: true },
  { name: 'lint', title: 'Lint and format', run: lint, quiet: true },
  { name: 'build', title: 'Build of the pages', run: build, quiet: true },
  { name: 'boundaries', title: 'Module boundaries', run: checkBoundaries, quiet: true },
  { name: 'dead', title: 'Dead code', run: findDeadCode, quiet: true },
  { name: 'tables', title: 'Table types', run: checkTableTypes, quiet: true },
  { name: 'browsers', title: 'Browser support and bundle size', run: checkBuild, quiet: true },
];

/** The files that a step of `npm run check` reads. A step that is not listed always runs. */
const INPUTS: Readonly<Record<string, readonly string[]>> = {
  lint: ['.'],
  boundaries: ['.'],
  dead: ['.'],
  tables: [
    'server/migrations',
    'server/functions',
    'server/platform',
    'server/modules/*/*/manifest.ts',
    'server/testing',
  ],
};

/** The hashes of the files below these paths that git tracks or does not ignore. */
export function hashInputs(paths: readonly string[]): Map<string, string> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...paths, 'package-lock.json'];
  const files = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 }).split('\0');
  const hashes = new Map<string, string>();
  for (const path of [...new Set(files)].sort()) {
    // A file that was deleted since the last commit is still in the list.
    if (path !== '' && existsSync(join(root, path))) hashes.set(path, hashFile(join(root, path)));
  }
  return hashes;
}

/** Makes the step pass immediately when its inputs did not change since it passed. Only `npm run check` uses this. */
export function skipUnchanged(step: CheckStep, inputs = INPUTS[step.name], folder = getCachePath('passed')): CheckStep {
  if (!inputs) return step;
  const stampFile = join(folder, `${step.name}.json`);
  return {
    ...step,
    run: async (reportProblem) => {
      const now = hashInputs(inputs);
      const text = readText(stampFile);
      const before = text === undefined ? undefined : new Map<string, string>(JSON.parse(text));
      const changed = [...now].filter(([path, hash]) => before?.get(path) !== hash).map(([path]) => path);
      const isUnchanged = before !== undefined && changed.length === 0 && before.size === now.size;
      if (isUnchanged) return { passed: 1, failed: 0, output: '', note: 'unchanged since it passed' };
      const result = await step.run(reportProblem, before && changed);
      mkdirSync(dirname(stampFile), { recursive: true });
      if (result.failed === 0) writeFileSync(stampFile, JSON.stringify([...now]));
      return result;
    },
  };
}
