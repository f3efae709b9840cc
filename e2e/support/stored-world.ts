/**
 * Stores a seeded data folder between runs of single tests, because creating the demo world takes longer than most of
 * them.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createWorld } from './server.ts';

const run = promisify(execFile);
/**
 * The folder contains only these worlds, so old ones can be deleted. A world is selected by a name and not by a path,
 * which could lead elsewhere.
 */
const WORLDS = fileURLToPath(new URL('../../.cache/worlds', import.meta.url));
const NAME = /^[0-9a-z]{1,64}$/;

function getWorldFolder(name: string): string {
  if (!NAME.test(name)) throw new Error(`STAGEDOOR_WORLD names a world by small letters and digits, not ${name}`);
  return path.join(WORLDS, name);
}

/** Creates a world. It is renamed only once it is complete. Worlds of other names are deleted. */
async function createStoredWorld(worldDir: string): Promise<void> {
  await mkdir(WORLDS, { recursive: true });
  for (const name of await readdir(WORLDS)) await rm(path.join(WORLDS, name), { recursive: true, force: true });
  const partial = `${worldDir}.partial`;
  await mkdir(partial);
  await chmod(partial, 0o711);
  await createWorld(partial);
  await rename(partial, worldDir);
}

/** Copies the stored world `name` into `dataDir`, and creates it first if it is missing. Throws for an invalid name. */
export async function copyStoredWorld(name: string, dataDir: string): Promise<void> {
  const worldDir = getWorldFolder(name);
  const isStored = await stat(worldDir).then(
    () => true,
    () => false,
  );
  if (!isStored) await createStoredWorld(worldDir);
  await run('cp', ['-a', `${worldDir}/.`, dataDir]);
}
