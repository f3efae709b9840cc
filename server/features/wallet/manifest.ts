import * as wallet from '@stagedoor/contract/wallet.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'wallet',
  above: ['accounts', 'blocks', 'closing', 'ledger', 'payments', 'payouts', 'posts', 'sales'],
  contract: [wallet],
  hears: [
    'account.blocked',
    'debt.changed',
    'deposit.changed',
    'hold.changed',
    'hold.expired',
    'sale.made',
    'sale.refunded',
  ],
});
