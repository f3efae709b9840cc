/** The ledger: double-entry accounts of everybody's money. The ground. */
import { defineRoom, type Shared } from '../../kernel/room.ts';

/** Sales shows statements and figures from the journal; transparency puts what never changes into the log. */
const shown: Shared = { readers: ['sales'] };
const logged: Shared = { readers: ['transparency'] };
const both: Shared = { readers: ['sales', 'transparency'] };

export const manifest = defineRoom({
  name: 'ledger',
  jobs: ['ledger.clear', 'ledger.releaseExpired', 'ledger.roll'],
  tables: {
    ledger_accounts: both,
    ledger_days: shown,
    ledger_entries: shown,
    ledger_externals: logged,
    ledger_holds: {},
    ledger_inflows: shown,
    ledger_clearings: both,
    ledger_kinds: both,
    ledger_lines: both,
    ledger_maturities: {},
    ledger_reversals: both,
    ledger_transactions: both,
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
