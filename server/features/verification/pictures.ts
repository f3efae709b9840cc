/** Pictures are re-encoded, encrypted and stored where no public URL leads. */
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { VERIFICATION } from '@stagedoor/contract/atoms/room-limits.ts';
import type { Context } from '../../kernel/context.ts';
import { newId } from '../../kernel/ids.ts';
import { removeLeft } from '../../kernel/left-files.ts';
import { seal, unsealBytes } from '../../kernel/seal.ts';
import { plainPicture } from '../media/index.ts';
import { forgetPictures, keyOf, namedAmong } from './store.ts';

const DAY_MS = 24 * 60 * 60_000;
const FOLDER = 'verification';

/** Stores a picture and returns its key. Throws UNSUPPORTED_TYPE or VALIDATION with a message. */
export async function keepPicture(
  { clock, config, storage }: Pick<Context, 'clock' | 'config' | 'storage'>,
  creatorId: string,
  file: Buffer | undefined,
): Promise<string> {
  if (!file || file.length === 0) throw invalid('file', 'Choose a photo.');
  const { content, width, height } = await plainPicture(file);
  if (Math.min(width, height) < VERIFICATION.leastPixels)
    throw invalid('file', `Image too small. Use at least ${VERIFICATION.leastPixels} pixels.`);
  const key = `${FOLDER}/${creatorId}/${newId(clock)}`;
  await storage.put(key, seal(keyOf(config), key, content), 'application/octet-stream');
  return key;
}

/** Opens a stored picture. Throws NOT_FOUND when it no longer exists. */
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

/** Deletes selfies and rejected pictures 30 days after the decision. */
export async function forgetOldPictures({
  db,
  clock,
  storage,
}: Pick<Context, 'db' | 'clock' | 'storage'>): Promise<void> {
  const before = new Date(clock.now().getTime() - VERIFICATION.keptDays * DAY_MS);
  const keys = await db.transaction((tx) => forgetPictures(tx, before));
  for (const key of keys) await storage.remove(key);
}

/** Deletes files that no document refers to. Returns how many. */
export const removeLeftPictures = (ctx: Pick<Context, 'db' | 'clock' | 'storage' | 'log'>): Promise<number> =>
  removeLeft(ctx, FOLDER, (keys) => namedAmong(ctx.db, keys));
