import * as discoveryWorks from '@stagedoor/contract/content/discovery-works.ts';
import * as posts from '@stagedoor/contract/content/posts.ts';
import { defineModule } from '../../../platform/module.ts';
import { FINANCIAL_RECORD } from '../../../platform/personal-data.ts';

export const manifest = defineModule({
  name: 'posts',
  dependsOn: [
    'accounts',
    'data-export',
    'blocks',
    'account-deletion',
    'entitlements',
    'ledger',
    'media',
    'presence',
    'sales',
    'subscription-tiers',
    'subscriptions',
  ],
  contract: [posts, discoveryWorks],
  emits: [
    'post.audienceChanged',
    'post.changed',
    'post.priceChanged',
    'post.published',
    'post.removed',
    'post.restored',
    'post.unlocked',
  ],
  handles: [
    'post.audienceChanged',
    'post.priceChanged',
    'post.published',
    'post.removed',
    'post.unlocked',
    'sale.refunded',
    'subscriptionTier.deleted',
  ],
  implements: ['accountDeletion.deletionStep', 'dataExport.exportPart', 'media.mediaGrant', 'media.mediaUseReader'],
  tables: {
    post_likes: {
      grants: 'replace',
      personalData: { inPrivacyPolicyAs: 'fanActivity', onAccountDeletion: 'deleted', inExportAs: 'likes' },
    },
    post_media: { grants: 'replace', personalData: { inPrivacyPolicyAs: 'publishedContent' } },
    post_people: {
      grants: 'all',
      personalData: {
        inPrivacyPolicyAs: 'publishedContent',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Tags that others put on their own posts.' },
      },
    },
    post_purchases: {
      grants: 'append',
      updates: ['hidden_at', 'net_cents', 'price_cents', 'purchased_at', 'revoked_at', 'transaction_id'],
      readers: ['transparency-log'],
      personalData: { ...FINANCIAL_RECORD, inPrivacyPolicyAs: 'fanActivity', inExportAs: 'bought-posts' },
    },
    posts: {
      grants: 'edit',
      readers: ['feed', 'seo', 'notifications', 'profiles'],
      exceptions: [
        {
          module: 'subscription-tiers',
          allows: 'read',
          reason: 'Tiers show how many posts they include, and posts depend on tiers.',
        },
      ],
      personalData: {
        inPrivacyPolicyAs: 'publishedContent',
        onAccountDeletion: { remains: 'What fans bought stays available to them; all other content is removed.' },
        inExportAs: 'posts',
      },
    },
  },
  functions: { posts_update_media_metadata: {}, post_like: {}, build_post_media_metadata: {} },
});
