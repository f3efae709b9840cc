import type { Config } from '../config.ts';
import { createLocalStorage, type Storage } from './storage.ts';

/** The S3 client is loaded only when it is used because it takes 35 MB. */
export async function openStorage(storage: Config['storage']): Promise<Storage> {
  if (storage.kind === 'local') return createLocalStorage(storage.dir);
  const { createS3Storage } = await import('./storage-s3.ts');
  return createS3Storage(storage);
}
