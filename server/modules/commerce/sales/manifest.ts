import { defineModule, type SharedAccess } from '../../../platform/module.ts';
import { FINANCIAL_RECORD, SET_BY_OPERATORS } from '../../../platform/personal-data.ts';

const readByLedgerCheck: SharedAccess = {
  exceptions: [{ module: 'ledger-checks', allows: 'read', reason: 'The ledger checks compare all records of money.' }],
};

export const manifest = defineModule({
  name: 'sales',
  dependsOn: ['accounts', 'ledger'],
  emits: ['commission.earned', 'hold.changed', 'prices.changed', 'sale.made', 'sale.refunded'],
  provides: ['sales.sellerEligibility'],
  tables: {
    sales: {
      grants: 'append',
      updates: ['refunded_at', 'reversed_cents', 'reversed_fee_cents'],
      ...readByLedgerCheck,
      readers: ['subscriptions', 'transparency-log'],
      personalData: FINANCIAL_RECORD,
    },
    sales_affiliates: {
      grants: 'append',
      updates: ['ended_at', 'until_at'],
      ...readByLedgerCheck,
      personalData: { ...FINANCIAL_RECORD, inExportAs: 'referral-code' },
    },
    sales_commissions: {
      grants: 'append',
      updates: ['reversed_cents', 'unpaid_cents'],
      ...readByLedgerCheck,
      readers: ['transparency-log'],
      personalData: FINANCIAL_RECORD,
    },
    sales_fees: {
      grants: 'append',
      updates: ['general_basis_points', 'offer_basis_points', 'offer_from', 'offer_until'],
      ...readByLedgerCheck,
      personalData: FINANCIAL_RECORD,
    },
    sales_hold_fees: { grants: 'append', personalData: FINANCIAL_RECORD },
    owned_purchases: {
      grants: 'replace',
      ...readByLedgerCheck,
      readers: ['entitlements'],
      personalData: { ...FINANCIAL_RECORD, inExportAs: 'bought-posts' },
    },
    sales_price_limits: { grants: 'append', updates: ['max_cents', 'min_cents'], personalData: SET_BY_OPERATORS },
    sales_settings: {
      grants: 'read',
      updates: [
        'clearing_days',
        'daily_limit_cents',
        'general_basis_points',
        'longest_clearing_days',
        'offer_basis_points',
        'offer_days',
        'was_clearing_shortened',
      ],
      personalData: SET_BY_OPERATORS,
    },
  },
  functions: {
    sales_charge: {},
    sales_charge_refused: {},
    sales_commission: {},
    sales_open_earnings: {},
    sales_require_price: {},
  },
});
