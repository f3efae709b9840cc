import * as subscriptions from '@stagedoor/contract/content/subscriptions.ts';
import { defineModule } from '../../../platform/module.ts';
import { FINANCIAL_RECORD } from '../../../platform/personal-data.ts';

export const manifest = defineModule({
  name: 'subscriptions',
  dependsOn: [
    'accounts',
    'account-deletion',
    'blocks',
    'data-export',
    'entitlements',
    'ledger',
    'sales',
    'subscription-tiers',
  ],
  contract: [subscriptions],
  emits: [
    'subscription.changed',
    'subscription.ended',
    'subscription.renewalFailed',
    'subscription.renewed',
    'subscription.started',
  ],
  handles: ['subscription.changed'],
  implements: ['accountDeletion.deletionStep', 'dataExport.exportPart', 'subscriptionTiers.viewerSubscription'],
  jobs: ['subscriptions.renew'],
  tables: {
    subscriptions: {
      grants: 'append',
      updates: [
        'canceled_at',
        'due_at',
        'end_reason',
        'ended_at',
        'failed_at',
        'failed_attempts',
        'is_renewing',
        'new_price_cents',
        'new_price_from',
        'paid_until',
        'period_number',
        'price_cents',
        'reminded_period',
      ],
      readers: ['subscription-figures'],
      personalData: { ...FINANCIAL_RECORD, inPrivacyPolicyAs: 'fanActivity', inExportAs: 'subscriptions' },
    },
    subscription_periods: {
      grants: 'append',
      updates: ['opened_at', 'refunded_cents'],
      readers: ['subscription-figures'],
      personalData: { inPrivacyPolicyAs: 'fanActivity' },
    },
  },
  functions: { subscription_boundary: {} },
});
