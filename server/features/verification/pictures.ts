/** Pictures of documents: made plain, sealed, and kept where no address leads. */
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { VERIFICATION } from '@stagedoor/contract/atoms/room-limits.ts';
import type { Context } from '../../kernel/context.ts';
import { newId } from '../../kernel/ids.ts';
import { seal, unsealBytes } from '../../kernel/seal.ts';
import { plainPicture } from '../media/index.ts';
import { forgetPictures, keyOf, namedAmong } from './store.ts';

const DAY_MS = 24 * 60 * 60_000;
const FOLDER = 'verification';
/** Looked up together. */
const AT_ONCE = 500;
/** So many files that nothing leads to, and more than those that something does, are no leftovers: the database or the store is the wrong one. */
const MOST_LEFT = 100;

/** Keeps a picture of a creator's and answers its key. Throws UNSUPPORTED_TYPE or VALIDATION with a sentence. */
export async function keepPicture(
  { clock, config, storage }: Pick<Context, 'clock' | 'config' | 'storage'>,
  creatorId: string,
  file: Buffer | undefined,
): Promise<string> {
  if (!file || file.length === 0) throw invalid('file', 'Please choose a picture.');
  const { content, width, height } = await plainPicture(file);
  if (Math.min(width, height) < VERIFICATION.leastPixels)
    throw invalid(
      'file',
      `This picture is too small to read: please send one of at least ${VERIFICATION.leastPixels} pixels.`,
    );
  const key = `${FOLDER}/${creatorId}/${newId(clock)}`;
  await storage.put(key, seal(keyOf(config), key, content), 'application/octet-stream');
  return key;
}

/** A kept picture, opened. Throws NOT_FOUND when it is not there any more. */
export async function openPicture(
  { config, storage }: Pick<Context, 'config' | 'storage'>,
  key: string,
): Promise<Buffer> {
  const stored = await storage.open(key);
  if (!stored) throw new AppError('NOT_FOUND');
  const parts: Buffer[] = [];
  for await (const part of await stored.stream()) parts.push(part);
  return unsealBytes(keyOf(config), key, Buffer.concat(parts));
}

/** Deletes the pictures that nobody needs any more: of the face, and what was rejected, 30 days after the decision. */
export async function forgetOldPictures({
  db,
  clock,
  storage,
}: Pick<Context, 'db' | 'clock' | 'storage'>): Promise<void> {
  const before = new Date(clock.now().getTime() - VERIFICATION.keptDays * DAY_MS);
  const keys = await db.transaction((tx) => forgetPictures(tx, before));
  for (const key of keys) await storage.remove(key);
}

/** When a file was put there, by its name; before all time, where it says nothing of it. */
function putAt(key: string): number {
  const [, time] = /\/([0-9a-f]{8}-[0-9a-f]{4})-7[^/]*$/.exec(key) ?? [];
  return time === undefined ? 0 : Number.parseInt(time.replace('-', ''), 16);
}

/**
 * Removes what was left behind by a process that ended between a file and its row: put and never named, or forgotten and still there.
 * A day old, as a file comes before its row. Answers how many; none, with a word in the log, when they are too many to be that.
 */
export async function removeLeftPictures({
  db,
  clock,
  storage,
  log,
}: Pick<Context, 'db' | 'clock' | 'storage' | 'log'>): Promise<number> {
  const before = clock.now().getTime() - DAY_MS;
  const left: string[] = [];
  let named = 0;
  let keys: string[] = [];
  const lookUp = async () => {
    const known = await namedAmong(db, keys);
    named += known.size;
    left.push(...keys.filter((key) => !known.has(key) && putAt(key) < before));
    keys = [];
  };
  for await (const { key } of storage.list(FOLDER)) {
    keys.push(key);
    if (keys.length === AT_ONCE) await lookUp();
  }
  await lookUp();
  if (left.length > MOST_LEFT && left.length > named) {
    log.error({ left: left.length, named }, 'pictures that no document leads to: is this the right database?');
    return 0;
  }
  for (const key of left) await storage.remove(key);
  return left.length;
}
