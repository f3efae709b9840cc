/**
 * Who is alive and who goes first, among processes on one machine: locks that a crash cannot leave shut, claims for as
 * long as a process lives, and marks that tell how many living processes share a folder.
 */
import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The fields of /proc/PID/stat after the command name (which may itself hold spaces), or nothing elsewhere. */
function procStat(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** True while a process of this id runs; a zombie that nobody has reaped counts as gone. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return procStat(pid)?.[0] !== 'Z';
}

/** The processes that `pid` has started, where the system tells. */
export function childrenOf(pid: number): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((child) => Number.isInteger(child) && procStat(child)?.[1] === String(pid));
  } catch {
    return [];
  }
}

/** Names one process for good: ids are used again after a reboot, start times (where the system tells) are not. */
function identity(pid: number): string {
  return `${pid} ${procStat(pid)?.[19] ?? '-'}`;
}

/** Names a folder for good: a copy of it is another one, with whatever marks were copied along. */
function folderIdentity(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true });
  return `${dev}:${ino}`;
}

/** What this process writes into a file of `folder` to say that it is the one. */
function markIn(folder: string): string {
  return `${identity(process.pid)} ${folderIdentity(folder)}`;
}

/** The process whose mark begins the file at `path`, if it lives and meant this very folder. */
function livingMarker(path: string, text: string): number | undefined {
  const [mark = ''] = text.split('\n', 1);
  const [id, start, folder] = mark.split(' ');
  const pid = Number(id);
  if (!isAlive(pid) || identity(pid) !== `${id} ${start}`) return undefined;
  // Marks of earlier versions name no folder.
  return folder === undefined || folder === folderIdentity(dirname(path)) ? pid : undefined;
}

/** Answers undefined where `work` fails because a file is (or is not) there: another process was faster. */
function unless<T>(code: 'ENOENT' | 'EEXIST', work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined;
    throw error;
  }
}

function readIfThere(path: string): string | undefined {
  return unless('ENOENT', () => readFileSync(path, 'utf8'));
}

/** Writes the file by a hard link, so that it is never seen without its owner's name in it; false if it is there. */
function tryLink(path: string, text: string): boolean {
  const mine = `${path}.${randomUUID()}`;
  writeFileSync(mine, text);
  try {
    unless('EEXIST', () => linkSync(mine, path));
    return statSync(mine).nlink > 1;
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Moves a dead owner's lock away; a lock that changed hands in the meantime is put back. */
function breakStaleLock(path: string, seen: string): void {
  const aside = `${path}.${randomUUID()}`;
  unless('ENOENT', () => renameSync(path, aside));
  const moved = readIfThere(aside);
  if (moved !== undefined && moved !== seen) unless('EEXIST', () => linkSync(aside, path));
  rmSync(aside, { force: true });
}

/** Takes `path` if nobody living has it; answers who has it otherwise, and what they wrote beside their mark. */
function take(path: string): { pid: number; note: string } | undefined {
  const text = markIn(dirname(path));
  while (!tryLink(path, text)) {
    const seen = readIfThere(path);
    if (seen === undefined) continue;
    const pid = livingMarker(path, seen);
    if (pid !== undefined) return { pid, note: seen.split('\n')[1] ?? '' };
    breakStaleLock(path, seen);
  }
  return undefined;
}

/**
 * Runs `work` while no other process (and no other call in this one) is inside for the same path.
 * Waits for a living owner up to `timeoutMs`, or until `signal` is aborted, then says who holds it; a dead owner's lock
 * is taken over at once.
 */
export async function withProcessLock<T>(
  path: string,
  timeoutMs: number,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let owner = take(path); owner !== undefined; owner = take(path)) {
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

export interface Claim {
  /** Says one line to whoever asks for the same. */
  note(text: string): void;
  release(): void;
}

/** Takes `path` for this process until it ends or releases it. Answers who has it, and what they said, if somebody has. */
export function claim(path: string): Claim | { pid: number; note: string } {
  const owner = take(path);
  if (owner !== undefined) return owner;
  return {
    note: (text) => {
      const next = `${path}.${randomUUID()}`;
      writeFileSync(next, `${markIn(dirname(path))}\n${text}`);
      renameSync(next, path);
    },
    release: () => rmSync(path, { force: true }),
  };
}

/** Marks this process as a user of `folder`'s thing; the mark counts only while the process lives. */
export function addHolder(folder: string): { path: string; remove(): void } {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, randomUUID());
  writeFileSync(path, markIn(folder));
  return { path, remove: () => rmSync(path, { force: true }) };
}

/** How many living holders there are; marks of the dead, and of a folder that this one is a copy of, are swept on the way. */
export function countHolders(folder: string): number {
  let count = 0;
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const text = readIfThere(path);
    if (text !== undefined && livingMarker(path, text) !== undefined) count += 1;
    else rmSync(path, { force: true });
  }
  return count;
}
