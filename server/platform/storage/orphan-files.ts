import type { Context } from '../context.ts';

const DAY_MS = 24 * 60 * 60_000;
const BATCH = 500;
/** More orphans than this, and more than known files, mean that the database or the store is the wrong one. */
const MAX_ORPHANS = 100;

function parseCreatedAt(key: string): number {
  const [, time] = [...key.matchAll(/\/([0-9a-f]{8}-[0-9a-f]{4})-7[0-9a-f]{3}-/g)].at(-1) ?? [];
  return time === undefined ? 0 : Number.parseInt(time.replace('-', ''), 16);
}

/**
 * Deletes the files of a folder in the store that no row names, and returns their number. Skips files of the last day,
 * because a file is written before its row. Deletes nothing and logs an error when there are implausibly many.
 */
export async function deleteOrphanFiles(
  { clock, storage, log }: Pick<Context, 'clock' | 'storage' | 'log'>,
  folder: string,
  findKnownKeys: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<number> {
  const before = clock.now().getTime() - DAY_MS;
  const orphans: string[] = [];
  let knownCount = 0;
  let keys: string[] = [];
  const checkKeys = async () => {
    const known = await findKnownKeys(keys);
    knownCount += known.size;
    orphans.push(...keys.filter((key) => !known.has(key) && parseCreatedAt(key) < before));
    keys = [];
  };
  for await (const { key } of storage.list(folder)) {
    keys.push(key);
    if (keys.length === BATCH) await checkKeys();
  }
  await checkKeys();
  if (orphans.length > MAX_ORPHANS && orphans.length > knownCount) {
    log.error({ folder, left: orphans.length, knownCount }, 'files that no row leads to: is this the right database?');
    return 0;
  }
  for (const key of orphans) await storage.remove(key);
  return orphans.length;
}
