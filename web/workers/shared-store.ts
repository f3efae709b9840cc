/** Stores shared content on the device until it is used, with its owner and time, for ten minutes at most. */
import { SHARE_PATH, SHARED_CACHE } from './shared.ts';

export const SHARED_MS = 10 * 60_000;
const NOTE = `${SHARE_PATH}/note`;

/**
 * `left`: the number of files that were too large or too many. `at`: the time in ms, which also identifies the share.
 * `words`: the shared text.
 */
export type ShareNote = { owner: string; at: number; left: number; words: string };
export type Shared = ShareNote & { files: File[] };

type Kept = Pick<Cache, 'match' | 'matchAll' | 'put'>;
export type Store = {
  has: (name: string) => Promise<boolean>;
  open: (name: string) => Promise<Kept>;
  delete: (name: string) => Promise<boolean>;
};

function isNote(value: unknown): value is ShareNote {
  if (typeof value !== 'object' || value === null) return false;
  return 'owner' in value && 'at' in value && typeof value.at === 'number' && 'left' in value && 'words' in value;
}

async function noteOf(store: Store): Promise<ShareNote | undefined> {
  const note: unknown = await (await (await store.open(SHARED_CACHE)).match(NOTE))?.json().catch(() => undefined);
  return isNote(note) ? note : undefined;
}

export const putNote = (cache: Kept, note: ShareNote) => cache.put(NOTE, new Response(JSON.stringify(note)));

export function putFile(cache: Kept, index: number, file: File): Promise<void> {
  const headers = { 'content-type': file.type, 'x-name': encodeURIComponent(file.name.toWellFormed()) };
  return cache.put(`${SHARE_PATH}/${index}`, new Response(file, { headers }));
}

/** Returns the share that waits for this account. Shares of other accounts and expired ones are deleted. */
export async function sharedFor(store: Store, owner: string, now: number): Promise<ShareNote | undefined> {
  if (!(await store.has(SHARED_CACHE))) return undefined;
  // An empty cache is just being filled by the worker, which writes the note first. Checking for entries before the
  // note avoids a race.
  if ((await (await store.open(SHARED_CACHE)).matchAll()).length === 0) return undefined;
  const note = await noteOf(store);
  if (note?.owner === owner && Math.abs(now - note.at) < SHARED_MS) return note;
  await store.delete(SHARED_CACHE);
  return undefined;
}

export async function readShared(store: Store, owner: string, now: number): Promise<Shared | undefined> {
  const note = await sharedFor(store, owner, now);
  if (!note) return undefined;
  const answers = await (await store.open(SHARED_CACHE)).matchAll();
  const files = await Promise.all(
    answers.flatMap((answer) => {
      const name = answer.headers.get('x-name');
      if (name === null) return [];
      return answer.blob().then((blob) => new File([blob], decodeURIComponent(name), { type: blob.type }));
    }),
  );
  return { ...note, files };
}

/** Deletes the share, unless a newer one has replaced it. */
export async function forgetShared(store: Store, at: number): Promise<void> {
  if ((await store.has(SHARED_CACHE)) && (await noteOf(store))?.at === at) await store.delete(SHARED_CACHE);
}
