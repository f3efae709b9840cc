/** Locks, claims and holder marks for processes on one machine. All of them expire with their process. */
import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

function readProcStat(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return readProcStat(pid)?.[0] !== 'Z';
}

export function listChildren(pid: number): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((child) => Number.isInteger(child) && readProcStat(child)?.[1] === String(pid));
  } catch {
    return [];
  }
}

/** Process ids are reused after a reboot, start times (where the system shows them) are not. */
function getProcessIdentity(pid: number): string {
  return `${pid} ${readProcStat(pid)?.[19] ?? '-'}`;
}

/** Identifies a folder, so that marks copied along with it do not count. */
function getFolderIdentity(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true });
  return `${dev}:${ino}`;
}

function createMark(folder: string): string {
  return `${getProcessIdentity(process.pid)} ${getFolderIdentity(folder)}`;
}

/** Returns the process of the mark at the start of a file, if it is alive and marked this very folder. */
function findLivingOwner(path: string, text: string): number | undefined {
  const [mark = ''] = text.split('\n', 1);
  const [id, start, folder] = mark.split(' ');
  const pid = Number(id);
  if (!isAlive(pid) || getProcessIdentity(pid) !== `${id} ${start}`) return undefined;
  return folder === undefined || folder === getFolderIdentity(dirname(path)) ? pid : undefined;
}

function ignoreCode<T>(code: 'ENOENT' | 'EEXIST', work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined;
    throw error;
  }
}

function readIfExists(path: string): string | undefined {
  return ignoreCode('ENOENT', () => readFileSync(path, 'utf8'));
}

/** Creates a file by a hard link, so that it never exists without content. Returns false if it exists. */
function tryLink(path: string, text: string): boolean {
  const ownFile = `${path}.${randomUUID()}`;
  writeFileSync(ownFile, text);
  try {
    ignoreCode('EEXIST', () => linkSync(ownFile, path));
    return statSync(ownFile).nlink > 1;
  } finally {
    rmSync(ownFile, { force: true });
  }
}

function breakStaleLock(path: string, seen: string): void {
  const movedFile = `${path}.${randomUUID()}`;
  ignoreCode('ENOENT', () => renameSync(path, movedFile));
  const moved = readIfExists(movedFile);
  if (moved !== undefined && moved !== seen) ignoreCode('EEXIST', () => linkSync(movedFile, path));
  rmSync(movedFile, { force: true });
}

function tryTake(path: string): { pid: number; note: string } | undefined {
  const text = createMark(dirname(path));
  while (!tryLink(path, text)) {
    const seen = readIfExists(path);
    if (seen === undefined) continue;
    const pid = findLivingOwner(path, seen);
    if (pid !== undefined) return { pid, note: seen.split('\n')[1] ?? '' };
    breakStaleLock(path, seen);
  }
  return undefined;
}

/**
 * Runs `work` while no other call, in any process, is inside for the same path. Waits for a live owner up to
 * `timeoutMs` or until `signal` is aborted, then throws. The lock of a dead owner is taken over at once.
 */
export async function withProcessLock<T>(
  path: string,
  timeoutMs: number,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let owner = tryTake(path); owner !== undefined; owner = tryTake(path)) {
    if (performance.now() > deadline) {
      throw new Error(`Process ${owner.pid} has held ${path} for ${Math.round(timeoutMs / 1000)} s.`);
    }
    await sleep(25, undefined, { signal });
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

export interface PathClaim {
  note(text: string): void;
  release(): void;
}

/** Claims `path` until this process ends or releases it. Returns the holder and its note if another process has it. */
export function claimPath(path: string): PathClaim | { pid: number; note: string } {
  const owner = tryTake(path);
  if (owner !== undefined) return owner;
  return {
    note: (text) => {
      const next = `${path}.${randomUUID()}`;
      writeFileSync(next, `${createMark(dirname(path))}\n${text}`);
      renameSync(next, path);
    },
    release: () => rmSync(path, { force: true }),
  };
}

/** Marks this process as a user of the folder. The mark counts only while the process lives. */
export function addHolder(folder: string): { path: string; remove(): void } {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, randomUUID());
  writeFileSync(path, createMark(folder));
  return { path, remove: () => rmSync(path, { force: true }) };
}

/** Counts live holders, and removes marks of dead processes and of a folder that this one is a copy of. */
export function countHolders(folder: string): number {
  let count = 0;
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const text = readIfExists(path);
    if (text !== undefined && findLivingOwner(path, text) !== undefined) count += 1;
    else rmSync(path, { force: true });
  }
  return count;
}
