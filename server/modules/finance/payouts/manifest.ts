import * as adminPayouts from '@stagedoor/contract/admin/payouts.ts';
import * as payouts from '@stagedoor/contract/finance/payouts.ts';
import { defineModule, type SharedAccess } from '../../../platform/module.ts';
import { FINANCIAL_RECORD, SET_BY_OPERATORS } from '../../../platform/personal-data.ts';

const readByLedgerCheck: SharedAccess = {
  exceptions: [{ module: 'ledger-checks', allows: 'read', reason: 'The ledger checks compare all records of money.' }],
};

export const manifest = defineModule({
  name: 'payouts',
  dependsOn: [
    'accounts',
    'approvals',
    'data-export',
    'audit-log',
    'account-deletion',
    'ledger',
    'ledger-checks',
    'staff',
    'verification',
  ],
  contract: [adminPayouts, payouts],
  emits: ['payout.changed', 'payout.methodChanged', 'payouts.settingsChanged'],
  handles: ['payout.changed'],
  jobs: ['payouts.pollPayPal', 'payouts.processWebhook', 'payouts.runSchedules', 'payouts.submit'],
  implements: [
    'accountDeletion.deletionStep',
    'approvals.approvalLimit',
    'approvals.guardedSetting',
    'dataExport.exportPart',
  ],
  tables: {
    payout_approvals: { grants: 'append', personalData: { inPrivacyPolicyAs: 'money' } },
    payout_batches: {
      grants: 'append',
      updates: ['detail', 'provider_ref', 'state', 'tried_at', 'unanswered_count'],
      ...readByLedgerCheck,
      personalData: { inPrivacyPolicyAs: 'payoutMethods' },
    },
    payout_failure_claims: { grants: 'append', personalData: { inPrivacyPolicyAs: 'money' } },
    payout_methods: {
      grants: 'append',
      updates: ['invalid_at', 'invalid_code', 'removed_at'],
      ...readByLedgerCheck,
      personalData: {
        inPrivacyPolicyAs: 'payoutMethods',
        onAccountDeletion: { remains: 'Encrypted, where a payout was sent to it.' },
        inExportAs: 'payout-methods',
      },
    },
    payout_events: { grants: 'append', personalData: { inPrivacyPolicyAs: 'money' } },
    payout_webhook_decisions: {
      grants: 'append',
      personalData: {
        ...FINANCIAL_RECORD,
        inPrivacyPolicyAs: 'payoutMethods',
        inExportAs: { notExported: 'Written by operators.' },
      },
    },
    payout_webhooks: {
      grants: 'append',
      updates: ['reason', 'received_count', 'state'],
      personalData: { inPrivacyPolicyAs: 'payoutMethods' },
    },
    payout_schedules: {
      grants: 'all',
      personalData: { inPrivacyPolicyAs: 'payoutMethods', onAccountDeletion: 'deleted', inExportAs: 'payout-methods' },
    },
    payout_settings: {
      grants: 'read',
      updates: [
        'cooling_hours',
        'crypto_minimum_cents',
        'minimum_cents',
        'referrals_fee_basis_points',
        'referrals_minimum_cents',
        'second_approver_cents',
      ],
      personalData: SET_BY_OPERATORS,
    },
    payouts: {
      grants: 'append',
      updates: [
        'batch_id',
        'paid_transaction_id',
        'reason',
        'reference',
        'refused_batch_id',
        'sent_transaction_id',
        'status',
        'transfer',
        'updated_at',
      ],
      ...readByLedgerCheck,
      readers: ['affiliates', 'transparency-log'],
      personalData: { ...FINANCIAL_RECORD, inExportAs: 'payouts' },
    },
  },
});
