/** Stores unsent messages and their files in IndexedDB, or in memory where IndexedDB is not available. */
import { CHAT_DATABASE } from '../../../kernel/storage.ts';
import type { Entry } from './queue.ts';

export interface OutboxStore {
  all(userId: string): Promise<Entry[]>;
  put(entry: Entry): Promise<void>;
  remove(clientId: string): Promise<void>;
}

export function memoryStore(): OutboxStore {
  const entries = new Map<string, Entry>();
  return {
    all: async (userId) => [...entries.values()].filter((entry) => entry.userId === userId),
    put: async (entry) => void entries.set(entry.clientId, entry),
    remove: async (clientId) => void entries.delete(clientId),
  };
}

const TABLE = 'outbox';

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(CHAT_DATABASE, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(TABLE, { keyPath: 'clientId' }).createIndex('userId', 'userId');
  };
  const database = await answerOf(request);
  // A logout in another tab deletes the database.
  database.onversionchange = () => database.close();
  return database;
}

/** Resolves when the change is on disk. */
async function change(work: (table: IDBObjectStore) => void): Promise<void> {
  const database = await open();
  try {
    const transaction = database.transaction(TABLE, 'readwrite', { durability: 'strict' });
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
    work(transaction.objectStore(TABLE));
    await done;
  } finally {
    database.close();
  }
}

function databaseStore(): OutboxStore {
  return {
    all: async (userId) => {
      const database = await open();
      try {
        const index = database.transaction(TABLE).objectStore(TABLE).index('userId');
        // The store contains only entries that put wrote.
        return (await answerOf(index.getAll(userId))) as Entry[];
      } finally {
        database.close();
      }
    },
    put: (entry) => change((table) => void table.put(entry)),
    remove: (clientId) => change((table) => void table.delete(clientId)),
  };
}

export function deviceStore(): OutboxStore {
  if (typeof indexedDB === 'undefined') return memoryStore();
  const [disk, memory] = [databaseStore(), memoryStore()];
  let isRefused = false;
  const either = async <T>(work: (store: OutboxStore) => Promise<T>): Promise<T> => {
    if (isRefused) return work(memory);
    try {
      return await work(disk);
    } catch {
      isRefused = true;
      return work(memory);
    }
  };
  return {
    all: (userId) => either((store) => store.all(userId)),
    put: (entry) => either((store) => store.put(entry)),
    remove: (clientId) => either((store) => store.remove(clientId)),
  };
}
