import * as ledgerDesk from '@stagedoor/contract/admin-ledger.ts';
import { defineModule } from '../../kernel/module.ts';

export const manifest = defineModule({
  name: 'ledger-desk',
  dependsOn: ['accounts', 'audit', 'ledger', 'payments', 'payouts', 'sales', 'transparency'],
  contract: [ledgerDesk],
  jobs: ['ledgerAdmin.check'],
});
