import * as ownLimits from '@stagedoor/contract/spending-limits.ts';
import { defineModule } from '../../kernel/module.ts';

export const manifest = defineModule({
  name: 'own-limits',
  dependsOn: ['accounts', 'archive', 'ledger', 'sales'],
  contract: [ownLimits],
});
