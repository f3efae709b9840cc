/** The ledger: double-entry accounts of everybody's money. The ground. */
import { defineRoom, type Shared } from '../../kernel/room.ts';

/** Sales shows statements and figures from the journal. */
const shown: Shared = { readers: ['sales'] };

export const manifest = defineRoom({
  name: 'ledger',
  jobs: ['ledger.clear', 'ledger.releaseExpired', 'ledger.roll'],
  tables: {
    ledger_accounts: shown,
    ledger_days: shown,
    ledger_entries: shown,
    ledger_externals: {},
    ledger_holds: {},
    ledger_inflows: shown,
    ledger_kinds: shown,
    ledger_lines: shown,
    ledger_clearings: { readers: ['sales'] },
    ledger_maturities: {},
    ledger_reversals: shown,
    ledger_transactions: shown,
  },
  functions: {
    ledger_account: {},
    ledger_balance: {},
    ledger_new_id: {},
    ledger_open_fee: {},
    ledger_post: {},
    ledger_refuse: {},
    ledger_refuse_spending: {},
    ledger_roll: {},
    ledger_spend: {},
    ledger_write: {},
  },
});
