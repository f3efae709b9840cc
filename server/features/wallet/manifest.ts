import * as wallet from '@stagedoor/contract/wallet.ts';
import { defineModule } from '../../kernel/module.ts';

export const manifest = defineModule({
  name: 'wallet',
  dependsOn: ['accounts', 'blocks', 'closing', 'ledger', 'payments', 'payouts', 'posts', 'sales'],
  contract: [wallet],
  handles: [
    'account.blocked',
    'debt.changed',
    'deposit.changed',
    'hold.changed',
    'hold.expired',
    'sale.made',
    'sale.refunded',
  ],
});
