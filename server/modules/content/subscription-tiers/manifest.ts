import * as offers from '@stagedoor/contract/content/subscription-offers.ts';
import * as tiers from '@stagedoor/contract/content/subscription-tiers.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'subscription-tiers',
  dependsOn: ['accounts', 'data-export', 'blocks', 'account-deletion', 'entitlements', 'ledger', 'presence', 'sales'],
  contract: [tiers, offers],
  emits: ['subscriptionTiers.changed', 'subscriptionTier.repriced', 'subscriptionTier.deleted'],
  handles: ['subscriptionTiers.changed'],
  provides: ['subscriptionTiers.viewerSubscription'],
  implements: ['accountDeletion.deletionStep', 'dataExport.exportPart'],
  tables: {
    subscription_tiers: {
      grants: 'append',
      updates: [
        'benefits',
        'bundles',
        'deleted_at',
        'is_open',
        'monthly_cents',
        'name',
        'slots',
        'position',
        'subscriber_count',
        'trial_days',
        'weekly_cents',
        'yearly_cents',
      ],
      readers: ['subscription-figures', 'subscriptions'],
      personalData: {
        inPrivacyPolicyAs: 'creatorProfile',
        onAccountDeletion: { remains: 'The terms that fans subscribed to, without benefits.' },
        inExportAs: 'subscription-tiers',
      },
    },
    subscription_offers: {
      grants: 'append',
      updates: ['closed_at', 'use_count'],
      readers: ['subscriptions'],
      personalData: {
        inPrivacyPolicyAs: 'creatorProfile',
        onAccountDeletion: { remains: 'The discounts that fans subscribed with.' },
        inExportAs: 'subscription-offers',
      },
    },
  },
});
