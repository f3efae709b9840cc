import { defineModule } from '../../../platform/module.ts';
import { FINANCIAL_RECORD } from '../../../platform/personal-data.ts';

export const manifest = defineModule({
  name: 'ledger-checks',
  dependsOn: ['ledger'],
  jobs: ['ledger.check'],
  tables: {
    ledger_verified_balances: {
      grants: 'append',
      updates: ['cents'],
      personalData: { none: 'Sums that a check has verified.' },
    },
    reconciliation_differences: {
      grants: 'append',
      updates: ['explained_at', 'details', 'ours_cents', 'resolved_at', 'seen_at', 'theirs_cents'],
      personalData: { inPrivacyPolicyAs: 'money' },
    },
    reconciliation_explanations: {
      grants: 'append',
      readers: ['transparency-log'],
      exceptions: [{ module: 'ledger', allows: 'read', reason: 'Its trigger function keeps the rows unchanged.' }],
      personalData: { ...FINANCIAL_RECORD, inExportAs: { notExported: 'Written by operators.' } },
    },
    reconciliation_runs: {
      grants: 'append',
      updates: ['detail', 'ended_at', 'is_full', 'checked_count', 'started_at', 'tries'],
      personalData: { none: 'When the books were compared.' },
    },
  },
});
