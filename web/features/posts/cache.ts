/** Kept answers about posts: what a change of one does to them, and which of them it makes old. */
import { feed } from '@stagedoor/contract/feed.ts';
import { getPost, listCreatorPosts, listOwnPosts, listPurchasedPosts, type Post } from '@stagedoor/contract/posts.ts';
import type { QueryClient } from '@tanstack/react-query';
import { apiQuery, routeKey } from '../../kernel/query.ts';
import { changeIn, type Kept } from './feed-live.ts';

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

/** Changes one post where it is shown, without asking again: the lists keep their length and their place. */
export function changePost(client: QueryClient, postId: string, change: (post: Post) => Post): void {
  client.setQueryData(apiQuery(getPost, { params: { id: postId } }).queryKey, (kept) => kept && change(kept));
  for (const route of [feed, listCreatorPosts])
    client.setQueriesData<Kept<Post>>({ queryKey: routeKey(route) }, (kept) => kept && changeIn(kept, postId, change));
  void client.invalidateQueries({ queryKey: routeKey(listPurchasedPosts) });
}
