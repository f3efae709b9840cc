/**
 * `npm run mutants`: mutation testing of code where a mistake costs money, privacy or trust. `-- ledger sales` runs
 * selected groups, `-- --since REF` only mutants in lines that differ from a commit, and `-- --file PATH` (with
 * `:FROM-TO` for a range of lines) only mutants in selected files. `-- --incremental` reuses the results of mutants
 * whose file and tests are unchanged since the last such run. Reports are in `.cache/mutants`.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, cacheFolder, root, runMain } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';
import { GROUPS } from './mutants/groups.mjs';

const folder = join(cacheFolder, 'mutants');

const COPIED = ['contract', 'server', 'scripts', 'package.json', 'tsconfig.base.json'];
/** Added to four times the duration of the tests without a mutant. */
const TIMEOUT_MS = { unit: 15_000, server: 60_000 };

function parseOptions(args) {
  const options = {
    since: { type: 'string' },
    file: { type: 'string', multiple: true, default: [] },
    concurrency: { type: 'string', default: '1' },
    incremental: { type: 'boolean', default: false },
  };
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error));
  }
}

const isSource = (file) => !/\.(test|testing)\.ts$|\/(manifest|testing)\.ts$|\.d\.ts$/.test(file);
const listFiles = (patterns) => [...new Set(globSync(patterns, { cwd: root }))].sort();

/** The line ranges of a file that differ from a commit, as Stryker reads them: `file:from-to`. */
function changedRanges(file, since) {
  const diff = execFileSync('git', ['diff', '--unified=0', since, '--', file], { cwd: root, encoding: 'utf8' });
  return [...diff.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)]
    .map(([, from, count = '1']) => ({ from: Number(from), count: Number(count) }))
    .filter(({ count }) => count > 0)
    .map(({ from, count }) => `${file}:${from}-${from + count - 1}`);
}

function listMutated(part, { since, file: chosen }) {
  const sources = listFiles(part.mutate).filter(isSource);
  if (chosen.length > 0) return chosen.filter((path) => sources.includes(path.replace(/:[\d-]+$/, '')));
  return since === undefined ? sources : sources.flatMap((file) => changedRanges(file, since));
}

const STATUSES = ['Killed', 'Timeout', 'Survived', 'NoCoverage', 'RuntimeError', 'Ignored'];

function readReport(file) {
  const { files } = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries(files).flatMap(([fileName, { mutants }]) => mutants.map((mutant) => ({ ...mutant, fileName })));
}

function summarize(mutants) {
  const counts = Object.fromEntries(
    STATUSES.map((status) => [status, mutants.filter((mutant) => mutant.status === status).length]),
  );
  const found = counts.Killed + counts.Timeout;
  const valid = found + counts.Survived + counts.NoCoverage;
  return { counts, score: valid === 0 ? undefined : (100 * found) / valid };
}

function formatMutant({ fileName, location, mutatorName, replacement, status }) {
  const text = (replacement ?? '').replaceAll(/\s+/g, ' ').slice(0, 80);
  return `  ${status.padEnd(10)} ${fileName}:${location.start.line}:${location.start.column}  ${mutatorName} → ${text}`;
}

async function runPart(name, mutate, { tests, isUnit = false }, { concurrency, incremental }) {
  const kind = isUnit ? 'unit' : 'server';
  const { Stryker } = await import('@stryker-mutator/core');
  const output = join(folder, name);
  const copy = join('.cache', 'mutants', 'copy', name);
  rmSync(join(root, copy), { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  await new Stryker({
    mutate,
    testFiles: listFiles(tests),
    ignorePatterns: readdirSync(root).filter((entry) => !COPIED.includes(entry)),
    tempDirName: copy,
    testRunner: 'vitest',
    vitest: { configFile: `scripts/mutants/${kind}.vitest.config.mjs`, related: false },
    coverageAnalysis: 'perTest',
    // The server is loaded once for all mutants, so code that runs only at load time cannot be mutated.
    ignoreStatic: !isUnit,
    concurrency: Number(concurrency),
    incremental,
    incrementalFile: join(output, 'incremental.json'),
    timeoutMS: TIMEOUT_MS[kind],
    timeoutFactor: 4,
    dryRunTimeoutMinutes: 60,
    reporters: ['html', 'json', 'progress-append-only'],
    htmlReporter: { fileName: join(output, 'report.html') },
    jsonReporter: { fileName: join(output, 'report.json') },
    allowConsoleColors: false,
  }).runMutationTest();
  return readReport(join(output, 'report.json'));
}

function writeReport(name, mutants) {
  const { counts, score } = summarize(mutants);
  const numbers = STATUSES.map((status) => `${counts[status]} ${status}`).join(', ');
  const survivors = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  const text = [
    `${name}: ${score === undefined ? '–' : `${score.toFixed(1)} %`} (${numbers})`,
    ...survivors.map(formatMutant),
  ];
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.txt`), `${text.join('\n')}\n`);
  console.log(`\n${text.join('\n')}`);
  return score;
}

await runMain(async (args) => {
  await enterRuntime();
  const { values, positionals } = parseOptions(args);
  const unknown = positionals.find((name) => !(name in GROUPS));
  if (unknown !== undefined) throw new CommandError(`Unknown: ${unknown}. Groups: ${Object.keys(GROUPS).join(', ')}.`);
  // All parts share one PostgreSQL, with the tests of this folder too. Each part runs in a copy of its own.
  const { choosePostgresFolder } = await import('../server/testing/postgres-folder.ts');
  process.env.TEST_POSTGRES_DATA ??= choosePostgresFolder();
  let isBad = false;
  for (const name of positionals.length > 0 ? positionals : Object.keys(GROUPS)) {
    const { parts, target = 0 } = GROUPS[name];
    const mutants = [];
    for (const [partName, part] of Object.entries(parts)) {
      const mutate = listMutated(part, values);
      if (mutate.length === 0) continue;
      try {
        mutants.push(...(await runPart(join(name, partName), mutate, part, values)));
      } catch (error) {
        // The usual cause is a test that fails without any mutant. The other parts still run.
        console.error(`${name}/${partName} was not finished: ${error instanceof Error ? error.message : error}`);
        isBad = true;
      }
    }
    if (mutants.length > 0 && (writeReport(name, mutants) ?? 100) < target) isBad = true;
  }
  return isBad ? 1 : 0;
});
