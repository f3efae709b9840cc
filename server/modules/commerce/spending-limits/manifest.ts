import * as spendingLimits from '@stagedoor/contract/commerce/spending-limits.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'spending-limits',
  dependsOn: ['accounts', 'data-export', 'ledger', 'sales'],
  contract: [spendingLimits],
  implements: ['dataExport.exportPart'],
});
