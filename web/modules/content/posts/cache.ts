import { getFeed } from '@stagedoor/contract/content/feed.ts';
import {
  getPost,
  listCreatorPosts,
  listOwnPosts,
  listPurchasedPosts,
  type Post,
} from '@stagedoor/contract/content/posts.ts';
import type { QueryClient } from '@tanstack/react-query';
import { apiQuery, routeKey } from '../../../platform/query.ts';
import { type CachedPosts, updatePostInPages } from './post-pages.ts';

/** Invalidates all post lists. Those on the page are refetched immediately. */
export async function invalidatePostLists(client: QueryClient): Promise<void> {
  const lists = [getFeed, listCreatorPosts, listPurchasedPosts, listOwnPosts];
  await Promise.all(lists.map((route) => client.invalidateQueries({ queryKey: routeKey(route) })));
}

/** Refetches one post wherever it is shown. Resolves when the request has succeeded or failed. */
export async function invalidatePost(client: QueryClient, postId: string): Promise<void> {
  const { queryKey } = apiQuery(getPost, { params: { id: postId } });
  await Promise.all([client.invalidateQueries({ queryKey }), invalidatePostLists(client)]);
}

/** Changes a post in all cached lists without a request, so that the lists keep their length and scroll position. */
export function updateCachedPost(client: QueryClient, postId: string, change: (post: Post) => Post): void {
  client.setQueryData(apiQuery(getPost, { params: { id: postId } }).queryKey, (cached) => cached && change(cached));
  for (const route of [getFeed, listCreatorPosts])
    client.setQueriesData<CachedPosts<Post>>(
      { queryKey: routeKey(route) },
      (cached) => cached && updatePostInPages(cached, postId, change),
    );
  void client.invalidateQueries({ queryKey: routeKey(listPurchasedPosts) });
}
