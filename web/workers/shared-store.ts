/** Stores shared content on the device until it is used, with its owner and time, for ten minutes at most. */
import { SHARE_PATH, SHARED_CACHE } from './shared.ts';

export const SHARE_TTL_MS = 10 * 60_000;
const NOTE = `${SHARE_PATH}/note`;

/**
 * `skippedCount`: the number of files that were too large or too many. `at`: the time in ms, which also identifies the share.
 * `text`: the shared text.
 */
export type ShareNote = { owner: string; at: number; skippedCount: number; text: string };
export type SharedContent = ShareNote & { files: File[] };

type CacheEntries = Pick<Cache, 'match' | 'matchAll' | 'put'>;
export type ShareStore = {
  has: (name: string) => Promise<boolean>;
  open: (name: string) => Promise<CacheEntries>;
  delete: (name: string) => Promise<boolean>;
};

function isNote(value: unknown): value is ShareNote {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'owner' in value && 'at' in value && typeof value.at === 'number' && 'skippedCount' in value && 'text' in value
  );
}

async function findNote(store: ShareStore): Promise<ShareNote | undefined> {
  const note: unknown = await (await (await store.open(SHARED_CACHE)).match(NOTE))?.json().catch(() => undefined);
  return isNote(note) ? note : undefined;
}

export const saveShareNote = (cache: CacheEntries, note: ShareNote) =>
  cache.put(NOTE, new Response(JSON.stringify(note)));

export function saveSharedFile(cache: CacheEntries, index: number, file: File): Promise<void> {
  const headers = { 'content-type': file.type, 'x-name': encodeURIComponent(file.name.toWellFormed()) };
  return cache.put(`${SHARE_PATH}/${index}`, new Response(file, { headers }));
}

/** Returns the share that waits for this account. Shares of other accounts and expired ones are deleted. */
export async function findShareNote(store: ShareStore, owner: string, now: number): Promise<ShareNote | undefined> {
  if (!(await store.has(SHARED_CACHE))) return undefined;
  // An empty cache is just being filled by the worker, which writes the note first. Checking for entries before the
  // note avoids a race.
  if ((await (await store.open(SHARED_CACHE)).matchAll()).length === 0) return undefined;
  const note = await findNote(store);
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
  const responses = await (await store.open(SHARED_CACHE)).matchAll();
  const files = await Promise.all(
    responses.flatMap((response) => {
      const name = response.headers.get('x-name');
      if (name === null) return [];
      return response.blob().then((blob) => new File([blob], decodeURIComponent(name), { type: blob.type }));
    }),
  );
  return { ...note, files };
}

/** Deletes the share, unless a newer one has replaced it. */
export async function deleteShare(store: ShareStore, at: number): Promise<void> {
  if ((await store.has(SHARED_CACHE)) && (await findNote(store))?.at === at) await store.delete(SHARED_CACHE);
}
