/**
 * Stores unfinished uploads in the browser so that they resume after a reload: the draft, the URL on the server and how
 * to recognise the file. A dropped file also has a handle to read it again. Other files must be chosen again.
 */
import * as z from 'zod/mini';
import type { ListableStore } from '../../../platform/browser-storage.ts';

const uploadSchema = z.object({
  key: z.string(),
  draftId: z.string(),
  ownerId: z.string(),
  /** The upload URL. Null until the server has responded. */
  url: z.nullable(z.string()),
  name: z.string(),
  type: z.string(),
  byteSize: z.number(),
  lastModified: z.number(),
  alt: z.string(),
  index: z.number(),
  /** Unix time in milliseconds. */
  startedAt: z.number(),
});
export type UnfinishedUpload = z.infer<typeof uploadSchema>;

/** The server deletes uploads that were idle for a day. */
const UPLOAD_TTL_MS = 24 * 60 * 60 * 1_000;
const PREFIX = 'unfinished-upload:';

function parseStored(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

export function storeUpload(store: ListableStore, upload: UnfinishedUpload): void {
  store.setItem(PREFIX + upload.key, JSON.stringify(upload));
}

export function deleteStoredUpload(store: ListableStore, key: string): void {
  store.removeItem(PREFIX + key);
}

/** Returns the stored uploads of the owner, or of all users. Invalid and expired ones are deleted. */
export function listStoredUploads(
  store: ListableStore,
  ownerId: string | undefined,
  nowMs: number,
): UnfinishedUpload[] {
  const uploads: UnfinishedUpload[] = [];
  for (const key of store.listKeys()) {
    if (!key.startsWith(PREFIX)) continue;
    const parsed = z.safeParse(uploadSchema, parseStored(store.getItem(key)));
    if (!parsed.success || nowMs - parsed.data.startedAt > UPLOAD_TTL_MS)
      deleteStoredUpload(store, key.slice(PREFIX.length));
    else if (ownerId === undefined || parsed.data.ownerId === ownerId) uploads.push(parsed.data);
  }
  return uploads.sort((a, b) => a.index - b.index);
}

export function isSameFile(
  upload: Pick<UnfinishedUpload, 'name' | 'byteSize' | 'lastModified'>,
  file: Pick<File, 'name' | 'size' | 'lastModified'>,
): boolean {
  return upload.name === file.name && upload.byteSize === file.size && upload.lastModified === file.lastModified;
}
