/**
 * The data folder of an installation, held by one server at a time. Its contents are private. Under root the folder
 * itself can be traversed, because PostgreSQL's user owns the database in it.
 */
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { postgresUid } from './postgres-paths.ts';
import { claimPath, type PathClaim } from './process-lock.ts';

function addMode(path: string, bits: number): void {
  const { mode } = statSync(path);
  if ((mode & bits) !== bits) chmodSync(path, (mode & 0o7777) | bits);
}

export function createDataFolder(dataDir: string): void {
  const first = mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (first === undefined || postgresUid === undefined) return;
  for (let folder = dirname(dataDir); folder.length >= first.length; folder = dirname(folder)) addMode(folder, 0o011);
}

export function prepareDatabaseFolder(dataDir: string): string {
  createDataFolder(dataDir);
  const folder = join(dataDir, 'postgres');
  if (postgresUid === undefined) return folder;
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    const path = join(dataDir, entry.name);
    if (entry.isDirectory() && path !== folder && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o700);
  }
  addMode(dataDir, 0o011);
  return folder;
}

/** Holds the data folder until this process ends or releases it. Throws and names the process that already holds it. */
export function claimDataFolder(dataDir: string): PathClaim {
  const claimed = claimPath(join(dataDir, 'server'));
  if (!('pid' in claimed)) return claimed;
  const state = claimed.note === '' ? 'which is starting' : `which is running at ${claimed.note}`;
  throw new Error(
    `${dataDir} is in use by process ${claimed.pid}, ${state}. Stop it first or set a different DATA_DIR.`,
  );
}
