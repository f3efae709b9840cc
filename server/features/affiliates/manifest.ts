import * as affiliates from '@stagedoor/contract/affiliates.ts';
import { FINANCIAL_RECORD, SET_BY_OPERATORS } from '../../kernel/personal-data.ts';
import { defineRoom, type Shared } from '../../kernel/room.ts';

const proven: Shared = {
  exceptions: [{ room: 'ledger', may: 'read', why: 'The proof that the books are right is of the whole.' }],
};

export const manifest = defineRoom({
  name: 'affiliates',
  above: ['accounts', 'archive', 'closing', 'ledger', 'payments', 'payouts', 'sales'],
  contract: [affiliates],
  emits: ['commission.moved'],
  hears: ['account.created', 'commission.moved', 'verification.changed'],
  tables: {
    affiliate_claims: { rows: 'append', ...proven, personalData: FINANCIAL_RECORD },
    affiliate_codes: {
      rows: 'replace',
      personalData: { inPrivacyPolicyAs: 'account', onAccountDeletion: 'deleted', inExportAs: 'referral-code' },
    },
    affiliate_settings: {
      rows: 'read',
      updates: ['creator_basis_points', 'customer_basis_points', 'months', 'move_fee_basis_points', 'move_min_cents'],
      personalData: SET_BY_OPERATORS,
    },
    referrals: {
      rows: 'append',
      updates: ['approved_at', 'ends_at', 'status'],
      ...proven,
      personalData: { ...FINANCIAL_RECORD, inPrivacyPolicyAs: 'referrals', inExportAs: 'referrals' },
    },
  },
});
