import * as adminReconciliation from '@stagedoor/contract/admin/reconciliation.ts';
import * as adminSettlements from '@stagedoor/contract/admin/settlements.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'reconciliation',
  dependsOn: ['accounts', 'audit-log', 'ccbill', 'deposits', 'ledger', 'ledger-checks'],
  contract: [adminReconciliation, adminSettlements],
  jobs: ['reconciliation.run'],
  tables: {
    processor_export_days: { grants: 'edit', personalData: { none: 'Days and counts.' } },
    processor_exports: { grants: 'replace', personalData: { inPrivacyPolicyAs: 'cardPayments' } },
    processor_settlements: {
      grants: 'append',
      updates: ['reversed_at', 'reversed_by', 'reversal_reason', 'reversal_transaction_id'],
      readers: ['transparency-log'],
      exceptions: [
        { module: 'ledger-checks', allows: 'read', reason: 'The ledger checks compare all records of money.' },
      ],
      personalData: { none: 'What the card processor paid out to the platform.' },
    },
  },
});
