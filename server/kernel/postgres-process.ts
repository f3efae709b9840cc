/**
 * The PostgreSQL process at work in a cluster: told from strangers that got its number, and from the one at work in the
 * cluster that this one is a copy of; ended in whatever state it is in.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { childrenOf, isAlive } from './process-lock.ts';

const run = promisify(execFile);
/** How long PostgreSQL may take to write everything and stop, and then to stop at once. */
const PATIENCE = { fastMs: 30_000, hardMs: 5_000 };

export interface Postmaster {
  pid: number;
  /** The folder of its socket; unknown in the first moments of its start. */
  socket: string | undefined;
}

/** The words that a process was started with; readable for everybody, unlike the rest. */
async function commandOf(pid: number): Promise<string> {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return (await run('ps', ['-p', String(pid), '-o', 'command='])).stdout;
  }
}

function isSameFolder(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return a === undefined || b === undefined || (a.ino === b.ino && a.dev === b.dev);
}

async function worksIn(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  try {
    const program = readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '');
    return basename(program) === 'postgres' && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
  } catch {
    // No /proc, or root without the right to look (in containers): its own words must do. The folder that they name
    // leads somewhere else only if this cluster is a copy.
    const command = await commandOf(pid).catch(() => '');
    const folder = /^\S*postgres -D (.+?) -c /.exec(command)?.[1];
    return folder !== undefined && isSameFolder(folder, cluster);
  }
}

/** The PostgreSQL that works in this cluster, if one does. */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  return (await worksIn(pid, cluster)) ? { pid, socket: lines[4] || undefined } : undefined;
}

/** Removes the word of a PostgreSQL that is gone, or that came along in a copy: a new one would believe it. */
export function forgetPostmaster(cluster: string): void {
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

async function isGone(pids: readonly number[], timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (pids.some(isAlive)) {
    if (performance.now() > deadline) return false;
    await sleep(10);
  }
  return true;
}

/** Ends PostgreSQL: connections are cut and everything is written; one that does not listen is killed after `patience`. */
export async function endPostmaster(
  pid: number,
  log: { warn(message: string): void },
  { fastMs, hardMs } = PATIENCE,
): Promise<void> {
  const send = (to: number, signal: NodeJS.Signals) => {
    try {
      process.kill(to, signal);
    } catch {
      // It is gone, or belongs to somebody else; waiting for it tells.
    }
  };
  send(pid, 'SIGINT');
  if (await isGone([pid], fastMs)) return;
  log.warn('PostgreSQL did not stop in time and is ended at once; it recovers from its log on the next start.');
  send(pid, 'SIGQUIT');
  if (await isGone([pid], hardMs)) return;
  const family = [pid, ...childrenOf(pid)];
  for (const member of family) send(member, 'SIGKILL');
  await isGone(family, hardMs);
}
