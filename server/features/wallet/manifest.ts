/** The wallet: a fan's balance and every movement of it, receipts, and tips. */
import * as wallet from '@stagedoor/contract/wallet.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'wallet',
  above: ['accounts', 'payments', 'posts', 'sales'],
  contract: [wallet],
  hears: ['account.blocked', 'deposit.changed', 'sale.made', 'sale.refunded'],
});
