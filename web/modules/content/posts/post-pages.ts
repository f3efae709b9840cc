/** Applies live events to cached lists of posts. Pure functions whose result equals a refetch (rows C3, C4). */
import type { PostType } from '@stagedoor/contract/content/posts.ts';
import { insertSorted, removeById } from './post-list.ts';

type Page<T> = { data: T[] };
type Pages<T> = { pages: Page<T>[]; pageParams: unknown[] };
export type CachedPosts<T> = Page<T> | Pages<T>;

function mapPages<T, P extends Page<T>>(pages: P[], change: (posts: T[]) => T[]): P[] {
  return pages.map((page) => ({ ...page, data: change(page.data) }));
}

/** Returns each post once in order. A post repeats in the next page when the server's pages have shifted. */
export function toUniquePosts<T extends { id: string }>(pages: readonly Page<T>[]): T[] {
  const seenIds = new Set<string>();
  return pages.flatMap((page) => page.data.filter(({ id }) => !seenIds.has(id) && seenIds.add(id)));
}

/** Inserts a new post once into the page of its time. A post older than all loaded pages is left to a later page. */
export function insertPostIntoPages<T extends { id: string; createdAt: string }, P extends Page<T>>(
  pages: P[],
  post: T,
  hasMore: boolean,
): P[] {
  const oldest = pages.at(-1)?.data.at(-1);
  if (hasMore && oldest && post.createdAt < oldest.createdAt) return pages;
  const others = mapPages<T, P>(pages, (posts) => removeById(posts, post.id));
  const at = others.findIndex(
    (page, index) => index === others.length - 1 || page.data.some((each) => each.createdAt <= post.createdAt),
  );
  return others.map((page, index) => (index === at ? { ...page, data: insertSorted(page.data, post) } : page));
}

export function removePostFromPages<T extends { id: string }, P extends Page<T>>(pages: P[], postId: string): P[] {
  return mapPages<T, P>(pages, (posts) => removeById(posts, postId));
}

export function updatePostInPages<T extends { id: string }>(
  cached: CachedPosts<T>,
  postId: string,
  change: (post: T) => T,
): CachedPosts<T> {
  const updatePosts = (posts: T[]) => posts.map((post) => (post.id === postId ? change(post) : post));
  return 'pages' in cached
    ? { ...cached, pages: mapPages(cached.pages, updatePosts) }
    : { ...cached, data: updatePosts(cached.data) };
}

export function isOfType(post: { type: PostType }, kind: 'all' | PostType): boolean {
  return kind === 'all' || kind === post.type;
}
