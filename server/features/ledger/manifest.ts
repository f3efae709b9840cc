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
    ledger_accounts: {
      rows: 'append',
      updates: [
        'balance_cents',
        'day_limit_cents',
        'is_frozen',
        'is_frozen_for_debt',
        'late_ms',
        'line_at',
        'lines',
        'month_spent_cents',
        'own_day_cents',
        'own_month_cents',
        'own_week_cents',
        'paused_until',
        'spent_cents',
        'spent_day',
        'week_spent_cents',
      ],
      ...all,
    },
    ledger_days: { rows: 'append', updates: ['amount_cents', 'items', 'platform_cents'] },
    ledger_entries: { rows: 'read', ...shown },
    ledger_externals: { rows: 'append', ...logged },
    ledger_holds: {
      rows: 'append',
      updates: ['amount_cents', 'captured_cents', 'expires_at', 'resolved_at', 'spent_cents', 'spent_day', 'state'],
    },
    ledger_inflows: { rows: 'replace', readers: ['sales'] },
    ledger_clearings: { rows: 'append', ...both },
    ledger_differences: {
      rows: 'append',
      updates: ['explained_at', 'facts', 'ours_cents', 'resolved_at', 'seen_at', 'theirs_cents'],
    },
    ledger_explanations: { rows: 'append', readers: ['transparency'] },
    ledger_kinds: { rows: 'read', ...both },
    ledger_lines: { rows: 'append', ...both },
    ledger_maturities: { rows: 'replace', updates: ['amount_cents'], readers: ['sales'] },
    ledger_proven: { rows: 'append', updates: ['cents'] },
    ledger_raises: { rows: 'all' },
    ledger_reversals: { rows: 'append', ...all },
    ledger_runs: {
      rows: 'append',
      updates: ['detail', 'ended_at', 'is_full', 'looked_at', 'started_at', 'tries'],
    },
    ledger_sums: { rows: 'append', updates: ['amount_cents', 'items', 'platform_cents'] },
    ledger_transactions: { rows: 'append', ...all },
  },
  functions: {
    ledger_account: {},
    ledger_balance: {},
    ledger_balance_before: {},
    ledger_commission: {},
    ledger_limits: {},
    ledger_line_before: {},
    ledger_lines_between: {},
    ledger_new_id: {},
    ledger_open_fee: {},
    ledger_post: {},
    ledger_raise_due: {},
    ledger_received: {},
    ledger_refuse: {},
    ledger_refuse_spending: {},
    ledger_roll: {},
    ledger_spend: {},
    ledger_spending_refusal: {},
    ledger_write: {},
  },
});
