/**
 * Files that were dropped, as handles that outlive a reload, where the browser has them (Chromium). Reading one again may
 * ask the person; everywhere else, and for files that were chosen or pasted, there is none.
 */

const DATABASE = 'publishing';
const STORE = 'handles';

/** What is used of the File System Access API, which the DOM's types do not fully have. */
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

/** The handles of dropped files, begun to be asked for while the drop is handled, as they are gone afterwards. */
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

/** The file of a kept handle. With `isAsking`, within a press, the person may be asked to allow it. */
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
