/** A cache bounded in bytes. Entries that were not used again while the younger half filled up are dropped. */

export type LruCache<T> = {
  get(key: string): T | undefined;
  set(key: string, value: T, bytes: number): void;
};

export function createLruCache<T>(maxBytes: number): LruCache<T> {
  type Entry = { readonly value: T; readonly bytes: number };
  let recent = new Map<string, Entry>();
  let previous = new Map<string, Entry>();
  let recentBytes = 0;

  const store = (key: string, entry: Entry) => {
    recentBytes += entry.bytes - (recent.get(key)?.bytes ?? 0);
    recent.set(key, entry);
    previous.delete(key);
    if (recentBytes <= maxBytes / 2) return;
    [previous, recent, recentBytes] = [recent, new Map(), 0];
  };
  return {
    get: (key) => {
      const entry = recent.get(key);
      if (entry) return entry.value;
      const older = previous.get(key);
      if (older) store(key, older);
      return older?.value;
    },
    set: (key, value, bytes) => store(key, { value, bytes }),
  };
}
