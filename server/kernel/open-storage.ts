/** Opens the store that the configuration names. */
import type { Config } from './config.ts';
import { localStorage, type Storage } from './storage.ts';

/** S3's client is fetched only where it is used: it takes 35 MB. */
export async function openStorage(storage: Config['storage']): Promise<Storage> {
  if (storage.kind === 'local') return localStorage(storage.dir);
  const { s3Storage } = await import('./storage-s3.ts');
  return s3Storage(storage);
}
