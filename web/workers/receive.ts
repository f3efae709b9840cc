/**
 * Receives content from the device's share sheet, or from any site that posts here, within the same limits as a manual
 * upload.
 */
import { PICTURE, POST_LIMITS, VIDEO } from '@stagedoor/contract/atoms/limits.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/atoms/room-limits.ts';
import { SHARED_CACHE } from './shared.ts';
import { putFile, putNote, type Store } from './shared-store.ts';

const MOST_WORDS = POST_LIMITS.captionLength;

export type Sharer = { id: string; type: 'creator' | 'customer' };

export function sharerOf(viewer: unknown): Sharer | undefined {
  if (typeof viewer !== 'object' || viewer === null || !('id' in viewer) || !('type' in viewer)) return undefined;
  const { id, type } = viewer;
  if (typeof id !== 'string' || (type !== 'creator' && type !== 'customer')) return undefined;
  return { id, type };
}

/** Joins title, text and address. Some phones repeat the address in the text, so duplicates are removed. */
export function wordsOf(parts: readonly (FormDataEntryValue | null)[]): string {
  const said = parts.flatMap((part) => (typeof part === 'string' && part.trim() !== '' ? part.trim() : []));
  const apart = said.filter(
    (part, index) => !said.some((other, at) => at !== index && other.includes(part) && (other !== part || at < index)),
  );
  return apart.join('\n').slice(0, MOST_WORDS);
}

/**
 * Replaces what was shared before. Returns the number of stored files: at most as many as a post may have, none larger
 * than its type allows, and in total no larger than the largest single file.
 */
export async function keepShared(
  files: readonly File[],
  { id, type }: Sharer,
  store: Store,
  at: number,
  words = '',
): Promise<number> {
  await store.delete(SHARED_CACHE);
  if (files.length === 0 && words === '') return 0;
  const cache = await store.open(SHARED_CACHE);
  await putNote(cache, { owner: id, at, left: 0, words });
  let free: number = type === 'creator' ? VIDEO.maxBytes : CHAT_LIMITS.fanUploadBytes;
  let count = 0;
  for (const file of files) {
    const most = file.type.startsWith('image/') ? Math.min(free, PICTURE.maxBytes) : free;
    if (count === POST_LIMITS.files || file.size > most) continue;
    try {
      await putFile(cache, count, file);
    } catch {
      break;
    }
    free -= file.size;
    count += 1;
  }
  await putNote(cache, { owner: id, at, left: files.length - count, words });
  return count;
}
