/** Live events on lists of posts as they are kept, page by page (rows C3, C4). Pure: cache plus event equals a refetch. */
import type { PostType } from '@stagedoor/contract/posts.ts';
import { withoutPost, withPost } from './live.ts';

type Page<T> = { data: T[] };
type Pages<T> = { pages: Page<T>[]; pageParams: unknown[] };
/** A list as the cache holds it: one page, or an endless list of them. */
export type Kept<T> = Page<T> | Pages<T>;

function mapPages<T, P extends Page<T>>(pages: P[], change: (posts: T[]) => T[]): P[] {
  return pages.map((page) => ({ ...page, data: change(page.data) }));
}

/** Every post of the pages once, in their order: a page that moved by one on the server repeats its neighbour's last. */
export function flatten<T extends { id: string }>(pages: readonly Page<T>[]): T[] {
  const known = new Set<string>();
  return pages.flatMap((page) => page.data.filter(({ id }) => !known.has(id) && known.add(id)));
}

/** A new post into the page whose time it is, once. What is older than everything kept waits on a page not yet asked for. */
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

/** One post changed in place, in whatever form the list is kept. */
export function changeIn<T extends { id: string }>(kept: Kept<T>, postId: string, change: (post: T) => T): Kept<T> {
  const each = (posts: T[]) => posts.map((post) => (post.id === postId ? change(post) : post));
  return 'pages' in kept ? { ...kept, pages: mapPages(kept.pages, each) } : { ...kept, data: each(kept.data) };
}

/** Whether a post belongs into the list of this kind. */
export function isOfKind(post: { type: PostType }, kind: 'all' | PostType): boolean {
  return kind === 'all' || kind === post.type;
}
