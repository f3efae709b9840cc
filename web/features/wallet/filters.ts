import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '@stagedoor/contract/atoms/paging.ts';
import { STATEMENT_TYPES, type StatementType } from '@stagedoor/contract/money-kinds.ts';
import { AMOUNT_FILTERS, DEPOSIT_STATES, depositHistory } from '@stagedoor/contract/payments.ts';
import { transactionHistory } from '@stagedoor/contract/wallet.ts';
import { oneOf } from '../../kernel/address.ts';
import { apiInfiniteQuery } from '../../kernel/query.ts';

export const WALLET_TABS = ['transactions', 'deposits'] as const;
export type WalletTab = (typeof WALLET_TABS)[number];

export interface WalletFilters {
  tab: WalletTab;
  type: StatementType | undefined;
  status: (typeof DEPOSIT_STATES)[number] | undefined;
  minAmount: (typeof AMOUNT_FILTERS)[number] | undefined;
  size: (typeof PAGE_SIZES)[number];
}

export function walletFilters(search: URLSearchParams): WalletFilters {
  return {
    tab: oneOf(WALLET_TABS, search.get('tab')) ?? 'transactions',
    type: oneOf(STATEMENT_TYPES, search.get('type')),
    status: oneOf(DEPOSIT_STATES, search.get('status')),
    minAmount: AMOUNT_FILTERS.find((amount) => String(amount) === search.get('min')),
    size: PAGE_SIZES.find((size) => String(size) === search.get('size')) ?? DEFAULT_PAGE_SIZE,
  };
}

export function isFiltered({ tab, type, status, minAmount }: WalletFilters): boolean {
  return minAmount !== undefined || (tab === 'transactions' ? type !== undefined : status !== undefined);
}

export const transactionsQuery = ({ type, minAmount, size }: WalletFilters) =>
  apiInfiniteQuery(transactionHistory, {
    query: { limit: size, ...(type && { type }), ...(minAmount && { minAmount }) },
  });

export const depositsQuery = ({ status, minAmount, size }: WalletFilters) =>
  apiInfiniteQuery(depositHistory, {
    query: { limit: size, ...(status && { status }), ...(minAmount && { minAmount }) },
  });
