import * as ledgerDesk from '@stagedoor/contract/ledger-desk.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'ledger-desk',
  above: ['accounts', 'audit', 'ledger', 'payments', 'payouts', 'sales', 'transparency'],
  contract: [ledgerDesk],
  jobs: ['ledger-desk.check'],
});
