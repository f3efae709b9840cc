/** Payouts: how people are paid what they earned. */
import * as payouts from '@stagedoor/contract/payouts.ts';
import { defineRoom, type Shared } from '../../kernel/room.ts';

const proven: Shared = {
  exceptions: [{ room: 'ledger', may: 'read', why: 'The proof that the books are right is of the whole.' }],
};

export const manifest = defineRoom({
  name: 'payouts',
  above: ['accounts', 'ledger'],
  contract: [payouts],
  emits: ['payout.changed'],
  hears: ['payout.changed'],
  tables: {
    payout_methods: { rows: 'append', updates: ['removed_at'] },
    payout_moments: { rows: 'append' },
    payout_settings: { rows: 'read' },
    payouts: { rows: 'append', updates: ['reason', 'status', 'transfer', 'updated_at'], ...proven },
  },
});
