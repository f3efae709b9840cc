/**
 * `npm run mutants`: mutation testing of the code where a mistake costs money, privacy or trust. `-- ledger sales` runs
 * chosen groups, `-- --since REF` only mutants in lines that differ from a commit, and `-- --file PATH` (with
 * `:FROM-TO` for a range of lines) only mutants in chosen files of the groups. Reports are in `.cache/mutants`.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cacheFolder, command, Refusal, root } from './lib/project.mjs';
import { enterRuntime } from './lib/runtime.mjs';
import { GROUPS } from './mutants/groups.mjs';

const folder = join(cacheFolder, 'mutants');

/** The server and what it loads from the repository. */
const COPIED = ['contract', 'server', 'scripts', 'package.json', 'tsconfig.base.json'];
/** A mutant that loops for ever is found by its hit count, so this only has to cover what waits. */
const TIMEOUT_MS = 120_000;

function parse(args) {
  const options = {
    since: { type: 'string' },
    file: { type: 'string', multiple: true, default: [] },
    concurrency: { type: 'string', default: '1' },
  };
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new Refusal(error instanceof Error ? error.message : String(error));
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

function toMutate(group, { since, file: chosen }) {
  const sources = listFiles(group.mutate).filter(isSource);
  if (chosen.length > 0) return chosen.filter((path) => sources.includes(path.replace(/:[\d-]+$/, '')));
  return since === undefined ? sources : sources.flatMap((file) => changedRanges(file, since));
}

const STATUSES = ['Killed', 'Timeout', 'Survived', 'NoCoverage', 'RuntimeError', 'Ignored'];

function summarize(mutants) {
  const counts = Object.fromEntries(
    STATUSES.map((status) => [status, mutants.filter((mutant) => mutant.status === status).length]),
  );
  const found = counts.Killed + counts.Timeout;
  const valid = found + counts.Survived + counts.NoCoverage;
  return { counts, score: valid === 0 ? undefined : (100 * found) / valid };
}

function describe({ fileName, location, mutatorName, replacement, status }) {
  const text = (replacement ?? '').replaceAll(/\s+/g, ' ').slice(0, 80);
  return `  ${status.padEnd(10)} ${fileName}:${location.start.line}:${location.start.column}  ${mutatorName} → ${text}`;
}

async function runGroup(name, mutate, concurrency) {
  const { Stryker } = await import('@stryker-mutator/core');
  const output = join(folder, name);
  mkdirSync(output, { recursive: true });
  const results = await new Stryker({
    mutate,
    testFiles: listFiles(GROUPS[name].tests),
    ignorePatterns: readdirSync(root).filter((name) => !COPIED.includes(name)),
    tempDirName: join('.cache', 'mutants', 'copy'),
    testRunner: 'vitest',
    vitest: { configFile: 'scripts/mutants/vitest.config.mjs', related: false },
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    concurrency,
    timeoutMS: TIMEOUT_MS,
    timeoutFactor: 4,
    dryRunTimeoutMinutes: 60,
    reporters: ['html', 'json', 'progress-append-only'],
    htmlReporter: { fileName: join(output, 'report.html') },
    jsonReporter: { fileName: join(output, 'report.json') },
    allowConsoleColors: false,
  }).runMutationTest();
  const { counts, score } = summarize(results);
  const open = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage').map(describe);
  const line = `${name}: ${score === undefined ? 'nothing to run' : `${score.toFixed(1)} %`} (${STATUSES.map(
    (status) => `${status} ${counts[status]}`,
  ).join(', ')})`;
  writeFileSync(join(output, 'summary.txt'), `${[line, ...open].join('\n')}\n`);
  return { name, line, open, score };
}

await command(async (args) => {
  await enterRuntime();
  const { values, positionals } = parse(args);
  const unknown = positionals.find((name) => !(name in GROUPS));
  if (unknown !== undefined) throw new Refusal(`Unknown: ${unknown}. Groups: ${Object.keys(GROUPS).join(', ')}.`);
  process.env.TEST_POSTGRES_DATA ??= join(cacheFolder, 'test-postgres');
  const results = [];
  for (const name of positionals.length > 0 ? positionals : Object.keys(GROUPS)) {
    const mutate = toMutate(GROUPS[name], values);
    if (mutate.length > 0) results.push(await runGroup(name, mutate, Number(values.concurrency)));
  }
  for (const { line, open } of results) console.log(`\n${[line, ...open].join('\n')}`);
  return results.some(({ name, score }) => score !== undefined && score < (GROUPS[name].target ?? 0)) ? 1 : 0;
});
