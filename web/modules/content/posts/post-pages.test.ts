/** Tests that applying an event to the cache gives the same result as a refetch (row C3). */
import { expect, test } from 'vitest';
import { insertPostIntoPages, isOfType, removePostFromPages, toUniquePosts, updatePostInPages } from './post-pages.ts';

type Item = { id: string; createdAt: string; isUnlocked: boolean };
const item = (minute: number): Item => ({
  id: `p${minute}`,
  createdAt: `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000Z`,
  isUnlocked: false,
});
const LIMIT = 3;

function toPages(items: readonly Item[], count: number): { data: Item[] }[] {
  const sorted = items.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  return Array.from({ length: count }, (_, index) => ({ data: sorted.slice(index * LIMIT, (index + 1) * LIMIT) }));
}

const allPosts = [50, 40, 30, 20, 10].map(item);
const takeFirst = (posts: Item[], count: number) => posts.slice(0, count);

test.each([55, 45, 35, 25, 15, 5])('a live post of minute %d appears where a refetch would show it', (minute) => {
  const post = item(minute);
  const live = toUniquePosts(insertPostIntoPages(toPages(allPosts, 2), post, false));
  expect(live).toEqual(toUniquePosts(toPages([...allPosts, post], 2)));
});

test('a live post older than the loaded pages is not added', () => {
  const pages = toPages(allPosts, 1);
  expect(insertPostIntoPages(pages, item(15), true)).toEqual(pages);
  expect(takeFirst(toUniquePosts(insertPostIntoPages(pages, item(55), true)), LIMIT)).toEqual(
    takeFirst(toUniquePosts(toPages([...allPosts, item(55)], 1)), LIMIT),
  );
});

test('a post that arrives twice is shown once, even with a different time', () => {
  const inserted = insertPostIntoPages(toPages(allPosts, 2), item(55), false);
  expect(insertPostIntoPages(inserted, item(55), false)).toEqual(inserted);
  expect(
    toUniquePosts(insertPostIntoPages(inserted, { ...item(55), createdAt: item(5).createdAt }, false)).map(
      ({ id }) => id,
    ),
  ).toEqual(['p50', 'p40', 'p30', 'p20', 'p10', 'p55']);
});

test('an empty feed gets its first post', () => {
  expect(toUniquePosts(insertPostIntoPages(toPages([], 1), item(1), false))).toEqual([item(1)]);
});

test.each(allPosts.map(({ id }) => id))('removing %s gives the same result as a refetch without it', (id) => {
  expect(toUniquePosts(removePostFromPages(toPages(allPosts, 2), id))).toEqual(
    toUniquePosts(
      toPages(
        allPosts.filter((post) => post.id !== id),
        2,
      ),
    ),
  );
});

test('a post bought elsewhere is unlocked in place, in a single page and in paginated lists', () => {
  const unlock = (post: Item) => ({ ...post, isUnlocked: true });
  const pages = toPages(allPosts, 2);
  const expected = toPages(
    allPosts.map((post) => (post.id === 'p20' ? unlock(post) : post)),
    2,
  );
  expect(updatePostInPages({ pages, pageParams: ['', 'c1'] }, 'p20', unlock)).toEqual({
    pages: expected,
    pageParams: ['', 'c1'],
  });
  expect(updatePostInPages({ data: allPosts }, 'p20', unlock)).toEqual({
    data: allPosts.map((post) => (post.id === 'p20' ? unlock(post) : post)),
  });
  expect(updatePostInPages({ data: allPosts }, 'nobody', unlock)).toEqual({ data: allPosts });
});

test('a post in two overlapping pages is shown once', () => {
  expect(toUniquePosts([{ data: [item(2), item(1)] }, { data: [item(1), item(0)] }])).toEqual([
    item(2),
    item(1),
    item(0),
  ]);
});

test('a post matches its own type and the filter for all', () => {
  expect(isOfType({ type: 'video' }, 'all')).toBe(true);
  expect(isOfType({ type: 'video' }, 'video')).toBe(true);
  expect(isOfType({ type: 'picture' }, 'pictureSet')).toBe(false);
});
