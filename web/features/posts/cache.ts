/** Which kept answers a change of a post makes old. */
import { feed, getPost, listCreatorPosts, listOwnPosts, listPurchasedPosts } from '@stagedoor/contract/posts.ts';
import type { QueryClient } from '@tanstack/react-query';
import { apiQuery, routeKey } from '../../kernel/query.ts';

/** Lists show posts in parts, so they are asked for again when next shown. */
export function forgetLists(client: QueryClient): void {
  for (const route of [feed, listCreatorPosts, listPurchasedPosts, listOwnPosts])
    void client.invalidateQueries({ queryKey: routeKey(route) });
}

/** One post, wherever it is shown. */
export function forgetPost(client: QueryClient, postId: string): void {
  void client.invalidateQueries({ queryKey: apiQuery(getPost, { params: { id: postId } }).queryKey });
  forgetLists(client);
}
