/**
 * Who is alive and who goes first, among processes on one machine: a lock file that a crash cannot leave shut,
 * and marks that tell how many living processes share a folder.
 */
import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** Names one process for good: ids are used again after a reboot, start times (where the system tells) are not. */
function identity(pid: number): string {
  return `${pid} ${procStat(pid)?.[19] ?? '-'}`;
}

function isIdentityAlive(text: string): boolean {
  const pid = Number(text.split(' ')[0]);
  return isAlive(pid) && identity(pid) === text.trim();
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Takes the lock by a hard link, so that the file is never seen without its owner's name in it. */
function tryLock(path: string, text: string): boolean {
  const mine = `${path}.${randomUUID()}`;
  writeFileSync(mine, text);
  try {
    linkSync(mine, path);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Moves a dead owner's lock away; a lock that changed hands in the meantime is put back. */
function breakStaleLock(path: string, seen: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
    if (readIfThere(aside) !== seen) linkSync(aside, path);
  } catch {
    // Another process was faster: the next attempt sees what it made.
  }
  rmSync(aside, { force: true });
}

/**
 * Runs `work` while no other process (and no other call in this one) is inside for the same path.
 * Waits for a living owner up to `timeoutMs`, then says who holds it; a dead owner's lock is taken over at once.
 */
export async function withProcessLock<T>(path: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  const text = identity(process.pid);
  while (!tryLock(path, text)) {
    const owner = readIfThere(path);
    if (owner !== undefined && !isIdentityAlive(owner)) {
      breakStaleLock(path, owner);
      continue;
    }
    if (performance.now() > deadline) {
      throw new Error(`Process ${owner?.split(' ')[0]} has held ${path} for ${Math.round(timeoutMs / 1000)} s.`);
    }
    await sleep(25);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** Marks this process as a user of `folder`'s thing; the mark counts only while the process lives. */
export function addHolder(folder: string): { path: string; remove(): void } {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, randomUUID());
  writeFileSync(path, identity(process.pid));
  return { path, remove: () => rmSync(path, { force: true }) };
}

/** How many living holders there are; marks of the dead are swept on the way. */
export function countHolders(folder: string): number {
  let count = 0;
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const text = readIfThere(path);
    if (text !== undefined && isIdentityAlive(text)) count += 1;
    else rmSync(path, { force: true });
  }
  return count;
}
