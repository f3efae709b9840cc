import * as adminDebts from '@stagedoor/contract/admin/debts.ts';
import { defineModule } from '../../../platform/module.ts';
import { FINANCIAL_RECORD } from '../../../platform/personal-data.ts';

export const manifest = defineModule({
  name: 'debts',
  dependsOn: ['accounts', 'audit-log', 'ledger', 'approvals'],
  contract: [adminDebts],
  handles: ['debt.changed'],
  implements: ['approvals.approvalHandler'],
  tables: {
    debt_decisions: { grants: 'append', readers: ['transparency-log'], personalData: FINANCIAL_RECORD },
  },
});
