import { FINANCIAL_RECORD } from '../../kernel/personal-data.ts';
import { defineRoom, type Shared } from '../../kernel/room.ts';

/**
 * Sales reads the journal for statements and figures, transparency copies immutable rows into its log, and payments
 * compares the journal with the processor.
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
      personalData: FINANCIAL_RECORD,
    },
    ledger_days: {
      rows: 'append',
      updates: ['amount_cents', 'items', 'platform_cents'],
      personalData: { inPrivacyPolicyAs: 'money' },
    },
    ledger_entries: { rows: 'read', ...shown, personalData: { inPrivacyPolicyAs: 'money' } },
    ledger_externals: { rows: 'append', ...logged, personalData: { inPrivacyPolicyAs: 'money' } },
    ledger_holds: {
      rows: 'append',
      updates: ['amount_cents', 'captured_cents', 'expires_at', 'resolved_at', 'spent_cents', 'spent_day', 'state'],
      personalData: FINANCIAL_RECORD,
    },
    ledger_inflows: { rows: 'replace', readers: ['sales'], personalData: { inPrivacyPolicyAs: 'money' } },
    ledger_clearings: { rows: 'append', ...both, personalData: { inPrivacyPolicyAs: 'money' } },
    ledger_differences: {
      rows: 'append',
      updates: ['explained_at', 'facts', 'ours_cents', 'resolved_at', 'seen_at', 'theirs_cents'],
      personalData: { inPrivacyPolicyAs: 'money' },
    },
    ledger_explanations: {
      rows: 'append',
      readers: ['transparency'],
      personalData: { ...FINANCIAL_RECORD, inExportAs: { notExported: 'Written by operators.' } },
    },
    ledger_kinds: { rows: 'read', ...both, personalData: { none: 'Names of kinds of transactions.' } },
    ledger_lines: { rows: 'append', ...both, personalData: { inPrivacyPolicyAs: 'money' } },
    ledger_maturities: {
      rows: 'replace',
      updates: ['amount_cents'],
      readers: ['sales'],
      personalData: { inPrivacyPolicyAs: 'money' },
    },
    ledger_proven: { rows: 'append', updates: ['cents'], personalData: { none: 'Sums that a check has verified.' } },
    ledger_raises: { rows: 'all', personalData: { inPrivacyPolicyAs: 'spendingLimits' } },
    ledger_reversals: { rows: 'append', ...all, personalData: { inPrivacyPolicyAs: 'money' } },
    ledger_runs: {
      rows: 'append',
      updates: ['detail', 'ended_at', 'is_full', 'looked_at', 'started_at', 'tries'],
      personalData: { none: 'When the books were compared.' },
    },
    ledger_sums: {
      rows: 'append',
      updates: ['amount_cents', 'items', 'platform_cents'],
      personalData: { inPrivacyPolicyAs: 'money' },
    },
    ledger_transactions: { rows: 'append', ...all, personalData: FINANCIAL_RECORD },
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
