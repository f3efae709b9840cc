import * as earnings from '@stagedoor/contract/earnings.ts';
import { defineModule } from '../../kernel/module.ts';

export const manifest = defineModule({
  name: 'earnings',
  dependsOn: ['accounts', 'follows', 'payouts', 'sales', 'wallet'],
  contract: [earnings],
  handles: ['sale.made', 'sale.refunded'],
});
