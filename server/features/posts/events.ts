/** What the posts room tells those above it: feeds, kept pages, realtime. */
import type { PostType } from '@stagedoor/contract/posts.ts';

type PostEvent = { postId: string; creatorId: string; username: string };

declare module '../../kernel/events.ts' {
  interface EventMap {
    'post.published': PostEvent & { type: PostType; createdAt: string; priceCents: number };
    'post.changed': PostEvent;
    'post.removed': PostEvent;
    /** What an operator had hidden is published again. */
    'post.restored': PostEvent & { type: PostType };
    /** A fan bought a post. */
    'post.unlocked': { postId: string; creatorId: string; fanId: string; transactionId: string };
  }
}
