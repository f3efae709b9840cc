/** Takes in what a phone shares, or any site that posts here: so many files and bytes as one could add by hand, of whoever is there. */
import { PICTURE, POST_LIMITS, VIDEO } from '@stagedoor/contract/atoms/limits.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/atoms/room-limits.ts';
import { SHARED_CACHE } from './shared.ts';
import { putFile, putNote, type Store } from './shared-store.ts';

/** No text here may be longer. */
const MOST_WORDS = POST_LIMITS.captionLength;

export type Sharer = { id: string; type: 'creator' | 'customer' };

/** Whoever the server says is there; nobody who could take files when undefined. */
export function sharerOf(viewer: unknown): Sharer | undefined {
  if (typeof viewer !== 'object' || viewer === null || !('id' in viewer) || !('type' in viewer)) return undefined;
  const { id, type } = viewer;
  if (typeof id !== 'string' || (type !== 'creator' && type !== 'customer')) return undefined;
  return { id, type };
}

/** A title, a text and an address, as one text: some phones say the address in the text, too. */
export function wordsOf(parts: readonly (FormDataEntryValue | null)[]): string {
  const said = parts.flatMap((part) => (typeof part === 'string' && part.trim() !== '' ? part.trim() : []));
  const apart = said.filter(
    (part, index) => !said.some((other, at) => at !== index && other.includes(part) && (other !== part || at < index)),
  );
  return apart.join('\n').slice(0, MOST_WORDS);
}

/**
 * Keeps it in place of what was shared before. Answers how many files are kept: at most as many as a post has, none larger than its kind
 * may be, and all together no larger than the largest single one. `words` are kept beside them, or alone.
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
      // The device is full.
      break;
    }
    free -= file.size;
    count += 1;
  }
  await putNote(cache, { owner: id, at, left: files.length - count, words });
  return count;
}
