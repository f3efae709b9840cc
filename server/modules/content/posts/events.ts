import type { PostType } from '@stagedoor/contract/content/posts.ts';

type PostEvent = { postId: string; creatorId: string; username: string };

declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    'post.published': PostEvent & { type: PostType; createdAt: string; priceCents: number };
    'post.changed': PostEvent;
    'post.priceChanged': { postId: string; creatorId: string };
    /** Subscriptions open these posts to others than before. */
    'post.audienceChanged': { creatorId: string; postIds: string[] };
    'post.removed': PostEvent;
    'post.restored': PostEvent & { type: PostType };
    'post.unlocked': { postId: string; creatorId: string; fanId: string; transactionId: string };
  }
}
