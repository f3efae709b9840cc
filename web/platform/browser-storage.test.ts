import { afterEach, describe, expect, test, vi } from 'vitest';
import { createSafeStore } from './browser-storage.ts';

const DENIED = new DOMException('denied', 'SecurityError');

function refuseStorage(): never {
  throw DENIED;
}

function createStorage(onSet: () => void = () => undefined): Storage {
  const stored = new Map<string, string>();
  return {
    get length() {
      return stored.size;
    },
    key: (index) => [...stored.keys()][index] ?? null,
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => {
      onSet();
      stored.set(key, value);
    },
    removeItem: (key) => void stored.delete(key),
    clear: () => stored.clear(),
  };
}

afterEach(() => void vi.unstubAllGlobals());

describe('the safe store', () => {
  test('uses the storage of the browser', () => {
    const storage = createStorage();
    const store = createSafeStore(() => storage);
    store.setItem('a', '1');
    expect([storage.getItem('a'), store.getItem('a'), store.listKeys()]).toEqual(['1', '1', ['a']]);
    expect(store.isPersistent()).toBe(true);
    store.removeItem('a');
    expect([storage.getItem('a'), store.getItem('a')]).toEqual([null, null]);
  });

  test('remembers values until the page is left while storage is forbidden', () => {
    vi.stubGlobal('window', globalThis);
    const store = createSafeStore(refuseStorage);
    expect(store.getItem('a')).toBeNull();
    store.setItem('a', '1');
    expect([store.getItem('a'), store.listKeys(), store.isPersistent()]).toEqual(['1', ['a'], false]);
    store.removeItem('a');
    expect([store.getItem('a'), store.listKeys()]).toEqual([null, []]);
  });

  test('prefers the value that a full disk refused, until one is stored', () => {
    vi.stubGlobal('window', globalThis);
    let isFull = false;
    const storage = createStorage(() => {
      if (isFull) throw new DOMException('full', 'QuotaExceededError');
    });
    const store = createSafeStore(() => storage);
    store.setItem('a', '1');
    isFull = true;
    store.setItem('a', '2');
    expect([store.getItem('a'), store.listKeys()]).toEqual(['2', ['a']]);
    isFull = false;
    store.setItem('a', '3');
    expect([storage.getItem('a'), store.getItem('a')]).toEqual(['3', '3']);
  });

  test.each([
    ['is forbidden', refuseStorage],
    ['does not exist', () => undefined],
  ])('remembers nothing on a server whose storage %s', (_state, open) => {
    const store = createSafeStore(open);
    store.setItem('a', '1');
    store.removeItem('b');
    expect([store.getItem('a'), store.listKeys(), store.isPersistent()]).toEqual([null, [], false]);
  });
});
