/** Stores unsent messages and their files in IndexedDB, or in memory where IndexedDB is not available. */
import { CHAT_DATABASE } from '../../../../platform/storage.ts';
import type { OutboxEntry } from './queue.ts';

export interface OutboxStore {
  listEntries(userId: string): Promise<OutboxEntry[]>;
  put(entry: OutboxEntry): Promise<void>;
  remove(clientId: string): Promise<void>;
}

export function createMemoryStore(): OutboxStore {
  const entries = new Map<string, OutboxEntry>();
  return {
    listEntries: async (userId) => [...entries.values()].filter((entry) => entry.userId === userId),
    put: async (entry) => void entries.set(entry.clientId, entry),
    remove: async (clientId) => void entries.delete(clientId),
  };
}

const STORE_NAME = 'outbox';

function toPromise<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(CHAT_DATABASE, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(STORE_NAME, { keyPath: 'clientId' }).createIndex('userId', 'userId');
  };
  const database = await toPromise(request);
  // A logout in another tab deletes the database.
  database.onversionchange = () => database.close();
  return database;
}

/** Resolves when the change is on disk. */
async function runWrite(work: (table: IDBObjectStore) => void): Promise<void> {
  const database = await openDatabase();
  try {
    const transaction = database.transaction(STORE_NAME, 'readwrite', { durability: 'strict' });
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
    work(transaction.objectStore(STORE_NAME));
    await done;
  } finally {
    database.close();
  }
}

function createDatabaseStore(): OutboxStore {
  return {
    listEntries: async (userId) => {
      const database = await openDatabase();
      try {
        const index = database.transaction(STORE_NAME).objectStore(STORE_NAME).index('userId');
        // The store contains only entries that put wrote.
        return (await toPromise(index.getAll(userId))) as OutboxEntry[];
      } finally {
        database.close();
      }
    },
    put: (entry) => runWrite((table) => void table.put(entry)),
    remove: (clientId) => runWrite((table) => void table.delete(clientId)),
  };
}

export function createDeviceStore(): OutboxStore {
  const [disk, memory] = [createDatabaseStore(), createMemoryStore()];
  let isUnavailable = false;
  const runWithFallback = async <T>(work: (store: OutboxStore) => Promise<T>): Promise<T> => {
    if (isUnavailable) return work(memory);
    try {
      return await work(disk);
    } catch {
      isUnavailable = true;
      return work(memory);
    }
  };
  return {
    listEntries: (userId) => runWithFallback((store) => store.listEntries(userId)),
    put: (entry) => runWithFallback((store) => store.put(entry)),
    remove: (clientId) => runWithFallback((store) => store.remove(clientId)),
  };
}
