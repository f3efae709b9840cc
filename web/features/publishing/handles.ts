/**
 * Stores handles of dropped files so that they can be read again after a reload (Chromium only). Reading may ask the
 * user for permission. Other browsers, and files that were chosen or pasted, have no handle.
 */

const DATABASE = 'publishing';
const STORE = 'handles';

/** The parts of the File System Access API that the DOM types lack. */
type Readable = FileSystemFileHandle & {
  queryPermission?: (wanted: { mode: 'read' }) => Promise<PermissionState>;
  requestPermission?: (wanted: { mode: 'read' }) => Promise<PermissionState>;
};

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('no database'));
  });
}

async function withStore<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const request = work(database.transaction(STORE, mode).objectStore(STORE));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('not stored'));
    });
  } finally {
    database.close();
  }
}

/**
 * Requests the handles of dropped files. Must be called synchronously in the drop event, because the items are gone
 * afterwards.
 */
export function handlesOf(items: DataTransferItemList): Promise<readonly (FileSystemFileHandle | undefined)[]> {
  const asked = [...items]
    .filter(({ kind }) => kind === 'file')
    .map(async (item) => {
      if (!('getAsFileSystemHandle' in item) || typeof item.getAsFileSystemHandle !== 'function') return undefined;
      const handle: unknown = await item.getAsFileSystemHandle();
      return handle instanceof FileSystemFileHandle ? handle : undefined;
    });
  return Promise.all(asked).catch(() => []);
}

export async function keepHandle(key: string, handle: FileSystemFileHandle): Promise<void> {
  await withStore('readwrite', (store) => store.put(handle, key)).catch(() => undefined);
}

export async function dropHandle(key: string): Promise<void> {
  await withStore('readwrite', (store) => store.delete(key)).catch(() => undefined);
}

/**
 * Reads the file of a stored handle. With `isAsking`, which requires a user gesture, the browser may ask for
 * permission.
 */
export async function readHandle(key: string, isAsking: boolean): Promise<File | undefined> {
  try {
    const handle: Readable | undefined = await withStore('readonly', (store) => store.get(key));
    if (!handle) return undefined;
    const wanted = { mode: 'read' } as const;
    const state = isAsking ? await handle.requestPermission?.(wanted) : await handle.queryPermission?.(wanted);
    return state === 'granted' ? await handle.getFile() : undefined;
  } catch {
    return undefined;
  }
}
