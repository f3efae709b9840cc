import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { expect, test } from 'vitest';
import { joinSharedText, storeShare, toSharer } from './receive.ts';
import { SHARED_CACHE } from './shared.ts';
import { deleteShare, findSharedContent, findShareNote, SHARE_TTL_MS, type ShareStore } from './shared-store.ts';

const ADA = { id: 'ada', type: 'customer' } as const;
const MIRA = { id: 'mira', type: 'creator' } as const;

function createStore(capacity = Number.POSITIVE_INFINITY): ShareStore & { names: () => string[] } {
  const cachesByName = new Map<string, Map<string, Response>>();
  const toKey = (key: RequestInfo | URL) => (key instanceof Request ? key.url : String(key));
  return {
    names: () => [...cachesByName.keys()],
    match: async (path, { cacheName }) => cachesByName.get(cacheName)?.get(path)?.clone(),
    delete: async (name) => cachesByName.delete(name),
    open: async (name) => {
      const entries = cachesByName.get(name) ?? new Map<string, Response>();
      cachesByName.set(name, entries);
      return {
        put: async (key, response) => {
          if (entries.size >= capacity && !entries.has(toKey(key)))
            throw new DOMException('full', 'QuotaExceededError');
          entries.set(toKey(key), response);
        },
      };
    },
  };
}

const file = (name: string, type = 'image/png') => new File(['light'], name, { type });
function createLargeFile(name: string, type: string, size: number): File {
  return Object.defineProperty(file(name, type), 'size', { value: size });
}

test('shared files are available to their account, with their names, until they are removed', async () => {
  const store = createStore();
  expect(await storeShare([file('évening 1.png'), file('b.mp4', 'video/mp4')], ADA, store, 1_000)).toBe(2);
  const shared = await findSharedContent(store, 'ada', 2_000);
  expect(shared).toMatchObject({ owner: 'ada', at: 1_000, skippedCount: 0 });
  expect(shared?.files.map(({ name, type, size }) => [name, type, size])).toEqual([
    ['évening 1.png', 'image/png', 5],
    ['b.mp4', 'video/mp4', 5],
  ]);
  // Removing an earlier share does not remove a later one.
  await deleteShare(store, 999);
  expect(await findShareNote(store, 'ada', 2_000)).toBeDefined();
  await deleteShare(store, 1_000);
  expect(store.names()).toEqual([]);
});

test('another account finds nothing, and the shared files are deleted', async () => {
  const store = createStore();
  await storeShare([file('a.png')], ADA, store, 1_000);
  expect(await findSharedContent(store, 'mira', 1_001)).toBeUndefined();
  expect(store.names()).toEqual([]);
});

test('shared files are deleted after ten minutes, without an owner, or with a timestamp from a wrong clock', async () => {
  const store = createStore();
  await storeShare([file('a.png')], ADA, store, 0);
  expect(await findShareNote(store, 'ada', SHARE_TTL_MS - 1)).toBeDefined();
  expect(await findShareNote(store, 'ada', SHARE_TTL_MS)).toBeUndefined();
  expect(store.names()).toEqual([]);
  await (await store.open(SHARED_CACHE)).put('/share/note', new Response('{}'));
  expect(await findSharedContent(store, 'ada', 0)).toBeUndefined();
  expect(store.names()).toEqual([]);
  await storeShare([file('a.png')], ADA, store, 10 * SHARE_TTL_MS);
  expect(await findShareNote(store, 'ada', 0)).toBeUndefined();
});

test('a page that checks for shared files while they are being stored deletes nothing', async () => {
  const store = createStore();
  const checks: Promise<unknown>[] = [];
  const check = () => void checks.push(findShareNote(store, 'ada', 1_000));
  const busy: ShareStore = {
    ...store,
    open: async (name) => {
      const cache = await store.open(name);
      check();
      await Promise.allSettled(checks);
      return { ...cache, put: (key, response) => cache.put(key, response).then(check) };
    },
  };
  expect(await storeShare([file('a.png'), file('b.png')], ADA, busy, 1_000)).toBe(2);
  await Promise.all(checks);
  expect((await findSharedContent(store, 'ada', 1_000))?.files.map(({ name }) => name)).toEqual(['a.png', 'b.png']);
});

test('a page that looks for shared files does not create their cache after they were deleted', async () => {
  const store = createStore();
  await storeShare([file('a.png')], ADA, store, 1_000);
  const found = findSharedContent(store, 'ada', 1_000);
  await deleteShare(store, 1_000);
  await found;
  expect(await findSharedContent(store, 'ada', 1_000)).toBeUndefined();
  expect(store.names()).toEqual([]);
});

test('at most twenty files are stored, within the size limit per file and in total', async () => {
  const store = createStore();
  const many = Array.from({ length: 23 }, (_, index) => file(`${index}.png`));
  expect(await storeShare(many, MIRA, store, 0)).toBe(20);
  expect(await findSharedContent(store, 'mira', 0)).toMatchObject({ skippedCount: 3 });

  const maxBytes = CHAT_LIMITS.fanUploadBytes;
  const large = [
    createLargeFile('poster.png', 'image/png', 41 * 1024 * 1024),
    createLargeFile('too-long.mp4', 'video/mp4', maxBytes + 1),
    createLargeFile('film.mp4', 'video/mp4', maxBytes - 5),
    file('small.png'),
    file('one-more.png'),
  ];
  expect(await storeShare(large, ADA, store, 0)).toBe(2);
  const shared = await findSharedContent(store, 'ada', 0);
  expect(shared?.files.map(({ name }) => name)).toEqual(['film.mp4', 'small.png']);
  expect(shared?.skippedCount).toBe(3);
});

test('a full device stores what fits and reports how many files were left out', async () => {
  const store = createStore(2);
  expect(await storeShare([file('a.png'), file('b.png')], ADA, store, 0)).toBe(1);
  expect(await findSharedContent(store, 'ada', 0)).toMatchObject({ skippedCount: 1 });
});

test('shared text is stored with or without files, and duplicate parts are removed', async () => {
  const store = createStore();
  const link = 'https://example.com/moon';
  expect(joinSharedText(['Moon jar', ` Look: ${link} `, link])).toBe(`Moon jar\nLook: ${link}`);
  expect(joinSharedText([link, link, null])).toBe(link);
  expect(joinSharedText([null, file('a.png'), ' '])).toBe('');
  expect(joinSharedText(['x'.repeat(9_000)])).toHaveLength(4_000);
  expect(await storeShare([file('a.png')], ADA, store, 0, 'Moon jar')).toBe(1);
  expect(await findSharedContent(store, 'ada', 0)).toMatchObject({ text: 'Moon jar', files: [expect.anything()] });
  expect(await storeShare([], ADA, store, 0, link)).toBe(0);
  expect(await findSharedContent(store, 'ada', 0)).toMatchObject({ text: link, files: [], skippedCount: 0 });
});

test('an empty share deletes what was stored before', async () => {
  const store = createStore();
  await storeShare([file('a.png')], ADA, store, 0);
  expect(await storeShare([], ADA, store, 1)).toBe(0);
  expect(store.names()).toEqual([]);
});

test('only fans and creators can receive shared content', () => {
  expect(toSharer({ id: 'ada', type: 'customer', name: 'Ada' })).toEqual(ADA);
  for (const invalid of [undefined, null, {}, { id: 'o', type: 'operator' }, { type: 'creator' }])
    expect(toSharer(invalid)).toBeUndefined();
});
