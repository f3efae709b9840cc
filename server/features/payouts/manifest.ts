import * as payoutDesk from '@stagedoor/contract/payout-desk.ts';
import * as payouts from '@stagedoor/contract/payouts.ts';
import { FINANCIAL_RECORD, SET_BY_OPERATORS } from '../../kernel/personal-data.ts';
import { defineRoom, type Shared } from '../../kernel/room.ts';

const proven: Shared = {
  exceptions: [{ room: 'ledger', may: 'read', why: 'The proof that the books are right is of the whole.' }],
};

export const manifest = defineRoom({
  name: 'payouts',
  above: ['accounts', 'archive', 'audit', 'closing', 'ledger', 'operators', 'verification'],
  contract: [payoutDesk, payouts],
  emits: ['payout.changed', 'payout.methodChanged', 'payouts.settingsChanged'],
  hears: ['payout.changed'],
  jobs: ['payouts.chase', 'payouts.notice', 'payouts.rules', 'payouts.submit'],
  tables: {
    payout_approvals: { rows: 'append', personalData: { inPrivacyPolicyAs: 'money' } },
    payout_batches: {
      rows: 'append',
      updates: ['detail', 'provider_ref', 'state', 'tried_at', 'unanswered_count'],
      ...proven,
      personalData: { inPrivacyPolicyAs: 'payoutMethods' },
    },
    payout_claims: { rows: 'append', personalData: { inPrivacyPolicyAs: 'money' } },
    payout_methods: {
      rows: 'append',
      updates: ['invalid_at', 'invalid_code', 'removed_at'],
      ...proven,
      personalData: {
        inPrivacyPolicyAs: 'payoutMethods',
        onAccountDeletion: { remains: 'Encrypted, where a payout was sent to it.' },
        inExportAs: 'payout-ways',
      },
    },
    payout_moments: { rows: 'append', personalData: { inPrivacyPolicyAs: 'money' } },
    payout_notice_decisions: {
      rows: 'append',
      personalData: {
        ...FINANCIAL_RECORD,
        inPrivacyPolicyAs: 'payoutMethods',
        inExportAs: { notExported: 'Written by operators.' },
      },
    },
    payout_notices: {
      rows: 'append',
      updates: ['reason', 'received_count', 'state'],
      personalData: { inPrivacyPolicyAs: 'payoutMethods' },
    },
    payout_rules: {
      rows: 'all',
      personalData: { inPrivacyPolicyAs: 'payoutMethods', onAccountDeletion: 'deleted', inExportAs: 'payout-ways' },
    },
    payout_settings: {
      rows: 'read',
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
      rows: 'append',
      updates: [
        'batch_id',
        'paid_id',
        'reason',
        'reference',
        'refused_batch_id',
        'sent_id',
        'status',
        'transfer',
        'updated_at',
      ],
      ...proven,
      readers: ['affiliates', 'transparency'],
      personalData: { ...FINANCIAL_RECORD, inExportAs: 'payouts' },
    },
  },
});
