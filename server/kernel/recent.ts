/** A cache bounded in bytes. Entries that were not used again while the younger half filled up are dropped. */

export type Recent<T> = {
  get(key: string): T | undefined;
  put(key: string, value: T, bytes: number): void;
};

export function createRecent<T>(maxBytes: number): Recent<T> {
  type Entry = { readonly value: T; readonly bytes: number };
  let young = new Map<string, Entry>();
  let old = new Map<string, Entry>();
  let youngBytes = 0;

  const keep = (key: string, entry: Entry) => {
    youngBytes += entry.bytes - (young.get(key)?.bytes ?? 0);
    young.set(key, entry);
    old.delete(key);
    if (youngBytes <= maxBytes / 2) return;
    [old, young, youngBytes] = [young, new Map(), 0];
  };
  return {
    get: (key) => {
      const found = young.get(key);
      if (found) return found.value;
      const older = old.get(key);
      if (older) keep(key, older);
      return older?.value;
    },
    put: (key, value, bytes) => keep(key, { value, bytes }),
  };
}
