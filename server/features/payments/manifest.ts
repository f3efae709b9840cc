/** Payments: what fans pay in by card, through the processor. */
import * as payments from '@stagedoor/contract/payments.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'payments',
  above: ['accounts', 'ledger'],
  contract: [payments],
  emits: ['deposit.changed', 'processor.received'],
  hears: ['processor.received'],
  jobs: ['payments.expire', 'payments.forget', 'payments.reconcile', 'payments.sweep'],
  tables: {
    deposits: {
      readers: ['transparency'],
      exceptions: [{ room: 'ledger', may: 'read', why: 'The proof that the books are right is of the whole.' }],
    },
    processor_events: { readers: ['transparency'] },
  },
});
