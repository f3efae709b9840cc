/** Posts: what creators publish and fans buy. */
import * as posts from '@stagedoor/contract/posts.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'posts',
  above: ['accounts', 'entitlements', 'ledger', 'media', 'sales'],
  contract: [posts],
  emits: ['post.changed', 'post.published', 'post.removed', 'post.unlocked'],
  hears: ['post.published', 'post.removed', 'post.unlocked', 'sale.refunded'],
  tables: {
    post_likes: {},
    post_media: {},
    post_people: {},
    post_purchases: { readers: ['transparency'] },
    posts: { readers: ['feed'] },
  },
  functions: { media_facts_to_post: {}, post_like: {}, post_media_facts: {} },
});
