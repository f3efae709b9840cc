import { defineModule } from '../../../platform/module.ts';
import { FINANCIAL_RECORD } from '../../../platform/personal-data.ts';

/**
 * `ledger-checks` verifies all rows, `sales` reads the journal for statements and figures, `transparency-log` copies
 * immutable rows, and `reconciliation` compares the journal with the processor.
 */
export const manifest = defineModule({
  name: 'ledger',
  emits: ['debt.changed', 'hold.expired', 'spending.paused'],
  jobs: ['ledger.clear', 'ledger.releaseExpired', 'ledger.roll'],
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
      readers: ['ledger-checks', 'reconciliation', 'sales', 'transparency-log'],
      personalData: FINANCIAL_RECORD,
    },
    ledger_daily_totals: {
      grants: 'append',
      updates: ['amount_cents', 'items', 'platform_cents'],
      readers: ['ledger-checks'],
      personalData: { inPrivacyPolicyAs: 'money' },
    },
    ledger_entries: {
      grants: 'read',
      readers: ['ledger-checks', 'reconciliation', 'sales'],
      personalData: { inPrivacyPolicyAs: 'money' },
    },
    ledger_external_refs: {
      grants: 'append',
      readers: ['ledger-checks', 'reconciliation', 'transparency-log'],
      personalData: { inPrivacyPolicyAs: 'money' },
    },
    ledger_holds: {
      grants: 'append',
      updates: ['amount_cents', 'captured_cents', 'expires_at', 'resolved_at', 'spent_cents', 'spent_day', 'state'],
      readers: ['ledger-checks', 'sales'],
      personalData: FINANCIAL_RECORD,
    },
    ledger_inflows: {
      grants: 'replace',
      readers: ['ledger-checks', 'sales'],
      personalData: { inPrivacyPolicyAs: 'money' },
    },
    ledger_clearings: {
      grants: 'append',
      readers: ['ledger-checks', 'sales', 'transparency-log'],
      personalData: { inPrivacyPolicyAs: 'money' },
    },
    ledger_kinds: {
      grants: 'read',
      readers: ['ledger-checks', 'sales', 'transparency-log'],
      personalData: { none: 'Names of kinds of transactions.' },
    },
    ledger_lines: {
      grants: 'append',
      readers: ['ledger-checks', 'sales', 'transparency-log'],
      personalData: { inPrivacyPolicyAs: 'money' },
    },
    ledger_pending_clearings: {
      grants: 'replace',
      updates: ['amount_cents'],
      readers: ['ledger-checks', 'sales'],
      personalData: { inPrivacyPolicyAs: 'money' },
    },
    ledger_limit_increases: { grants: 'all', personalData: { inPrivacyPolicyAs: 'spendingLimits' } },
    ledger_reversals: {
      grants: 'append',
      readers: ['ledger-checks', 'reconciliation', 'sales', 'transparency-log'],
      personalData: { inPrivacyPolicyAs: 'money' },
    },
    ledger_period_totals: {
      grants: 'append',
      updates: ['amount_cents', 'items', 'platform_cents'],
      readers: ['ledger-checks'],
      personalData: { inPrivacyPolicyAs: 'money' },
    },
    ledger_transactions: {
      grants: 'append',
      readers: ['ledger-checks', 'reconciliation', 'sales', 'transparency-log'],
      personalData: FINANCIAL_RECORD,
    },
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
