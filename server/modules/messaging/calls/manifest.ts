import * as adminCalls from '@stagedoor/contract/admin/calls.ts';
import * as calls from '@stagedoor/contract/messaging/calls.ts';
import * as callsEvents from '@stagedoor/contract/messaging/calls-events.ts';
import { defineModule, type SharedAccess } from '../../../platform/module.ts';
import { FINANCIAL_RECORD } from '../../../platform/personal-data.ts';

const proven: SharedAccess = {
  exceptions: [{ module: 'ledger-checks', allows: 'read', reason: 'The ledger checks compare all records of money.' }],
};

export const manifest = defineModule({
  name: 'calls',
  dependsOn: [
    'accounts',
    'data-export',
    'audit-log',
    'chat',
    'account-deletion',
    'follows',
    'presence',
    'sales',
    'subscription-tiers',
    'subscriptions',
    'wallet',
  ],
  contract: [calls, adminCalls, callsEvents],
  emits: ['call.callbackRequested', 'call.changed', 'call.settingsChanged'],
  handles: [
    'account.blocked',
    'call.callbackRequested',
    'call.changed',
    'call.settingsChanged',
    'chat.blocked',
    'chat.declined',
    'debt.changed',
    'deposit.changed',
    'hold.expired',
    'sale.made',
    'sale.refunded',
    'subscriptionTier.deleted',
  ],
  provides: ['calls.reachCheck'],
  implements: ['accountDeletion.deletionStep', 'dataExport.exportPart', 'wallet.callFinder', 'wallet.callFunds'],
  tables: {
    call_heartbeats: { grants: 'all', personalData: { inPrivacyPolicyAs: 'calls' } },
    call_events: { grants: 'append', ...proven, personalData: { inPrivacyPolicyAs: 'calls' } },
    call_settings: {
      grants: 'all',
      personalData: { inPrivacyPolicyAs: 'creatorProfile', onAccountDeletion: 'deleted', inExportAs: 'call-settings' },
    },
    calls: {
      grants: 'append',
      updates: [
        'answered_at',
        'callback_requested_at',
        'charged_cents',
        'creator_device',
        'ended_at',
        'fan_device',
        'held_cents',
        'hold_id',
        'is_creator_connected',
        'is_fan_connected',
        'interrupted_at',
        'net_cents',
        'next_due_at',
        'reason',
        'running_since',
        'seen_at',
        'started_at',
        'status',
        'stop_reason',
        'stopped_by',
        'connected_ms',
        'transaction_id',
        'warned_seconds',
      ],
      ...proven,
      personalData: { ...FINANCIAL_RECORD, inPrivacyPolicyAs: 'calls', inExportAs: 'calls' },
    },
  },
});
