/** A file lock between processes. The lock of a process that died is taken over. Runs on Node 18. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function ownerOf(path) {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Runs `work` while holding the lock file `path`, whose folder must exist. `waiting` is called once if another process
 * holds it. The file is created by a hard link, so that it always names its owner.
 */
export async function withLock(path, waiting, work) {
  const mine = `${path}.${process.pid}`;
  let told = false;
  for (;;) {
    writeFileSync(mine, String(process.pid));
    try {
      linkSync(mine, path);
      break;
    } catch {
      const owner = ownerOf(path);
      if (owner !== undefined && (owner === process.pid || !isAlive(owner))) {
        try {
          renameSync(path, mine);
        } catch {
          // Another process has already removed the stale lock.
        }
        continue;
      }
      if (!told) waiting(owner);
      told = true;
      await sleep(200);
    } finally {
      rmSync(mine, { force: true });
    }
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}
