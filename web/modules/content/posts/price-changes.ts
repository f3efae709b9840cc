/** Changed prices of posts, as viewers of their creator receive them. */
import { type Post, postPriceChanged } from '@stagedoor/contract/content/posts.ts';
import type { PayloadOf } from '@stagedoor/contract/shared/event.ts';
import type { QueryClient } from '@tanstack/react-query';
import { createListener } from '../../../platform/module.ts';
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

export const listenForPrices = createListener(postPriceChanged, applyPriceChange);
