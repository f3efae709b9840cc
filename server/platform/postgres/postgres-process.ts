/**
 * Finds and ends the PostgreSQL process of a cluster, not one with a reused id or one of the cluster that this is a
 * copy of.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isAlive, listChildren } from './process-lock.ts';

const run = promisify(execFile);
const TIMEOUTS = { stopMs: 30_000, killMs: 5_000 };

export interface Postmaster {
  pid: number;
  socket: string | undefined;
}

async function readCommand(pid: number): Promise<string> {
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

async function isServing(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  try {
    const program = readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '');
    return basename(program) === 'postgres' && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
  } catch {
    // Without /proc, or as root without permission (in containers), only the command line remains. It names another
    // folder only if this cluster is a copy.
    const command = await readCommand(pid).catch(() => '');
    const folder = /^\S*postgres -D (.+?) -c /.exec(command)?.[1];
    return folder !== undefined && isSameFolder(folder, cluster);
  }
}

export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  return (await isServing(pid, cluster)) ? { pid, socket: lines[4] || undefined } : undefined;
}

export function deletePidFile(cluster: string): void {
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

async function waitForExit(pids: readonly number[], timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (pids.some(isAlive)) {
    if (performance.now() > deadline) return false;
    await sleep(10);
  }
  return true;
}

/** Stops PostgreSQL: closes connections and writes everything. Kills it after `timeouts`. */
export async function stopPostmaster(
  pid: number,
  log: { warn(message: string): void },
  { stopMs, killMs } = TIMEOUTS,
): Promise<void> {
  const send = (to: number, signal: NodeJS.Signals) => {
    try {
      process.kill(to, signal);
    } catch {}
  };
  send(pid, 'SIGINT');
  if (await waitForExit([pid], stopMs)) return;
  log.warn('PostgreSQL did not stop in time and is ended at once; it recovers from its log on the next start.');
  send(pid, 'SIGQUIT');
  if (await waitForExit([pid], killMs)) return;
  const processTree = [pid, ...listChildren(pid)];
  for (const member of processTree) send(member, 'SIGKILL');
  await waitForExit(processTree, killMs);
}
