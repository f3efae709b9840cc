/** Cache plus event equals a refetch, page by page (row C3). */
import { expect, test } from 'vitest';
import { changeIn, flatten, insertInto, isOfKind, removeFrom } from './feed-live.ts';

type Item = { id: string; createdAt: string; isUnlocked: boolean };
const item = (minute: number): Item => ({
  id: `p${minute}`,
  createdAt: `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000Z`,
  isUnlocked: false,
});
const LIMIT = 3;

/** What the server would answer: newest first, in pages of three; only the first `count` pages. */
function fetched(items: readonly Item[], count: number): { data: Item[] }[] {
  const sorted = items.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  return Array.from({ length: count }, (_, index) => ({ data: sorted.slice(index * LIMIT, (index + 1) * LIMIT) }));
}

const world = [50, 40, 30, 20, 10].map(item);
const first = (posts: Item[], count: number) => posts.slice(0, count);

test.each([55, 45, 35, 25, 15, 5])('a post of minute %d appears where a refetch would show it', (minute) => {
  const post = item(minute);
  const live = flatten(insertInto(fetched(world, 2), post, false));
  expect(live).toEqual(flatten(fetched([...world, post], 2)));
});

test('a post older than what is kept waits for its page', () => {
  const kept = fetched(world, 1);
  expect(insertInto(kept, item(15), true)).toEqual(kept);
  expect(first(flatten(insertInto(kept, item(55), true)), LIMIT)).toEqual(
    first(flatten(fetched([...world, item(55)], 1)), LIMIT),
  );
});

test('the same post twice is one post, also when it moved', () => {
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

test('an empty feed takes its first post', () => {
  expect(flatten(insertInto(fetched([], 1), item(1), false))).toEqual([item(1)]);
});

test.each(world.map(({ id }) => id))('removing %s equals a refetch without it', (id) => {
  expect(flatten(removeFrom(fetched(world, 2), id))).toEqual(
    flatten(
      fetched(
        world.filter((post) => post.id !== id),
        2,
      ),
    ),
  );
});

test('a post bought elsewhere opens in place, in a page and in pages alike', () => {
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

test('pages that overlap show a post once', () => {
  expect(flatten([{ data: [item(2), item(1)] }, { data: [item(1), item(0)] }])).toEqual([item(2), item(1), item(0)]);
});

test('kinds', () => {
  expect(isOfKind({ type: 'video' }, 'all')).toBe(true);
  expect(isOfKind({ type: 'video' }, 'video')).toBe(true);
  expect(isOfKind({ type: 'picture' }, 'pictureSet')).toBe(false);
});
