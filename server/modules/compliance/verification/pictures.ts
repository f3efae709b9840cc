/** Pictures are re-encoded, encrypted and stored where no public URL leads. */
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { VERIFICATION_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { Context } from '../../../platform/context.ts';
import { createId } from '../../../platform/ids.ts';
import { decryptBytes, encryptContent } from '../../../platform/security/encryption.ts';
import { deleteOrphanFiles } from '../../../platform/storage/orphan-files.ts';
import { toPlainJpeg } from '../../content/media/index.ts';
import { clearDuePictures, findKnownKeys, getEncryptionKey } from './store.ts';
import * as texts from './texts.ts';

const DAY_MS = 24 * 60 * 60_000;
const FOLDER = 'verification';

/** Stores a picture and returns its key. Throws UNSUPPORTED_TYPE or VALIDATION with a message. */
export async function storeVerificationPicture(
  { clock, config, storage }: Pick<Context, 'clock' | 'config' | 'storage'>,
  creatorId: string,
  file: Buffer | undefined,
): Promise<string> {
  if (!file || file.length === 0) throw createFieldError('file', texts.choosePhoto);
  const { content, width, height } = await toPlainJpeg(file);
  if (Math.min(width, height) < VERIFICATION_LIMITS.minPixels)
    throw createFieldError('file', formatText(texts.imageTooSmall, { pixels: VERIFICATION_LIMITS.minPixels }));
  const key = `${FOLDER}/${creatorId}/${createId(clock)}`;
  await storage.put(key, encryptContent(getEncryptionKey(config), key, content), 'application/octet-stream');
  return key;
}

/** Opens a stored picture. Throws NOT_FOUND when it no longer exists. */
export async function readPicture(
  { config, storage }: Pick<Context, 'config' | 'storage'>,
  key: string,
): Promise<Buffer> {
  const stored = await storage.open(key);
  if (!stored) throw new AppError('NOT_FOUND');
  const chunks: Buffer[] = [];
  for await (const chunk of await stored.stream()) chunks.push(chunk);
  return decryptBytes(getEncryptionKey(config), key, Buffer.concat(chunks));
}

/** Deletes selfies and rejected pictures 30 days after the decision. */
export async function deleteOldPictures({
  db,
  clock,
  storage,
}: Pick<Context, 'db' | 'clock' | 'storage'>): Promise<void> {
  const before = new Date(clock.now().getTime() - VERIFICATION_LIMITS.retentionDays * DAY_MS);
  const keys = await db.transaction((tx) => clearDuePictures(tx, before));
  for (const key of keys) await storage.remove(key);
}

/** Deletes files that no document refers to. Returns how many. */
export const deleteOrphanPictures = (ctx: Pick<Context, 'db' | 'clock' | 'storage' | 'log'>): Promise<number> =>
  deleteOrphanFiles(ctx, FOLDER, (keys) => findKnownKeys(ctx.db, keys));
