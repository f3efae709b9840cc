/** Files that were left behind: by a process that ended between a file and its row, either way, or while it wrote. */
import type { Context } from './context.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Looked up together. */
const AT_ONCE = 500;
/** So many files that nothing leads to, and more than those that something does, are no leftovers: the database or the store is the wrong one. */
const MOST_LEFT = 100;

/** When what a file belongs to was made, by the last id in its key; before all time, where there is none. */
function madeAt(key: string): number {
  const [, time] = [...key.matchAll(/\/([0-9a-f]{8}-[0-9a-f]{4})-7[0-9a-f]{3}-/g)].at(-1) ?? [];
  return time === undefined ? 0 : Number.parseInt(time.replace('-', ''), 16);
}

/**
 * Removes what lies in a folder of the store and no row names. Keys have an id of the moment they were made at: those of the last day are left alone, as a file comes before its row. Answers how many; none, with a word in the
 * log, when they are too many to be that.
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
