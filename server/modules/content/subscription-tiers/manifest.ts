import * as adminSettings from '@stagedoor/contract/admin/subscription-settings.ts';
import * as offers from '@stagedoor/contract/content/subscription-offers.ts';
import * as tiers from '@stagedoor/contract/content/subscription-tiers.ts';
import { defineModule } from '../../../platform/module.ts';
import { SET_BY_OPERATORS } from '../../../platform/personal-data.ts';

export const manifest = defineModule({
  name: 'subscription-tiers',
  dependsOn: [
    'accounts',
    'account-deletion',
    'approvals',
    'blocks',
    'data-export',
    'entitlements',
    'ledger',
    'presence',
    'sales',
  ],
  contract: [adminSettings, offers, tiers],
  emits: [
    'subscriptions.settingsChanged',
    'subscriptionTiers.changed',
    'subscriptionTier.repriced',
    'subscriptionTier.deleted',
  ],
  handles: ['subscriptionTiers.changed', 'verification.changed'],
  provides: ['subscriptionTiers.viewerSubscription'],
  implements: ['accountDeletion.deletionStep', 'dataExport.exportPart'],
  tables: {
    subscription_settings: {
      grants: 'read',
      updates: ['refund_hours', 'retry_hours', 'trial_days_max'],
      personalData: SET_BY_OPERATORS,
    },
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
        'welcome_message',
        'yearly_cents',
      ],
      readers: ['chat', 'subscription-figures', 'subscriptions'],
      personalData: {
        inPrivacyPolicyAs: 'creatorProfile',
        onAccountDeletion: { remains: 'The terms that fans subscribed to, without benefits and welcome message.' },
        inExportAs: 'subscription-tiers',
      },
    },
    subscription_offers: {
      grants: 'append',
      updates: ['closed_at', 'use_count'],
      readers: ['subscription-figures', 'subscriptions'],
      personalData: {
        inPrivacyPolicyAs: 'creatorProfile',
        onAccountDeletion: { remains: 'The discounts that fans subscribed with.' },
        inExportAs: 'subscription-offers',
      },
    },
  },
});
