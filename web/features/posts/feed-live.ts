/** Applies live events to cached lists of posts. Pure functions whose result equals a refetch (rows C3, C4). */
import type { PostType } from '@stagedoor/contract/posts.ts';
import { withoutPost, withPost } from './live.ts';

type Page<T> = { data: T[] };
type Pages<T> = { pages: Page<T>[]; pageParams: unknown[] };
export type Kept<T> = Page<T> | Pages<T>;

function mapPages<T, P extends Page<T>>(pages: P[], change: (posts: T[]) => T[]): P[] {
  return pages.map((page) => ({ ...page, data: change(page.data) }));
}

/** Returns each post once in order. A post repeats in the next page when the server's pages have shifted. */
export function flatten<T extends { id: string }>(pages: readonly Page<T>[]): T[] {
  const known = new Set<string>();
  return pages.flatMap((page) => page.data.filter(({ id }) => !known.has(id) && known.add(id)));
}

/** Inserts a new post once into the page of its time. A post older than all loaded pages is left to a later page. */
export function insertInto<T extends { id: string; createdAt: string }, P extends Page<T>>(
  pages: P[],
  post: T,
  hasMore: boolean,
): P[] {
  const oldest = pages.at(-1)?.data.at(-1);
  if (hasMore && oldest && post.createdAt < oldest.createdAt) return pages;
  const others = mapPages<T, P>(pages, (posts) => withoutPost(posts, post.id));
  const at = others.findIndex(
    (page, index) => index === others.length - 1 || page.data.some((each) => each.createdAt <= post.createdAt),
  );
  return others.map((page, index) => (index === at ? { ...page, data: withPost(page.data, post) } : page));
}

export function removeFrom<T extends { id: string }, P extends Page<T>>(pages: P[], postId: string): P[] {
  return mapPages<T, P>(pages, (posts) => withoutPost(posts, postId));
}

export function changeIn<T extends { id: string }>(kept: Kept<T>, postId: string, change: (post: T) => T): Kept<T> {
  const each = (posts: T[]) => posts.map((post) => (post.id === postId ? change(post) : post));
  return 'pages' in kept ? { ...kept, pages: mapPages(kept.pages, each) } : { ...kept, data: each(kept.data) };
}

export function isOfKind(post: { type: PostType }, kind: 'all' | PostType): boolean {
  return kind === 'all' || kind === post.type;
}
