/**
 * The storage of the browser, which may be forbidden or full. These stores never throw. What the browser refuses is
 * stored in memory until the page is left. ESLint refuses `localStorage` and `sessionStorage` elsewhere.
 */

export interface KeyValueStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface ListableStore extends KeyValueStore {
  listKeys(): string[];
}

export interface SafeStore extends ListableStore {
  /** False if the user forbids storage. What is stored then lasts until the page is left. */
  isPersistent(): boolean;
}

/** @param open Returns the browser's storage. Reading the property throws if the user forbids storage. */
export function createSafeStore(open: () => Storage | undefined): SafeStore {
  const refused = new Map<string, string>();
  const tryOr = <T>(work: (storage: Storage) => T, fallback: T): T => {
    try {
      const storage = open();
      return storage ? work(storage) : fallback;
    } catch {
      return fallback;
    }
  };
  const isStored = (key: string, value: string) =>
    tryOr((storage) => {
      storage.setItem(key, value);
      return true;
    }, false);
  return {
    isPersistent: () => tryOr(() => true, false),
    getItem: (key) => refused.get(key) ?? tryOr((storage) => storage.getItem(key), null),
    setItem: (key, value) => {
      if (isStored(key, value)) return void refused.delete(key);
      // A server has no storage, and its memory belongs to all requests.
      if (typeof window !== 'undefined') refused.set(key, value);
    },
    removeItem: (key) => {
      refused.delete(key);
      tryOr((storage) => storage.removeItem(key), undefined);
    },
    listKeys: () => [
      ...new Set([
        ...refused.keys(),
        ...tryOr(
          (storage) =>
            Array.from({ length: storage.length }, (_, index) => storage.key(index)).filter((key) => key !== null),
          [],
        ),
      ]),
    ],
  };
}

export const localStore = createSafeStore(() => globalThis.localStorage);
export const sessionStore = createSafeStore(() => globalThis.sessionStorage);
