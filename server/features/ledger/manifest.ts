/** The ledger: double-entry accounts of everybody's money. The ground. */
import { defineRoom, type Shared } from '../../kernel/room.ts';

/**
 * Sales shows statements and figures from the journal; transparency puts what never changes into the log; payments compares it with
 * the processor's.
 */
const shown: Shared = { readers: ['payments', 'sales'] };
const logged: Shared = { readers: ['payments', 'transparency'] };
const both: Shared = { readers: ['sales', 'transparency'] };
const all: Shared = { readers: ['payments', 'sales', 'transparency'] };

export const manifest = defineRoom({
  name: 'ledger',
  emits: ['debt.changed', 'hold.expired'],
  jobs: ['ledger.check', 'ledger.clear', 'ledger.releaseExpired', 'ledger.roll'],
  tables: {
    ledger_accounts: all,
    ledger_days: shown,
    ledger_entries: shown,
    ledger_externals: logged,
    ledger_holds: {},
    ledger_inflows: shown,
    ledger_clearings: both,
    ledger_differences: {},
    ledger_explanations: {},
    ledger_kinds: both,
    ledger_lines: both,
    ledger_maturities: {},
    ledger_proven: {},
    ledger_reversals: all,
    ledger_runs: {},
    ledger_transactions: all,
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
