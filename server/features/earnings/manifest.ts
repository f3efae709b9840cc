import * as earnings from '@stagedoor/contract/earnings.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'earnings',
  above: ['accounts', 'follows', 'payouts', 'sales', 'wallet'],
  contract: [earnings],
  hears: ['sale.made', 'sale.refunded'],
});
