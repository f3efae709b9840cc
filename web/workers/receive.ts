/**
 * Receives content from the device's share sheet, or from any site that posts here, within the same limits as a manual
 * upload.
 */
import { PICTURE_LIMITS, POST_LIMITS, VIDEO_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { SHARED_CACHE } from './shared.ts';
import { type ShareStore, saveSharedFile, saveShareNote } from './shared-store.ts';

const MAX_TEXT_LENGTH = POST_LIMITS.captionLength;

export type Sharer = { id: string; type: 'creator' | 'customer' };

export function toSharer(viewer: unknown): Sharer | undefined {
  if (typeof viewer !== 'object' || viewer === null || !('id' in viewer) || !('type' in viewer)) return undefined;
  const { id, type } = viewer;
  if (typeof id !== 'string' || (type !== 'creator' && type !== 'customer')) return undefined;
  return { id, type };
}

/** Joins title, text and address. Some phones repeat the address in the text, so duplicates are removed. */
export function joinSharedText(parts: readonly (FormDataEntryValue | null)[]): string {
  const texts = parts.flatMap((part) => (typeof part === 'string' && part.trim() !== '' ? part.trim() : []));
  const distinct = texts.filter(
    (part, index) => !texts.some((other, at) => at !== index && other.includes(part) && (other !== part || at < index)),
  );
  return distinct.join('\n').slice(0, MAX_TEXT_LENGTH);
}

/**
 * Replaces what was shared before. Returns the number of stored files: at most as many as a post may have, none larger
 * than its type allows, and in total no larger than the largest single file.
 */
export async function storeShare(
  files: readonly File[],
  { id, type }: Sharer,
  store: ShareStore,
  at: number,
  text = '',
): Promise<number> {
  await store.delete(SHARED_CACHE);
  if (files.length === 0 && text === '') return 0;
  const cache = await store.open(SHARED_CACHE);
  await saveShareNote(cache, { owner: id, at, skippedCount: 0, text });
  let freeBytes: number = type === 'creator' ? VIDEO_LIMITS.maxBytes : CHAT_LIMITS.fanUploadBytes;
  let count = 0;
  for (const file of files) {
    const maxBytes = file.type.startsWith('image/') ? Math.min(freeBytes, PICTURE_LIMITS.maxBytes) : freeBytes;
    if (count === POST_LIMITS.files || file.size > maxBytes) continue;
    try {
      await saveSharedFile(cache, count, file);
    } catch {
      break;
    }
    freeBytes -= file.size;
    count += 1;
  }
  await saveShareNote(cache, { owner: id, at, skippedCount: files.length - count, text });
  return count;
}
