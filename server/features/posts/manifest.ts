/** Posts: what creators publish and fans buy. */
import * as posts from '@stagedoor/contract/posts.ts';
import * as works from '@stagedoor/contract/works.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'posts',
  above: ['accounts', 'archive', 'blocks', 'closing', 'entitlements', 'ledger', 'media', 'sales'],
  contract: [posts, works],
  emits: ['post.changed', 'post.published', 'post.removed', 'post.restored', 'post.unlocked'],
  hears: ['post.published', 'post.removed', 'post.unlocked', 'sale.refunded'],
  tables: {
    post_likes: { rows: 'replace' },
    post_media: { rows: 'replace' },
    post_people: { rows: 'all' },
    post_purchases: {
      rows: 'append',
      updates: ['hidden_at', 'net_cents', 'price_cents', 'purchased_at', 'revoked_at', 'transaction_id'],
      readers: ['transparency'],
    },
    posts: { rows: 'edit', readers: ['feed', 'found', 'notifications', 'profiles'] },
  },
  functions: { media_facts_to_post: {}, post_like: {}, post_media_facts: {} },
});
