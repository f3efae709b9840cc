import { localStore } from '../../../platform/browser-storage.ts';
import { readHandle } from './file-handles.ts';
import { toUploadItem, type UploadItem } from './items.ts';
import { listStoredUploads, type UnfinishedUpload } from './unfinished-uploads.ts';

export type RestoredUpload = { item: UploadItem; origin: UnfinishedUpload; file: File | undefined };

async function fetchOffset(url: string | null): Promise<number | undefined> {
  if (url === null) return undefined;
  const response = await fetch(url, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } });
  return response.ok ? Number(response.headers.get('upload-offset')) : undefined;
}

async function restoreUpload(record: UnfinishedUpload): Promise<RestoredUpload> {
  const [sent, file] = await Promise.all([fetchOffset(record.url).catch(() => 0), readHandle(record.key, false)]);
  const origin = sent === undefined ? { ...record, url: null } : record;
  const fileInfo = { name: record.name, size: record.byteSize, type: record.type };
  const item: UploadItem = {
    ...toUploadItem(record.key, fileInfo, ''),
    alt: record.alt,
    sent: sent ?? 0,
    state: file ? 'waiting' : 'lost',
  };
  const isComplete = sent === record.byteSize && record.url !== null;
  if (!isComplete) return { item, origin, file };
  const mediaId = record.url?.split('/').at(-1);
  return { item: { ...item, state: 'processing', mediaId }, origin, file: undefined };
}

export async function listLockNames(): Promise<ReadonlySet<string | undefined>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(held.map(({ name }) => name));
}

/** The lock of an uploading page, so that another page with the same draft does not upload the file too. */
export const toLockName = (key: string): string => `unfinished-upload:${key}`;

/** Returns uploads in the order of the list. Skips those of other drafts and those that another page is sending. */
export async function restoreUploads(owner: { ownerId: string; draftId: string }): Promise<RestoredUpload[]> {
  const lockNames = await listLockNames();
  const records = listStoredUploads(localStore, owner.ownerId, Date.now()).filter(
    ({ draftId, key }) => draftId === owner.draftId && !lockNames.has(toLockName(key)),
  );
  return Promise.all(records.map(restoreUpload));
}
