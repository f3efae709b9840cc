/**
 * `npm test -- --profile`: the time of each test file, from the reports of the runners and the times of database
 * copies.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from './project.mjs';
import { type FileRecord, type RunReport, resultsFolder } from './results.ts';
import { journeyReport, unitReport } from './test-runs.ts';

export const databaseTimes = join(resultsFolder, 'databases.jsonl');
export const profileFile = join(resultsFolder, 'profile.json');

/** Seconds. */
export interface FileProfile {
  path: string;
  total: number;
  import: number;
  database: number;
  /** Hooks, fixtures and the runner's own preparation, without copying the database. */
  setUp: number;
  tests: number;
  count: number;
  slowest: { name: string; seconds: number; setUp?: number }[];
}

export interface DatabaseTime {
  path: string;
  ms: number;
}

const round = (seconds: number) => Math.round(seconds * 1000) / 1000;

function toProfile(file: FileRecord, databases: readonly DatabaseTime[]): FileProfile {
  const sum = (read: (test: FileRecord['tests'][number]) => number) =>
    file.tests.reduce((all, test) => all + read(test), 0);
  const fixtures = sum(({ setUpSeconds = 0 }) => setUpSeconds);
  const database = databases.filter(({ path }) => path === file.path).reduce((all, { ms }) => all + ms / 1000, 0);
  const slowest = file.tests
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, 5)
    .map(({ name, seconds, setUpSeconds }) => ({
      name,
      seconds,
      ...(setUpSeconds !== undefined && { setUp: setUpSeconds }),
    }));
  return {
    path: file.path,
    total: round(file.seconds),
    import: round(file.timings?.import ?? 0),
    database: round(database),
    // Most databases are copied in hooks. A copy inside a test would be subtracted from the hooks of others.
    setUp: round(Math.max(0, fixtures + (file.timings?.setUp ?? 0) - database)),
    tests: round(sum(({ seconds }) => seconds) - fixtures),
    count: file.tests.length,
    slowest,
  };
}

export function createTimeProfile(reports: readonly RunReport[], databases: readonly DatabaseTime[]): FileProfile[] {
  return reports
    .flatMap(({ files }) => files)
    .map((file) => toProfile(file, databases))
    .sort((a, b) => b.total - a.total);
}

const COLUMNS = ['total', 'import', 'database', 'setUp', 'tests'] as const;

export function formatProfile(files: readonly FileProfile[]): string {
  const sums = COLUMNS.map((column) => files.reduce((sum, file) => sum + file[column], 0));
  const formatLine = (cells: readonly string[], count: string, path: string) =>
    `${cells.map((cell) => cell.padStart(9)).join('')}${count.padStart(7)}  ${path}`;
  return [
    formatLine(['total', 'import', 'database', 'set-up', 'tests'], 'count', 'file (seconds)'),
    ...files.map((file) =>
      formatLine(
        COLUMNS.map((column) => file[column].toFixed(1)),
        String(file.count),
        file.path,
      ),
    ),
    formatLine(
      sums.map((sum) => sum.toFixed(1)),
      String(files.reduce((sum, { count }) => sum + count, 0)),
      `all ${files.length} files`,
    ),
  ].join('\n');
}

export function startProfile(): Record<string, string> {
  rmSync(databaseTimes, { force: true });
  return { STAGEDOOR_PROFILE: databaseTimes };
}

export function finishProfile(): string {
  const reports = [unitReport, journeyReport].flatMap((path): RunReport[] => {
    const text = readText(path);
    return text === undefined ? [] : [JSON.parse(text)];
  });
  const lines = (readText(databaseTimes) ?? '').split('\n').filter(Boolean);
  const files = createTimeProfile(
    reports,
    lines.map((line): DatabaseTime => JSON.parse(line)),
  );
  writeFileSync(profileFile, JSON.stringify(files, null, 2));
  return formatProfile(files);
}
