/** Folders of a killed process are deleted by the next process on the same machine. */
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';

const MAX_AGE_MS = 3 * 24 * 60 * 60_000;
const HOST = hostname().replace(/[^a-z0-9-]/gi, '');

function getWorkRoot(dataDir: string): string {
  return path.join(dataDir, 'work');
}

export async function withWorkFolder<T>(dataDir: string, work: (dir: string) => Promise<T>): Promise<T> {
  const root = getWorkRoot(dataDir);
  await mkdir(root, { recursive: true, mode: 0o700 });
  const dir = await mkdtemp(path.join(root, `${HOST}.${process.pid}.`));
  try {
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** `now` in ms. */
export async function sweepWorkFolders(dataDir: string, now: number): Promise<void> {
  const root = getWorkRoot(dataDir);
  for (const name of await readdir(root).catch(() => [])) {
    const [host, pid] = name.split('.');
    const dir = path.join(root, name);
    const age = now - ((await stat(dir).catch(() => undefined))?.mtimeMs ?? now);
    const isOrphaned = host === HOST && pid !== String(process.pid) && !isAlive(Number(pid));
    if (isOrphaned || age > MAX_AGE_MS) await rm(dir, { recursive: true, force: true });
  }
}
