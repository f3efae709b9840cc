import { feed } from '@stagedoor/contract/feed.ts';
import { getPost, listCreatorPosts, listOwnPosts, listPurchasedPosts, type Post } from '@stagedoor/contract/posts.ts';
import type { QueryClient } from '@tanstack/react-query';
import { apiQuery, routeKey } from '../../kernel/query.ts';
import { changeIn, type Kept } from './feed-live.ts';

/** Invalidates all post lists. Those on the page are refetched immediately. */
export async function forgetLists(client: QueryClient): Promise<void> {
  const lists = [feed, listCreatorPosts, listPurchasedPosts, listOwnPosts];
  await Promise.all(lists.map((route) => client.invalidateQueries({ queryKey: routeKey(route) })));
}

/** Refetches one post wherever it is shown. Resolves when the request has succeeded or failed. */
export async function forgetPost(client: QueryClient, postId: string): Promise<void> {
  const { queryKey } = apiQuery(getPost, { params: { id: postId } });
  await Promise.all([client.invalidateQueries({ queryKey }), forgetLists(client)]);
}

/** Changes a post in all cached lists without a request, so that the lists keep their length and scroll position. */
export function changePost(client: QueryClient, postId: string, change: (post: Post) => Post): void {
  client.setQueryData(apiQuery(getPost, { params: { id: postId } }).queryKey, (kept) => kept && change(kept));
  for (const route of [feed, listCreatorPosts])
    client.setQueriesData<Kept<Post>>({ queryKey: routeKey(route) }, (kept) => kept && changeIn(kept, postId, change));
  void client.invalidateQueries({ queryKey: routeKey(listPurchasedPosts) });
}
