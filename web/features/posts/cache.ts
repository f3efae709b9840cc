/** Kept answers about posts: what a change of one does to them, and which of them it makes old. */
import { feed } from '@stagedoor/contract/feed.ts';
import { getPost, listCreatorPosts, listOwnPosts, listPurchasedPosts, type Post } from '@stagedoor/contract/posts.ts';
import type { QueryClient } from '@tanstack/react-query';
import { apiQuery, routeKey } from '../../kernel/query.ts';
import { changeIn, type Kept } from './feed-live.ts';

/** Lists show posts in parts, so they are asked for again: at once where they are shown, or else when they next are. */
export async function forgetLists(client: QueryClient): Promise<void> {
  const lists = [feed, listCreatorPosts, listPurchasedPosts, listOwnPosts];
  await Promise.all(lists.map((route) => client.invalidateQueries({ queryKey: routeKey(route) })));
}

/** One post, wherever it is shown. Resolves when what is shown of it is new, or could not be had. */
export async function forgetPost(client: QueryClient, postId: string): Promise<void> {
  const { queryKey } = apiQuery(getPost, { params: { id: postId } });
  await Promise.all([client.invalidateQueries({ queryKey }), forgetLists(client)]);
}

/** Changes one post where it is shown, without asking again: the lists keep their length and their place. */
export function changePost(client: QueryClient, postId: string, change: (post: Post) => Post): void {
  client.setQueryData(apiQuery(getPost, { params: { id: postId } }).queryKey, (kept) => kept && change(kept));
  for (const route of [feed, listCreatorPosts])
    client.setQueriesData<Kept<Post>>({ queryKey: routeKey(route) }, (kept) => kept && changeIn(kept, postId, change));
  void client.invalidateQueries({ queryKey: routeKey(listPurchasedPosts) });
}
