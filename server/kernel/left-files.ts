import type { Context } from './context.ts';

const DAY_MS = 24 * 60 * 60_000;
const AT_ONCE = 500;
/** More orphans than this, and more than known files, mean that the database or the store is the wrong one. */
const MOST_LEFT = 100;

function madeAt(key: string): number {
  const [, time] = [...key.matchAll(/\/([0-9a-f]{8}-[0-9a-f]{4})-7[0-9a-f]{3}-/g)].at(-1) ?? [];
  return time === undefined ? 0 : Number.parseInt(time.replace('-', ''), 16);
}

/**
 * Deletes the files of a folder in the store that no row names, and returns their number. Skips files of the last day,
 * because a file is written before its row. Deletes nothing and logs an error when there are implausibly many.
 */
export async function removeLeft(
  { clock, storage, log }: Pick<Context, 'clock' | 'storage' | 'log'>,
  folder: string,
  namedAmong: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<number> {
  const before = clock.now().getTime() - DAY_MS;
  const left: string[] = [];
  let named = 0;
  let keys: string[] = [];
  const lookUp = async () => {
    const known = await namedAmong(keys);
    named += known.size;
    left.push(...keys.filter((key) => !known.has(key) && madeAt(key) < before));
    keys = [];
  };
  for await (const { key } of storage.list(folder)) {
    keys.push(key);
    if (keys.length === AT_ONCE) await lookUp();
  }
  await lookUp();
  if (left.length > MOST_LEFT && left.length > named) {
    log.error({ folder, left: left.length, named }, 'files that no row leads to: is this the right database?');
    return 0;
  }
  for (const key of left) await storage.remove(key);
  return left.length;
}
