import {
  listSubscribers,
  SUBSCRIBER_FILTERS,
  SUBSCRIBER_SORTS,
  type SubscriberFilter,
  type SubscriberSort,
} from '@stagedoor/contract/finance/subscription-figures.ts';
import { DEFAULT_PAGE_SIZE } from '@stagedoor/contract/shared/paging.ts';
import { keepPreviousData } from '@tanstack/react-query';
import { parseOption } from '../../../platform/address.ts';
import { apiInfiniteQuery } from '../../../platform/query.ts';

export type SubscriberFilters = { filter: SubscriberFilter; sort: SubscriberSort };

export function parseSubscriberFilters(search: URLSearchParams): SubscriberFilters {
  return {
    filter: parseOption(SUBSCRIBER_FILTERS, search.get('filter')) ?? 'all',
    sort: parseOption(SUBSCRIBER_SORTS, search.get('sort')) ?? 'renewal',
  };
}

export const subscribersQuery = (filters: SubscriberFilters) => ({
  ...apiInfiniteQuery(listSubscribers, { query: { ...filters, limit: DEFAULT_PAGE_SIZE } }),
  placeholderData: keepPreviousData,
});
