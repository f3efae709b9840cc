import { CHAT_LIMITS } from '@stagedoor/contract/atoms/room-limits.ts';
import { expect, test } from 'vitest';
import { keepShared, sharerOf, wordsOf } from './receive.ts';
import { SHARED_CACHE } from './shared.ts';
import { forgetShared, readShared, SHARED_MS, type Store, sharedFor } from './shared-store.ts';

const ADA = { id: 'ada', type: 'customer' } as const;
const MIRA = { id: 'mira', type: 'creator' } as const;

function makeStore(room = Number.POSITIVE_INFINITY): Store & { names: () => string[] } {
  const kept = new Map<string, Map<string, Response>>();
  const keyOf = (key: RequestInfo | URL) => (key instanceof Request ? key.url : String(key));
  return {
    names: () => [...kept.keys()],
    has: async (name) => kept.has(name),
    delete: async (name) => kept.delete(name),
    open: async (name) => {
      const entries = kept.get(name) ?? new Map<string, Response>();
      kept.set(name, entries);
      return {
        match: async (key) => entries.get(keyOf(key))?.clone(),
        matchAll: async () => [...entries.values()].map((each) => each.clone()),
        put: async (key, answer) => {
          if (entries.size >= room && !entries.has(keyOf(key))) throw new DOMException('full', 'QuotaExceededError');
          entries.set(keyOf(key), answer);
        },
      };
    },
  };
}

const file = (name: string, type = 'image/png') => new File(['light'], name, { type });
function heavy(name: string, type: string, size: number): File {
  return Object.defineProperty(file(name, type), 'size', { value: size });
}

test('shared files are available to their account, with their names, until they are removed', async () => {
  const store = makeStore();
  expect(await keepShared([file('évening 1.png'), file('b.mp4', 'video/mp4')], ADA, store, 1_000)).toBe(2);
  const shared = await readShared(store, 'ada', 2_000);
  expect(shared).toMatchObject({ owner: 'ada', at: 1_000, left: 0 });
  expect(shared?.files.map(({ name, type, size }) => [name, type, size])).toEqual([
    ['évening 1.png', 'image/png', 5],
    ['b.mp4', 'video/mp4', 5],
  ]);
  // Removing an earlier share does not remove a later one.
  await forgetShared(store, 999);
  expect(await sharedFor(store, 'ada', 2_000)).toBeDefined();
  await forgetShared(store, 1_000);
  expect(store.names()).toEqual([]);
});

test('another account finds nothing, and the shared files are deleted', async () => {
  const store = makeStore();
  await keepShared([file('a.png')], ADA, store, 1_000);
  expect(await readShared(store, 'mira', 1_001)).toBeUndefined();
  expect(store.names()).toEqual([]);
});

test('shared files are deleted after ten minutes, without an owner, or with a timestamp from a wrong clock', async () => {
  const store = makeStore();
  await keepShared([file('a.png')], ADA, store, 0);
  expect(await sharedFor(store, 'ada', SHARED_MS - 1)).toBeDefined();
  expect(await sharedFor(store, 'ada', SHARED_MS)).toBeUndefined();
  expect(store.names()).toEqual([]);
  await (await store.open(SHARED_CACHE)).put('/share/0', new Response('light', { headers: { 'x-name': 'a.png' } }));
  expect(await readShared(store, 'ada', 0)).toBeUndefined();
  expect(store.names()).toEqual([]);
  await keepShared([file('a.png')], ADA, store, 10 * SHARED_MS);
  expect(await sharedFor(store, 'ada', 0)).toBeUndefined();
});

test('a page that checks for shared files while they are being stored deletes nothing', async () => {
  const store = makeStore();
  const looks: Promise<unknown>[] = [];
  const look = () => void looks.push(sharedFor(store, 'ada', 1_000));
  const busy: Store = {
    ...store,
    open: async (name) => {
      const cache = await store.open(name);
      look();
      await Promise.allSettled(looks);
      return { ...cache, put: (key, answer) => cache.put(key, answer).then(look) };
    },
  };
  expect(await keepShared([file('a.png'), file('b.png')], ADA, busy, 1_000)).toBe(2);
  await Promise.all(looks);
  expect((await readShared(store, 'ada', 1_000))?.files.map(({ name }) => name)).toEqual(['a.png', 'b.png']);
});

test('at most twenty files are stored, within the size limit per file and in total', async () => {
  const store = makeStore();
  const many = Array.from({ length: 23 }, (_, index) => file(`${index}.png`));
  expect(await keepShared(many, MIRA, store, 0)).toBe(20);
  expect(await readShared(store, 'mira', 0)).toMatchObject({ left: 3 });

  const most = CHAT_LIMITS.fanUploadBytes;
  const large = [
    heavy('poster.png', 'image/png', 41 * 1024 * 1024),
    heavy('too-long.mp4', 'video/mp4', most + 1),
    heavy('film.mp4', 'video/mp4', most - 5),
    file('small.png'),
    file('one-more.png'),
  ];
  expect(await keepShared(large, ADA, store, 0)).toBe(2);
  const shared = await readShared(store, 'ada', 0);
  expect(shared?.files.map(({ name }) => name)).toEqual(['film.mp4', 'small.png']);
  expect(shared?.left).toBe(3);
});

test('a full device stores what fits and reports how many files were left out', async () => {
  const store = makeStore(2);
  expect(await keepShared([file('a.png'), file('b.png')], ADA, store, 0)).toBe(1);
  expect(await readShared(store, 'ada', 0)).toMatchObject({ left: 1 });
});

test('shared text is stored with or without files, and duplicate parts are removed', async () => {
  const store = makeStore();
  const link = 'https://example.com/moon';
  expect(wordsOf(['Moon jar', ` Look: ${link} `, link])).toBe(`Moon jar\nLook: ${link}`);
  expect(wordsOf([link, link, null])).toBe(link);
  expect(wordsOf([null, file('a.png'), ' '])).toBe('');
  expect(wordsOf(['x'.repeat(9_000)])).toHaveLength(4_000);
  expect(await keepShared([file('a.png')], ADA, store, 0, 'Moon jar')).toBe(1);
  expect(await readShared(store, 'ada', 0)).toMatchObject({ words: 'Moon jar', files: [expect.anything()] });
  expect(await keepShared([], ADA, store, 0, link)).toBe(0);
  expect(await readShared(store, 'ada', 0)).toMatchObject({ words: link, files: [], left: 0 });
});

test('an empty share deletes what was stored before', async () => {
  const store = makeStore();
  await keepShared([file('a.png')], ADA, store, 0);
  expect(await keepShared([], ADA, store, 1)).toBe(0);
  expect(store.names()).toEqual([]);
});

test('only fans and creators can receive shared content', () => {
  expect(sharerOf({ id: 'ada', type: 'customer', name: 'Ada' })).toEqual(ADA);
  for (const nobody of [undefined, null, {}, { id: 'o', type: 'operator' }, { type: 'creator' }])
    expect(sharerOf(nobody)).toBeUndefined();
});
