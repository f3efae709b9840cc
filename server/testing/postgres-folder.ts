import { createHash } from 'node:crypto';
import { existsSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MEMORY = '/dev/shm';
const MEMORY_BYTES = 4e9;

/**
 * Returns where the tests' PostgreSQL stores its files. A copy of a database has more than a thousand files, which Linux
 * creates much faster in memory. Otherwise the folder is in `.cache`.
 */
export function choosePostgresFolder(): string {
  const onDisk = fileURLToPath(new URL('../../.cache/test-postgres', import.meta.url));
  const key = createHash('sha256').update(onDisk).digest('hex').slice(0, 12);
  const inMemory = join(MEMORY, `stagedoor-tests-${process.getuid?.() ?? 0}-${key}`);
  if (existsSync(inMemory)) return inMemory;
  if (!existsSync(MEMORY)) return onDisk;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MEMORY_BYTES ? inMemory : onDisk;
}
