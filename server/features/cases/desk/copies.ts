/** Identical copies of media: what was uploaded again, by whomever, byte for byte. */
import type { Executor } from '../../../kernel/db.ts';
import { findSameMedia } from '../../media/index.ts';

/** These and every identical copy. */
export async function withCopies(db: Executor, mediaIds: readonly string[]): Promise<string[]> {
  return [...new Set([...mediaIds, ...(await findSameMedia(db, mediaIds))])];
}

/** How many copies there are besides these. */
export async function countCopies(db: Executor, mediaIds: readonly string[]): Promise<number> {
  return (await withCopies(db, mediaIds)).length - new Set(mediaIds).size;
}
