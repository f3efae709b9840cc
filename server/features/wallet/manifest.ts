/** The wallet: deposits through the card processor, tips, and everybody's view of their money. */
import * as wallet from '@stagedoor/contract/wallet.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'wallet',
  above: ['accounts', 'follows', 'ledger', 'posts', 'sales'],
  contract: [wallet],
  emits: ['deposit.changed', 'processor.received'],
  hears: ['account.blocked', 'deposit.changed', 'processor.received', 'sale.made', 'sale.refunded'],
  jobs: ['wallet.expire', 'wallet.forget', 'wallet.reconcile', 'wallet.sweep'],
  tables: {
    deposits: {
      exceptions: [{ room: 'ledger', may: 'read', why: 'The proof that the books are right is of the whole.' }],
    },
    processor_events: {},
  },
});
