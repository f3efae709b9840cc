import * as posts from '@stagedoor/contract/posts.ts';
import * as works from '@stagedoor/contract/works.ts';
import { FINANCIAL_RECORD } from '../../kernel/personal-data.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'posts',
  above: ['accounts', 'archive', 'blocks', 'closing', 'entitlements', 'ledger', 'media', 'sales'],
  contract: [posts, works],
  emits: ['post.changed', 'post.published', 'post.removed', 'post.restored', 'post.unlocked'],
  hears: ['post.published', 'post.removed', 'post.unlocked', 'sale.refunded'],
  tables: {
    post_likes: {
      rows: 'replace',
      personalData: { inPrivacyPolicyAs: 'fanActivity', onAccountDeletion: 'deleted', inExportAs: 'likes' },
    },
    post_media: { rows: 'replace', personalData: { inPrivacyPolicyAs: 'publishedContent' } },
    post_people: {
      rows: 'all',
      personalData: {
        inPrivacyPolicyAs: 'publishedContent',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Tags that others put on their own posts.' },
      },
    },
    post_purchases: {
      rows: 'append',
      updates: ['hidden_at', 'net_cents', 'price_cents', 'purchased_at', 'revoked_at', 'transaction_id'],
      readers: ['transparency'],
      personalData: { ...FINANCIAL_RECORD, inPrivacyPolicyAs: 'fanActivity', inExportAs: 'bought-posts' },
    },
    posts: {
      rows: 'edit',
      readers: ['feed', 'found', 'notifications', 'profiles'],
      personalData: {
        inPrivacyPolicyAs: 'publishedContent',
        onAccountDeletion: { remains: 'What fans bought stays available to them; all other content is removed.' },
        inExportAs: 'posts',
      },
    },
  },
  functions: { media_facts_to_post: {}, post_like: {}, post_media_facts: {} },
});
