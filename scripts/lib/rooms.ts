import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { manifest as kernel } from '../../server/kernel/manifest.ts';
import { inOrder, type Manifest } from '../../server/kernel/room.ts';
import { filesBelow, isTest } from './source-rules.mjs';
import type { House, Source } from './walls.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const load = createRequire(import.meta.url);
const features = join(root, 'server', 'features');

function roomFolders(): string[] {
  return readdirSync(features, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

function manifestOf(folder: string): Manifest {
  const path = join(features, folder, 'manifest.ts');
  if (!existsSync(path)) throw new Error(`The room ${folder} has no manifest.ts, in which it says what it is.`);
  const { manifest }: { manifest: Manifest } = load(path);
  if (manifest.name !== folder) throw new Error(`The room in ${folder} calls itself ${manifest.name}.`);
  return manifest;
}

/** Every module, in order of dependency. Throws when one has no manifest or the dependencies are circular. */
export function readRooms(): Manifest[] {
  return inOrder(roomFolders().map(manifestOf));
}

const sourceAt = (path: string): Source => ({ path, text: readFileSync(join(root, path), 'utf8') });

function sqlBelow(folder: string): Source[] {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return paths
    .filter((path) => path.endsWith('.sql'))
    .sort()
    .map((path) => sourceAt(`${folder}/${path}`));
}

export function readHouse(): House {
  const isManifest = (path: string) => path.endsWith('/manifest.ts');
  const files = filesBelow('server').filter((path) => !isTest(path));
  return {
    rooms: readRooms(),
    kernel,
    manifests: files.filter(isManifest).map(sourceAt),
    sources: files.filter((path) => !isManifest(path)).map(sourceAt),
    migrations: sqlBelow('server/migrations'),
    functions: sqlBelow('server/functions'),
  };
}
