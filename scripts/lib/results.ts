import { appendFileSync, mkdirSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { cacheFolder } from './project.mjs';

export const resultsFolder = join(cacheFolder, 'results');
export const outputFile = join(resultsFolder, 'output.log');

export type TestStatus = 'passed' | 'failed' | 'skipped' | 'flaky';

export interface TestRecord {
  name: string;
  status: TestStatus;
  seconds: number;
  /** The part of `seconds` that hooks and fixtures take, where the runner reports it. */
  setUpSeconds?: number;
  line?: number;
  errors: string[];
  trace?: string;
  /** A file with what the page showed when the test failed. */
  page?: string;
}

export interface FileTimings {
  import: number;
  setUp: number;
}

export interface FileRecord {
  path: string;
  seconds: number;
  tests: TestRecord[];
  errors: string[];
  timings?: FileTimings;
  output?: string;
}

export interface RunReport {
  files: FileRecord[];
  errors: string[];
  /** The seed of the test order, when it is random. */
  seed?: number;
}

export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
}

const maxShownLines = 14;

export function hasStatus(file: FileRecord, status: TestStatus): boolean {
  return file.tests.some((test) => test.status === status);
}

export function hasFailed(file: FileRecord): boolean {
  return file.errors.length > 0 || hasStatus(file, 'failed');
}

/** A file that fails without a failed test counts as one failure, and so do all errors outside files together. */
export function countTests({ files, errors }: RunReport): TestCounts {
  const counts = { passed: 0, failed: errors.length > 0 ? 1 : 0, skipped: 0 };
  for (const file of files) {
    for (const { status } of file.tests) counts[status === 'flaky' ? 'passed' : status] += 1;
    if (file.errors.length > 0 && !hasStatus(file, 'failed')) counts.failed += 1;
  }
  return counts;
}

export function formatFile(file: FileRecord): string {
  const count = (status: TestStatus) => file.tests.filter((test) => test.status === status).length;
  const total = file.tests.length;
  const parts = [`${total} ${total === 1 ? 'test' : 'tests'}`];
  for (const status of ['failed', 'flaky', 'skipped'] as const)
    if (count(status) > 0) parts.push(`${count(status)} ${status}`);
  if (file.errors.length > 0) parts.push('does not run');
  const mark = hasFailed(file) ? '✗' : total > 0 && count('skipped') === total ? '–' : '✓';
  return `  ${mark} ${file.path}  ${parts.join(', ')}  ${file.seconds.toFixed(1)} s`;
}

/** The first lines of a failure message. Lines with the seed of a random input are always shown. */
function formatExcerpt(errors: readonly string[]): string[] {
  const lines = stripVTControlCharacters(errors.join('\n'))
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at .*(node_modules|node:)/.test(line));
  const shown = lines.slice(0, maxShownLines);
  const rest = lines.slice(maxShownLines);
  return [...shown, ...rest.filter((line) => /\bseed\b/i.test(line)), ...(rest.length > 0 ? ['…'] : [])].map(
    (line) => `    ${line}`,
  );
}

const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function formatCommand(path: string, { name, line }: Pick<TestRecord, 'name' | 'line'>, seed?: number): string {
  if (path.startsWith('e2e/')) return `JOURNEY_TRACE=1 npm test -- ${path}:${line}`;
  const pattern = name
    .split(' > ')
    .join(' ')
    .replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return `npm test -- ${path} -t ${quote(pattern)}${seed === undefined ? '' : ` --seed ${seed}`}`;
}

const SNAPSHOT = /Snapshot `.*` mismatched/;

function formatFailure(file: FileRecord, test: TestRecord, seed?: number): string {
  const lines = [`✗ ${file.path}${test.line ? `:${test.line}` : ''} › ${test.name}`, ...formatExcerpt(test.errors)];
  if (test.errors.some((error) => SNAPSHOT.test(error)))
    lines.push('    A generated list is out of date. If the change is intended: npm test -- --update');
  if (test.page) lines.push(`    Page: ${test.page}`);
  if (test.trace) lines.push(`    Trace: npx playwright show-trace ${test.trace}`);
  lines.push(`    Alone: ${formatCommand(file.path, test, seed)}`);
  return lines.join('\n');
}

export function listFailures({ files, errors, seed }: RunReport): string[] {
  const texts = files.filter(hasFailed).flatMap((file) => {
    const problems = file.errors.length > 0 ? [[`✗ ${file.path}`, ...formatExcerpt(file.errors)].join('\n')] : [];
    for (const test of file.tests) if (test.status === 'failed') problems.push(formatFailure(file, test, seed));
    const printed = file.output?.trim();
    if (printed)
      problems.push([`  Output of ${file.path}:`, ...printed.split('\n').map((line) => `    ${line}`)].join('\n'));
    return problems;
  });
  for (const error of errors) texts.push(['✗ Outside the tests', ...formatExcerpt([error])].join('\n'));
  return texts;
}

export function listFlaky({ files }: RunReport): string[] {
  return files.flatMap(({ path, tests }) =>
    tests
      .filter(({ status }) => status === 'flaky')
      .map(({ name, line, errors }) => {
        const [first = ''] = stripVTControlCharacters(errors[0] ?? '').split('\n');
        return `${path}${line ? `:${line}` : ''} › ${name}: ${first}`;
      }),
  );
}

/** Merges the report of a rerun. Tests with different results in both runs are flaky. */
export function mergeRerun(first: RunReport, second: RunReport): RunReport {
  const reruns = new Map(second.files.map((file) => [file.path, file]));
  const files = first.files.map((file): FileRecord => {
    const rerun = reruns.get(file.path);
    if (!rerun) return file;
    const before = new Map(file.tests.map((test) => [test.name, test]));
    const isLoaded = file.errors.length > 0 && rerun.errors.length === 0;
    const tests = rerun.tests.map((test): TestRecord => {
      const earlier = before.get(test.name);
      const results = [earlier?.status, test.status];
      if (!results.includes('failed') || (!results.includes('passed') && earlier)) return test;
      if (test.status === 'failed' && !earlier) return test;
      return { ...test, status: 'flaky', errors: [...(earlier?.errors ?? []), ...test.errors] };
    });
    if (isLoaded && !hasStatus({ ...file, tests }, 'flaky') && tests[0]?.status === 'passed')
      tests[0] = { ...tests[0], status: 'flaky', errors: file.errors };
    return { ...rerun, tests };
  });
  return { ...first, files, errors: first.errors.length > 0 ? second.errors : [] };
}

/** Prints a line of a reporter. Runners have a separate pipe for it because tests print to theirs. */
export function printLine(text: string): void {
  if (process.env.STAGEDOOR_LINES) writeSync(Number(process.env.STAGEDOOR_LINES), `${text}\n`);
  else process.stdout.write(`${text}\n`);
}

export function appendOutput(text: string): void {
  mkdirSync(dirname(outputFile), { recursive: true });
  appendFileSync(outputFile, text);
}

export function writeReport(report: RunReport): void {
  const path = process.env.STAGEDOOR_REPORT;
  if (!path) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(report, null, 2));
}

export function createOutputTail(limit = 3000): { add(path: string, text: string): void; get(path: string): string } {
  const tails = new Map<string, string>();
  return {
    add: (path, text) => {
      tails.set(path, ((tails.get(path) ?? '') + stripVTControlCharacters(text)).slice(-limit));
      appendOutput(`── ${path}\n${text.endsWith('\n') ? text : `${text}\n`}`);
    },
    get: (path) => tails.get(path) ?? '',
  };
}
