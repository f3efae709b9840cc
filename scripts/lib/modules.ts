import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { manifest as platform } from '../../server/platform/manifest.ts';
import { type ModuleManifest, sortModules } from '../../server/platform/module.ts';
import type { Codebase, CodeFile } from './codebase.ts';
import { listModuleFolders } from './module-folders.ts';
import { isTest, listFilesBelow } from './source-rules.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const load = createRequire(import.meta.url);

function loadManifest(folder: string): ModuleManifest {
  const path = join(root, 'server', 'modules', folder, 'manifest.ts');
  const [, name] = folder.split('/');
  if (!existsSync(path)) throw new Error(`The module ${folder} has no manifest.ts.`);
  const { manifest }: { manifest: ModuleManifest } = load(path);
  if (manifest.name !== name) throw new Error(`The manifest of the module ${folder} has the name ${manifest.name}.`);
  return manifest;
}

/** Every module, in order of dependency. Throws when one has no manifest or the dependencies are circular. */
export function readModules(): ModuleManifest[] {
  return sortModules(listModuleFolders('server/modules').map(loadManifest));
}

const readSource = (path: string): CodeFile => ({ path, text: readFileSync(join(root, path), 'utf8') });

function listSqlSources(folder: string): CodeFile[] {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return paths
    .filter((path) => path.endsWith('.sql'))
    .sort()
    .map((path) => readSource(`${folder}/${path}`));
}

export function readCodebase(): Codebase {
  const isManifest = (path: string) => path.endsWith('/manifest.ts');
  const files = listFilesBelow('server').filter((path) => !isTest(path));
  return {
    modules: readModules(),
    platform,
    manifests: files.filter(isManifest).map(readSource),
    sources: files.filter((path) => !isManifest(path)).map(readSource),
    migrations: listSqlSources('server/migrations'),
    functions: listSqlSources('server/functions'),
  };
}
