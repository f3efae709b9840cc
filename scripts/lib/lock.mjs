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

function readOwner(path) {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Runs `work` while holding the lock file `path`, whose folder must exist. `onWait` is called once if another process
 * holds it. The file is created by a hard link, so that it always names its owner.
 */
export async function withLock(path, onWait, work) {
  const ownFile = `${path}.${process.pid}`;
  let hasReported = false;
  for (;;) {
    writeFileSync(ownFile, String(process.pid));
    try {
      linkSync(ownFile, path);
      break;
    } catch {
      const owner = readOwner(path);
      if (owner !== undefined && (owner === process.pid || !isAlive(owner))) {
        try {
          renameSync(path, ownFile);
        } catch {
          // Another process has already removed the stale lock.
        }
        continue;
      }
      if (!hasReported) onWait(owner);
      hasReported = true;
      await sleep(200);
    } finally {
      rmSync(ownFile, { force: true });
    }
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}
