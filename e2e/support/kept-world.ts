/** A seeded data folder that is kept between runs of single journeys: making the demo world takes longer than most of them. */
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
/** Only worlds lie here, so that what is old can go. A world is told by name, never by a path, which could lead elsewhere. */
const WORLDS = fileURLToPath(new URL('../../.cache/worlds', import.meta.url));
const NAME = /^[0-9a-z]{1,64}$/;

function folderOf(name: string): string {
  if (!NAME.test(name)) throw new Error(`STAGEDOOR_WORLD names a world by small letters and digits, not ${name}`);
  return path.join(WORLDS, name);
}

/** Nothing is made of the demo's films any more. */
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

/** Seeds a world and stops it; it has its name only once it is whole. Those of other names beside it go. */
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

/** Puts a copy of the world that is kept under `name` into `dataDir`, making it first where it is missing. Throws for what is no name. */
export async function copyKeptWorld(name: string, dataDir: string): Promise<void> {
  const kept = folderOf(name);
  const isThere = await stat(kept).then(
    () => true,
    () => false,
  );
  if (!isThere) await makeKeptWorld(kept);
  await run('cp', ['-a', `${kept}/.`, dataDir]);
}
