import { AMOUNT_FILTERS, DEPOSIT_STATES, getDepositHistory } from '@stagedoor/contract/commerce/deposits.ts';
import { STATEMENT_TYPES, type StatementType } from '@stagedoor/contract/commerce/money-kinds.ts';
import { getTransactionHistory } from '@stagedoor/contract/finance/wallet.ts';
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '@stagedoor/contract/shared/paging.ts';
import { parseOption } from '../../../platform/address.ts';
import { apiInfiniteQuery } from '../../../platform/query.ts';

export const WALLET_TABS = ['transactions', 'deposits'] as const;
export type WalletTab = (typeof WALLET_TABS)[number];

export interface WalletFilters {
  tab: WalletTab;
  type: StatementType | undefined;
  status: (typeof DEPOSIT_STATES)[number] | undefined;
  minAmount: (typeof AMOUNT_FILTERS)[number] | undefined;
  size: (typeof PAGE_SIZES)[number];
}

export function parseWalletFilters(search: URLSearchParams): WalletFilters {
  return {
    tab: parseOption(WALLET_TABS, search.get('tab')) ?? 'transactions',
    type: parseOption(STATEMENT_TYPES, search.get('type')),
    status: parseOption(DEPOSIT_STATES, search.get('status')),
    minAmount: AMOUNT_FILTERS.find((amount) => String(amount) === search.get('min')),
    size: PAGE_SIZES.find((size) => String(size) === search.get('size')) ?? DEFAULT_PAGE_SIZE,
  };
}

export function isWalletFiltered({ tab, type, status, minAmount }: WalletFilters): boolean {
  return minAmount !== undefined || (tab === 'transactions' ? type !== undefined : status !== undefined);
}

export const transactionsQuery = ({ type, minAmount, size }: WalletFilters) =>
  apiInfiniteQuery(getTransactionHistory, {
    query: { limit: size, ...(type && { type }), ...(minAmount && { minAmount }) },
  });

export const depositsQuery = ({ status, minAmount, size }: WalletFilters) =>
  apiInfiniteQuery(getDepositHistory, {
    query: { limit: size, ...(status && { status }), ...(minAmount && { minAmount }) },
  });
