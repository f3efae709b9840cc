/** The files that are generated from the code and committed, and how they are written. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture, readText, root } from './project.mjs';
import { listFailures, resultsFolder } from './results.ts';
import { run } from './runner.ts';
import { filesBelow } from './source-rules.mjs';
import { vitestArgs } from './test-runs.ts';

export interface Generator {
  title: string;
  /** Arguments for Node. They write the files. */
  args: readonly string[];
  files: readonly string[];
}

/** Everything but the snapshots of tests, which are found by themselves. Add a line for a new generator. */
export const GENERATORS: readonly Generator[] = [
  { title: 'Table types', args: ['server/testing/generate-types.ts'], files: ['server/kernel/tables.ts'] },
  {
    title: 'Lists of modules',
    args: ['scripts/module-lists.mjs'],
    files: ['server/features/modules.ts', 'web/app/modules.ts'],
  },
  { title: 'Lockfile', args: ['scripts/lockfile.mjs'], files: ['package-lock.json'] },
];

/** `expectCommitted` is in server/testing/generated-list.ts. */
const SNAPSHOT = /(?:\.toMatch(?:File)?Snapshot\(|\bexpectCommitted\((?:new URL\()?)(?:\s*['"]([^'"]+)['"])?/g;

/** Tests that compare with a generated file, and those files. */
export function listSnapshots(): { tests: string[]; files: string[] } {
  const tests = new Set<string>();
  const files: string[] = [];
  for (const path of ['contract', 'server', 'web'].flatMap(filesBelow)) {
    if (!/\.test\.tsx?$/.test(path)) continue;
    for (const [, name] of readFileSync(join(root, path), 'utf8').matchAll(SNAPSHOT)) {
      tests.add(path);
      if (name) files.push(join(path, '..', name));
    }
  }
  return { tests: [...tests], files };
}

/** Snapshots that no test names (`__snapshots__`) are found by their folder. */
function listSnapshotFiles(): string[] {
  const { tests, files } = listSnapshots();
  const folders = [...new Set(tests.map((path) => join(path, '..', '__snapshots__')))];
  const inFolders = folders.flatMap((folder) => {
    try {
      return readdirSync(join(root, folder)).map((name) => join(folder, name));
    } catch {
      return [];
    }
  });
  return [...files, ...inFolders];
}

/** Writes all of them. Returns the files that changed, and texts of what went wrong. */
export async function updateGenerated(say = console.log): Promise<{ changed: string[]; problems: string[] }> {
  const listFiles = () => [...GENERATORS.flatMap(({ files }) => files), ...listSnapshotFiles()];
  const before = new Map(listFiles().map((path) => [path, readText(join(root, path))]));
  const problems: string[] = [];
  for (const { title, args } of GENERATORS) {
    say(`▶ ${title}`);
    const { code, output } = await capture(process.execPath, args);
    if (code !== 0) problems.push(`${title}: ${output.trim()}`);
  }
  const { tests } = listSnapshots();
  say('▶ Snapshots of tests');
  // `--update` would take a path behind it as its value.
  const report = join(resultsFolder, 'update.json');
  const result = await run({ args: vitestArgs(...tests, '--update'), report, onLine: say });
  if (result.report) problems.push(...listFailures(result.report));
  else problems.push('Snapshots of tests: Vitest wrote no report. See .cache/results/output.log.');
  const changed = listFiles().filter((path) => readText(join(root, path)) !== before.get(path));
  return { changed: [...new Set(changed)], problems };
}
