import { FINANCIAL_RECORD, SET_BY_OPERATORS } from '../../kernel/personal-data.ts';
import { defineRoom, type Shared } from '../../kernel/room.ts';

const proven: Shared = {
  exceptions: [{ room: 'ledger', may: 'read', why: 'The proof that the books are right is of the whole.' }],
};

export const manifest = defineRoom({
  name: 'sales',
  above: ['accounts', 'ledger'],
  emits: ['commission.earned', 'hold.changed', 'prices.changed', 'sale.made', 'sale.refunded'],
  tables: {
    sales: {
      rows: 'append',
      updates: ['given_back_at', 'reversed_cents', 'reversed_fee_cents'],
      ...proven,
      readers: ['transparency'],
      personalData: FINANCIAL_RECORD,
    },
    sales_affiliates: {
      rows: 'append',
      updates: ['ended_at', 'until_at'],
      ...proven,
      personalData: { ...FINANCIAL_RECORD, inExportAs: 'referral-code' },
    },
    sales_commissions: {
      rows: 'append',
      updates: ['reversed_cents', 'unpaid_cents'],
      ...proven,
      readers: ['transparency'],
      personalData: FINANCIAL_RECORD,
    },
    sales_fees: {
      rows: 'append',
      updates: ['general_basis_points', 'offer_basis_points', 'offer_from', 'offer_until'],
      ...proven,
      personalData: FINANCIAL_RECORD,
    },
    sales_hold_terms: { rows: 'append', personalData: FINANCIAL_RECORD },
    sales_owned: {
      rows: 'replace',
      ...proven,
      readers: ['entitlements'],
      personalData: { ...FINANCIAL_RECORD, inExportAs: 'bought-posts' },
    },
    sales_price_limits: { rows: 'append', updates: ['max_cents', 'min_cents'], personalData: SET_BY_OPERATORS },
    sales_settings: {
      rows: 'read',
      updates: [
        'clearing_days',
        'daily_limit_cents',
        'general_basis_points',
        'longest_clearing_days',
        'offer_basis_points',
        'offer_days',
        'was_shortened',
      ],
      personalData: SET_BY_OPERATORS,
    },
  },
  functions: {
    sales_charge: {},
    sales_charge_refused: {},
    sales_commission: {},
    sales_open_creator: {},
    sales_price_within: {},
  },
});
