/**
 * Stores a seeded data folder between runs of single tests, because creating the demo world takes longer than most of
 * them.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { postgresUrl } from '../../server/kernel/postgres.ts';
import { freePort, startServer } from './server.ts';

const run = promisify(execFile);
const SETTLED_MS = 180_000;
/**
 * The folder contains only these worlds, so old ones can be deleted. A world is selected by a name and not by a path,
 * which could lead elsewhere.
 */
const WORLDS = fileURLToPath(new URL('../../.cache/worlds', import.meta.url));
const NAME = /^[0-9a-z]{1,64}$/;

function folderOf(name: string): string {
  if (!NAME.test(name)) throw new Error(`STAGEDOOR_WORLD names a world by small letters and digits, not ${name}`);
  return path.join(WORLDS, name);
}

async function untilSettled(dataDir: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl(path.join(dataDir, 'postgres')) });
  await client.connect();
  try {
    const deadline = Date.now() + SETTLED_MS;
    for (;;) {
      const { rows } = await client.query<{ is_settled: boolean }>(
        `select exists (select from settings where key = 'demo.films')
          and not exists (select from media where status <> 'failed' and stage <> 'done') as is_settled`,
      );
      if (rows[0]?.is_settled || Date.now() > deadline) return;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  } finally {
    await client.end();
  }
}

/** Creates a world and stops it. It is renamed only once it is complete. Worlds of other names are deleted. */
async function makeKeptWorld(kept: string): Promise<void> {
  await mkdir(WORLDS, { recursive: true });
  for (const name of await readdir(WORLDS)) await rm(path.join(WORLDS, name), { recursive: true, force: true });
  const partial = `${kept}.partial`;
  await mkdir(partial);
  await chmod(partial, 0o711);
  const server = await startServer({ dataDir: partial, port: await freePort(), hasDemo: true });
  try {
    await untilSettled(partial);
  } finally {
    await server.end();
  }
  await rename(partial, kept);
}

/** Copies the stored world `name` into `dataDir`, and creates it first if it is missing. Throws for an invalid name. */
export async function copyKeptWorld(name: string, dataDir: string): Promise<void> {
  const kept = folderOf(name);
  const isThere = await stat(kept).then(
    () => true,
    () => false,
  );
  if (!isThere) await makeKeptWorld(kept);
  await run('cp', ['-a', `${kept}/.`, dataDir]);
}
