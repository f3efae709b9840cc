import * as statements from '@stagedoor/contract/finance/statements.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'statements',
  dependsOn: ['accounts', 'data-export', 'sales', 'wallet'],
  contract: [statements],
  implements: ['dataExport.exportPart'],
});
