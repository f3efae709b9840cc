/** Changed prices of posts, as viewers of their creator receive them. */
import { type Post, postPriceChanged } from '@stagedoor/contract/content/posts.ts';
import type { PayloadOf } from '@stagedoor/contract/shared/event.ts';
import type { QueryClient } from '@tanstack/react-query';
import { createListener } from '../../../platform/module.ts';
import { invalidatePost, updateCachedPost } from './cache.ts';

/**
 * Shows the new price wherever the post is. A post that becomes free is refetched, because its files are others. One that
 * is no longer free stays as it was opened until its files are requested, and the player then explains why they are not
 * available.
 */
export function applyPriceChange(client: QueryClient, { postId, price }: PayloadOf<typeof postPriceChanged>): void {
  let isNowFree = false;
  updateCachedPost(client, postId, (post: Post) => {
    if (post.price > 0 && price > 0) return { ...post, price };
    isNowFree ||= post.price > 0;
    return post;
  });
  if (isNowFree) void invalidatePost(client, postId);
}

export const listenForPrices = createListener(postPriceChanged, applyPriceChange);
