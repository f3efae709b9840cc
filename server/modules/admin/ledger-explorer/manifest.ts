import * as adminLedger from '@stagedoor/contract/admin/ledger.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'ledger-explorer',
  dependsOn: [
    'accounts',
    'audit-log',
    'deposits',
    'ledger',
    'ledger-checks',
    'payouts',
    'reconciliation',
    'sales',
    'transparency-log',
  ],
  contract: [adminLedger],
  jobs: ['ledgerExplorer.check'],
});
