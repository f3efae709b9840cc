/**
 * What this browser remembers of uploads that are not finished, so that they go on after a reload: which draft they belong
 * to, where the server keeps them, and how to know the file again. A file that was dropped leaves a handle by which it can
 * be read again; one that was chosen must be chosen again, as browsers let it go.
 */
import * as z from 'zod/mini';

const record = z.object({
  key: z.string(),
  draftId: z.string(),
  ownerId: z.string(),
  /** Where it is sent to; null until the server has answered. */
  url: z.nullable(z.string()),
  name: z.string(),
  type: z.string(),
  byteSize: z.number(),
  lastModified: z.number(),
  alt: z.string(),
  /** Its place in the list. */
  index: z.number(),
  /** Milliseconds since 1970. */
  begunAt: z.number(),
});
export type Unfinished = z.infer<typeof record>;

/** The server forgets what nobody went on with for a day. */
const KEPT_MS = 24 * 60 * 60 * 1_000;
const PREFIX = 'unfinished-upload:';

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Keeps nothing where storage is forbidden or full; nothing breaks. */
function attempt<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

export function rememberUpload(store: Store, upload: Unfinished): void {
  attempt(() => store.setItem(PREFIX + upload.key, JSON.stringify(upload)), undefined);
}

export function forgetUpload(store: Store, key: string): void {
  attempt(() => store.removeItem(PREFIX + key), undefined);
}

/** Everything remembered of that person's uploads; what cannot be read or is too old is dropped. */
export function rememberedUploads(store: Store, ownerId: string, nowMs: number): Unfinished[] {
  const found: Unfinished[] = [];
  const keys = attempt(() => Array.from({ length: store.length }, (_, index) => store.key(index)), []);
  for (const key of keys) {
    if (!key?.startsWith(PREFIX)) continue;
    const parsed = z.safeParse(
      record,
      attempt(() => JSON.parse(store.getItem(key) ?? 'null'), null),
    );
    if (!parsed.success || nowMs - parsed.data.begunAt > KEPT_MS) forgetUpload(store, key.slice(PREFIX.length));
    else if (parsed.data.ownerId === ownerId) found.push(parsed.data);
  }
  return found.sort((a, b) => a.index - b.index);
}

/** Whether this is the file that was being sent. */
export function isSameFile(
  upload: Pick<Unfinished, 'name' | 'byteSize' | 'lastModified'>,
  file: Pick<File, 'name' | 'size' | 'lastModified'>,
): boolean {
  return upload.name === file.name && upload.byteSize === file.size && upload.lastModified === file.lastModified;
}
