/** The files that are generated from the code and committed, with their generators. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { captureOutput, readText, root } from './project.mjs';
import { listFailures, resultsFolder } from './results.ts';
import { runTests } from './runner.ts';
import { listFilesBelow } from './source-rules.mjs';
import { createVitestArgs } from './test-runs.ts';

export interface Generator {
  title: string;
  args: readonly string[];
  files: readonly string[];
}

/** All generators except the snapshots of tests, which are found automatically. Add a line for a new generator. */
export const GENERATORS: readonly Generator[] = [
  { title: 'Table types', args: ['server/testing/generate-types.ts'], files: ['server/platform/database/tables.ts'] },
  {
    title: 'Lists of modules',
    args: ['scripts/module-lists.mjs'],
    files: ['server/modules/modules.ts', 'web/app/modules.ts'],
  },
  { title: 'Lockfile', args: ['scripts/lockfile.mjs'], files: ['package-lock.json'] },
];

/** `expectCommitted` is in server/testing/generated-list.ts. */
const SNAPSHOT = /(?:\.toMatch(?:File)?Snapshot\(|\bexpectCommitted\((?:new URL\()?)(?:\s*['"]([^'"]+)['"])?/g;

export function listSnapshots(): { tests: string[]; files: string[] } {
  const tests = new Set<string>();
  const files: string[] = [];
  for (const path of ['contract', 'server', 'web'].flatMap(listFilesBelow)) {
    if (!/\.test\.tsx?$/.test(path)) continue;
    for (const [, name] of readFileSync(join(root, path), 'utf8').matchAll(SNAPSHOT)) {
      tests.add(path);
      if (name) files.push(join(path, '..', name));
    }
  }
  return { tests: [...tests], files };
}

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

export async function updateGenerated(print = console.log): Promise<{ changed: string[]; problems: string[] }> {
  const listFiles = () => [...GENERATORS.flatMap(({ files }) => files), ...listSnapshotFiles()];
  const before = new Map(listFiles().map((path) => [path, readText(join(root, path))]));
  const problems: string[] = [];
  for (const { title, args } of GENERATORS) {
    print(`▶ ${title}`);
    const { code, output } = await captureOutput(process.execPath, args);
    if (code !== 0) problems.push(`${title}: ${output.trim()}`);
  }
  const { tests } = listSnapshots();
  print('▶ Snapshots of tests');
  // If a path followed `--update`, it would be taken as its value.
  const report = join(resultsFolder, 'update.json');
  const result = await runTests({ args: createVitestArgs(...tests, '--update'), report, onLine: print });
  if (result.report) problems.push(...listFailures(result.report));
  else problems.push('Snapshots of tests: Vitest wrote no report. See .cache/results/output.log.');
  const changed = listFiles().filter((path) => readText(join(root, path)) !== before.get(path));
  return { changed: [...new Set(changed)], problems };
}
