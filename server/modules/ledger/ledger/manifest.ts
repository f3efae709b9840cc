import { defineModule, type SharedAccess } from '../../../platform/module.ts';
import { FINANCIAL_RECORD } from '../../../platform/personal-data.ts';

/**
 * Sales reads the journal for statements and figures, transparency copies immutable rows into its log, and payments
 * compares the journal with the processor.
 */
const readByPaymentsAndSales: SharedAccess = { readers: ['payments', 'sales'] };
const readByPaymentsAndLog: SharedAccess = { readers: ['payments', 'transparency-log'] };
const readBySalesAndLog: SharedAccess = { readers: ['sales', 'transparency-log'] };
const readByAll: SharedAccess = { readers: ['payments', 'sales', 'transparency-log'] };

export const manifest = defineModule({
  name: 'ledger',
  emits: ['debt.changed', 'hold.expired'],
  jobs: ['ledger.check', 'ledger.clear', 'ledger.releaseExpired', 'ledger.roll'],
  tables: {
    ledger_accounts: {
      grants: 'append',
      updates: [
        'balance_cents',
        'day_limit_cents',
        'is_frozen',
        'is_frozen_for_debt',
        'max_late_ms',
        'last_line_at',
        'lines',
        'month_spent_cents',
        'own_day_limit_cents',
        'own_month_limit_cents',
        'own_week_limit_cents',
        'paused_until',
        'spent_cents',
        'spent_day',
        'week_spent_cents',
      ],
      ...readByAll,
      personalData: FINANCIAL_RECORD,
    },
    ledger_daily_totals: {
      grants: 'append',
      updates: ['amount_cents', 'items', 'platform_cents'],
      personalData: { inPrivacyPolicyAs: 'money' },
    },
    ledger_entries: { grants: 'read', ...readByPaymentsAndSales, personalData: { inPrivacyPolicyAs: 'money' } },
    ledger_external_refs: { grants: 'append', ...readByPaymentsAndLog, personalData: { inPrivacyPolicyAs: 'money' } },
    ledger_holds: {
      grants: 'append',
      updates: ['amount_cents', 'captured_cents', 'expires_at', 'resolved_at', 'spent_cents', 'spent_day', 'state'],
      personalData: FINANCIAL_RECORD,
    },
    ledger_inflows: { grants: 'replace', readers: ['sales'], personalData: { inPrivacyPolicyAs: 'money' } },
    ledger_clearings: { grants: 'append', ...readBySalesAndLog, personalData: { inPrivacyPolicyAs: 'money' } },
    reconciliation_differences: {
      grants: 'append',
      updates: ['explained_at', 'details', 'ours_cents', 'resolved_at', 'seen_at', 'theirs_cents'],
      personalData: { inPrivacyPolicyAs: 'money' },
    },
    reconciliation_explanations: {
      grants: 'append',
      readers: ['transparency-log'],
      personalData: { ...FINANCIAL_RECORD, inExportAs: { notExported: 'Written by operators.' } },
    },
    ledger_kinds: { grants: 'read', ...readBySalesAndLog, personalData: { none: 'Names of kinds of transactions.' } },
    ledger_lines: { grants: 'append', ...readBySalesAndLog, personalData: { inPrivacyPolicyAs: 'money' } },
    ledger_pending_clearings: {
      grants: 'replace',
      updates: ['amount_cents'],
      readers: ['sales'],
      personalData: { inPrivacyPolicyAs: 'money' },
    },
    ledger_verified_balances: {
      grants: 'append',
      updates: ['cents'],
      personalData: { none: 'Sums that a check has verified.' },
    },
    ledger_limit_increases: { grants: 'all', personalData: { inPrivacyPolicyAs: 'spendingLimits' } },
    ledger_reversals: { grants: 'append', ...readByAll, personalData: { inPrivacyPolicyAs: 'money' } },
    reconciliation_runs: {
      grants: 'append',
      updates: ['detail', 'ended_at', 'is_full', 'checked_count', 'started_at', 'tries'],
      personalData: { none: 'When the books were compared.' },
    },
    ledger_period_totals: {
      grants: 'append',
      updates: ['amount_cents', 'items', 'platform_cents'],
      personalData: { inPrivacyPolicyAs: 'money' },
    },
    ledger_transactions: { grants: 'append', ...readByAll, personalData: FINANCIAL_RECORD },
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
    ledger_kinds_open_fee_account: {},
    ledger_post: {},
    ledger_apply_limit_increases: {},
    ledger_received: {},
    ledger_append_only: {},
    ledger_require_spendable: {},
    ledger_sum_inflows: {},
    ledger_spend: {},
    ledger_spending_refusal: {},
    ledger_write: {},
  },
});
