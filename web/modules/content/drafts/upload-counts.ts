import { localStore } from '../../../platform/browser-storage.ts';
import { listLockNames, toLockName } from './restore-uploads.ts';
import { listStoredUploads, type UnfinishedUpload } from './unfinished-uploads.ts';

/** The files of a draft that are not uploaded completely. `stopped`: no page of this browser is uploading them. */
export type UploadCounts = { uploading: number; stopped: number };
const NO_UPLOADS: UploadCounts = { uploading: 0, stopped: 0 };

export function countUploads(
  uploads: readonly Pick<UnfinishedUpload, 'key' | 'draftId'>[],
  lockNames: ReadonlySet<string | undefined>,
): ReadonlyMap<string, UploadCounts> {
  const counts = new Map<string, UploadCounts>();
  for (const { key, draftId } of uploads) {
    const { uploading, stopped } = counts.get(draftId) ?? NO_UPLOADS;
    counts.set(
      draftId,
      lockNames.has(toLockName(key)) ? { uploading: uploading + 1, stopped } : { uploading, stopped: stopped + 1 },
    );
  }
  return counts;
}

/** Returns the counts by draft. Only uploads of this browser are known. */
export async function readUploadCounts(): Promise<ReadonlyMap<string, UploadCounts>> {
  const lockNames = await listLockNames();
  return countUploads(listStoredUploads(localStore, undefined, Date.now()), lockNames);
}
