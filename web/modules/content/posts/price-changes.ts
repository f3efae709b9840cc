/** Changed prices of posts, as viewers of their creator receive them. */
import { getPost, type Post, postPriceChanged } from '@stagedoor/contract/content/posts.ts';
import { initialUserStatus } from '@stagedoor/contract/identity/presence.ts';
import type { PayloadOf } from '@stagedoor/contract/shared/event.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { LiveListener } from '../../../platform/module.ts';
import { routeKey } from '../../../platform/query.ts';
import { applyEvent, onEvent } from '../../../platform/socket-events.ts';
import { invalidatePost, updateCachedPost } from './cache.ts';

/** Shows the new price wherever the post is. A post that was or becomes free is refetched, because its files are others. */
export function applyPriceChange(client: QueryClient, { postId, price }: PayloadOf<typeof postPriceChanged>): void {
  let isAccessChanged = false;
  updateCachedPost(client, postId, (post: Post) => {
    if (post.price > 0 === price > 0) return { ...post, price };
    isAccessChanged = true;
    return post;
  });
  if (isAccessChanged) void invalidatePost(client, postId);
}

/** The page of a post was read before the server emits changes of its creator to this page. */
export function refetchPostsOf(client: QueryClient, creators: readonly { id: string }[]): void {
  const ids = new Set<string>(creators.map(({ id }) => id));
  for (const [queryKey, post] of client.getQueriesData<Post>({ queryKey: routeKey(getPost) }))
    if (post && ids.has(post.author.id)) void client.invalidateQueries({ queryKey, exact: true });
}

export const listenForPrices: LiveListener = (client) => {
  const stops = [
    onEvent(postPriceChanged, (changed) => applyEvent(client, () => applyPriceChange(client, changed))),
    onEvent(initialUserStatus, (users) => refetchPostsOf(client, users)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};
