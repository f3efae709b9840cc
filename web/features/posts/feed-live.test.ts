/** Tests that applying an event to the cache gives the same result as a refetch (row C3). */
import { expect, test } from 'vitest';
import { changeIn, flatten, insertInto, isOfKind, removeFrom } from './feed-live.ts';

type Item = { id: string; createdAt: string; isUnlocked: boolean };
const item = (minute: number): Item => ({
  id: `p${minute}`,
  createdAt: `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000Z`,
  isUnlocked: false,
});
const LIMIT = 3;

function fetched(items: readonly Item[], count: number): { data: Item[] }[] {
  const sorted = items.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  return Array.from({ length: count }, (_, index) => ({ data: sorted.slice(index * LIMIT, (index + 1) * LIMIT) }));
}

const world = [50, 40, 30, 20, 10].map(item);
const first = (posts: Item[], count: number) => posts.slice(0, count);

test.each([55, 45, 35, 25, 15, 5])('a live post of minute %d appears where a refetch would show it', (minute) => {
  const post = item(minute);
  const live = flatten(insertInto(fetched(world, 2), post, false));
  expect(live).toEqual(flatten(fetched([...world, post], 2)));
});

test('a live post older than the loaded pages is not added', () => {
  const kept = fetched(world, 1);
  expect(insertInto(kept, item(15), true)).toEqual(kept);
  expect(first(flatten(insertInto(kept, item(55), true)), LIMIT)).toEqual(
    first(flatten(fetched([...world, item(55)], 1)), LIMIT),
  );
});

test('a post that arrives twice is shown once, even with a different time', () => {
  const once = insertInto(fetched(world, 2), item(55), false);
  expect(insertInto(once, item(55), false)).toEqual(once);
  expect(flatten(insertInto(once, { ...item(55), createdAt: item(5).createdAt }, false)).map(({ id }) => id)).toEqual([
    'p50',
    'p40',
    'p30',
    'p20',
    'p10',
    'p55',
  ]);
});

test('an empty feed gets its first post', () => {
  expect(flatten(insertInto(fetched([], 1), item(1), false))).toEqual([item(1)]);
});

test.each(world.map(({ id }) => id))('removing %s gives the same result as a refetch without it', (id) => {
  expect(flatten(removeFrom(fetched(world, 2), id))).toEqual(
    flatten(
      fetched(
        world.filter((post) => post.id !== id),
        2,
      ),
    ),
  );
});

test('a post bought elsewhere is unlocked in place, in a single page and in paginated lists', () => {
  const open = (post: Item) => ({ ...post, isUnlocked: true });
  const pages = fetched(world, 2);
  const expected = fetched(
    world.map((post) => (post.id === 'p20' ? open(post) : post)),
    2,
  );
  expect(changeIn({ pages, pageParams: ['', 'c1'] }, 'p20', open)).toEqual({ pages: expected, pageParams: ['', 'c1'] });
  expect(changeIn({ data: world }, 'p20', open)).toEqual({
    data: world.map((post) => (post.id === 'p20' ? open(post) : post)),
  });
  expect(changeIn({ data: world }, 'nobody', open)).toEqual({ data: world });
});

test('a post in two overlapping pages is shown once', () => {
  expect(flatten([{ data: [item(2), item(1)] }, { data: [item(1), item(0)] }])).toEqual([item(2), item(1), item(0)]);
});

test('a post matches its own type and the filter for all', () => {
  expect(isOfKind({ type: 'video' }, 'all')).toBe(true);
  expect(isOfKind({ type: 'video' }, 'video')).toBe(true);
  expect(isOfKind({ type: 'picture' }, 'pictureSet')).toBe(false);
});
