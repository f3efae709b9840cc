import * as statements from '@stagedoor/contract/statements.ts';
import { defineModule } from '../../kernel/module.ts';

export const manifest = defineModule({
  name: 'statements',
  dependsOn: ['accounts', 'archive', 'sales', 'wallet'],
  contract: [statements],
});
