import * as earnings from '@stagedoor/contract/finance/earnings.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'earnings',
  dependsOn: ['accounts', 'follows', 'payouts', 'sales', 'wallet'],
  contract: [earnings],
  handles: ['sale.made', 'sale.refunded'],
});
