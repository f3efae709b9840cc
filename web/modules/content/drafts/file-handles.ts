/**
 * Stores handles of dropped files so that they can be read again after a reload (Chromium only). Reading may ask the
 * user for permission. Other browsers, and files that were chosen or pasted, have no handle.
 */

const DATABASE = 'publishing';
const STORE = 'handles';

/** The parts of the File System Access API that the DOM types lack. */
type ReadableHandle = FileSystemFileHandle & {
  queryPermission?: (descriptor: { mode: 'read' }) => Promise<PermissionState>;
  requestPermission?: (descriptor: { mode: 'read' }) => Promise<PermissionState>;
};

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('no database'));
  });
}

async function runInStore<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await openDatabase();
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
export function getHandles(items: DataTransferItemList): Promise<readonly (FileSystemFileHandle | undefined)[]> {
  const requests = [...items]
    .filter(({ kind }) => kind === 'file')
    .map(async (item) => {
      if (!('getAsFileSystemHandle' in item) || typeof item.getAsFileSystemHandle !== 'function') return undefined;
      const handle: unknown = await item.getAsFileSystemHandle();
      return handle instanceof FileSystemFileHandle ? handle : undefined;
    });
  return Promise.all(requests).catch(() => []);
}

export async function saveHandle(key: string, handle: FileSystemFileHandle): Promise<void> {
  await runInStore('readwrite', (store) => store.put(handle, key)).catch(() => undefined);
}

export async function deleteHandle(key: string): Promise<void> {
  await runInStore('readwrite', (store) => store.delete(key)).catch(() => undefined);
}

/**
 * Reads the file of a stored handle. With `canPrompt`, which requires a user gesture, the browser may ask for
 * permission.
 */
export async function readHandle(key: string, canPrompt: boolean): Promise<File | undefined> {
  try {
    const handle: ReadableHandle | undefined = await runInStore('readonly', (store) => store.get(key));
    if (!handle) return undefined;
    const descriptor = { mode: 'read' } as const;
    const state = canPrompt ? await handle.requestPermission?.(descriptor) : await handle.queryPermission?.(descriptor);
    return state === 'granted' ? await handle.getFile() : undefined;
  } catch {
    return undefined;
  }
}
