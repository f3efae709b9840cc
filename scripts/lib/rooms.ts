/** The rooms of the server as their manifests declare them, read from the folders, for the checks that hold code to them. */
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

/** The folders of the rooms. */
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

/** Every room, the lowest first. Throws when one declares nothing, or rooms stand on each other. */
export function readRooms(): Manifest[] {
  return inOrder(roomFolders().map(manifestOf));
}

const sourceAt = (path: string): Source => ({ path, text: readFileSync(join(root, path), 'utf8') });

/** The SQL files in a folder, in the order of their names. */
function sqlBelow(folder: string): Source[] {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return paths
    .filter((path) => path.endsWith('.sql'))
    .sort()
    .map((path) => sourceAt(`${folder}/${path}`));
}

/** The whole house: what is declared, and the code and SQL that are held to it. */
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
