/** Stores shared content on the device until it is used, with its owner and time, for ten minutes at most. */
import { SHARE_PATH, SHARED_CACHE } from './shared.ts';

export const SHARE_TTL_MS = 10 * 60_000;
const NOTE = `${SHARE_PATH}/note`;
const toFilePath = (index: number) => `${SHARE_PATH}/${index}`;

/**
 * `skippedCount`: the number of files that were too large or too many. `at`: the time in ms, which also identifies the share.
 * `text`: the shared text.
 */
export type ShareNote = { owner: string; at: number; skippedCount: number; text: string };
export type SharedContent = ShareNote & { files: File[] };

type CacheEntries = Pick<Cache, 'put'>;
/** `match` does not create a cache that is missing, while `open` does. */
export type ShareStore = {
  match: (path: string, options: { cacheName: string }) => Promise<Response | undefined>;
  open: (name: string) => Promise<CacheEntries>;
  delete: (name: string) => Promise<boolean>;
};

function isNote(value: unknown): value is ShareNote {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'owner' in value && 'at' in value && typeof value.at === 'number' && 'skippedCount' in value && 'text' in value
  );
}

const findEntry = (store: ShareStore, path: string) => store.match(path, { cacheName: SHARED_CACHE });

async function readNote(response: Response): Promise<ShareNote | undefined> {
  const note: unknown = await response.json().catch(() => undefined);
  return isNote(note) ? note : undefined;
}

export const saveShareNote = (cache: CacheEntries, note: ShareNote) =>
  cache.put(NOTE, new Response(JSON.stringify(note)));

export function saveSharedFile(cache: CacheEntries, index: number, file: File): Promise<void> {
  const headers = { 'content-type': file.type, 'x-name': encodeURIComponent(file.name.toWellFormed()) };
  return cache.put(toFilePath(index), new Response(file, { headers }));
}

/** Returns the share that waits for this account. Shares of other accounts and expired ones are deleted. */
export async function findShareNote(store: ShareStore, owner: string, now: number): Promise<ShareNote | undefined> {
  const response = await findEntry(store, NOTE);
  // The worker writes the note first, so a cache without a note is just being filled.
  if (!response) return undefined;
  const note = await readNote(response);
  if (note?.owner === owner && Math.abs(now - note.at) < SHARE_TTL_MS) return note;
  await store.delete(SHARED_CACHE);
  return undefined;
}

export async function findSharedContent(
  store: ShareStore,
  owner: string,
  now: number,
): Promise<SharedContent | undefined> {
  const note = await findShareNote(store, owner, now);
  if (!note) return undefined;
  const files: File[] = [];
  for (;;) {
    const response = await findEntry(store, toFilePath(files.length));
    if (!response) return { ...note, files };
    const blob = await response.blob();
    const name = decodeURIComponent(response.headers.get('x-name') ?? '');
    files.push(new File([blob], name, { type: blob.type }));
  }
}

/** Deletes the share, unless a newer one has replaced it. */
export async function deleteShare(store: ShareStore, at: number): Promise<void> {
  const response = await findEntry(store, NOTE);
  if (response && (await readNote(response))?.at === at) await store.delete(SHARED_CACHE);
}
