import * as affiliates from '@stagedoor/contract/finance/affiliates.ts';
import { defineModule, type SharedAccess } from '../../../platform/module.ts';
import { FINANCIAL_RECORD, SET_BY_OPERATORS } from '../../../platform/personal-data.ts';

const readByLedgerCheck: SharedAccess = {
  exceptions: [{ module: 'ledger-checks', allows: 'read', reason: 'The ledger checks compare all records of money.' }],
};

export const manifest = defineModule({
  name: 'affiliates',
  dependsOn: ['account-deletion', 'accounts', 'data-export', 'deposits', 'ledger', 'payouts', 'sales'],
  contract: [affiliates],
  emits: ['commission.moved'],
  handles: ['account.created', 'commission.moved', 'verification.changed'],
  implements: ['accountDeletion.deletionStep', 'dataExport.exportPart', 'deposits.depositHook'],
  tables: {
    affiliate_claims: { grants: 'append', ...readByLedgerCheck, personalData: FINANCIAL_RECORD },
    affiliate_codes: {
      grants: 'replace',
      personalData: { inPrivacyPolicyAs: 'account', onAccountDeletion: 'deleted', inExportAs: 'referral-code' },
    },
    affiliate_settings: {
      grants: 'read',
      updates: ['creator_basis_points', 'customer_basis_points', 'months', 'move_fee_basis_points', 'move_min_cents'],
      personalData: SET_BY_OPERATORS,
    },
    referrals: {
      grants: 'append',
      updates: ['approved_at', 'ends_at', 'status'],
      ...readByLedgerCheck,
      personalData: { ...FINANCIAL_RECORD, inPrivacyPolicyAs: 'referrals', inExportAs: 'referrals' },
    },
  },
});
