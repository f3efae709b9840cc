import { SALE_KINDS } from '@stagedoor/contract/commerce/money-kinds.ts';
import {
  CHART_PERIODS,
  EARNING_RANGES,
  type EarningRange,
  listEarnings,
} from '@stagedoor/contract/finance/earnings.ts';
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '@stagedoor/contract/shared/paging.ts';
import { parseDayParam, parseOption } from '../../../platform/address.ts';
import { apiInfiniteQuery } from '../../../platform/query.ts';

export interface EarningFilters {
  period: (typeof CHART_PERIODS)[number];
  kind: (typeof SALE_KINDS)[number] | undefined;
  range: EarningRange | undefined;
  startDate: string | undefined;
  endDate: string | undefined;
  size: (typeof PAGE_SIZES)[number];
}

/** Ignores invalid values. An end date before the start date is dropped. */
export function parseEarningFilters(search: URLSearchParams): EarningFilters {
  const [startDate, endDate] = [parseDayParam(search, 'startDate'), parseDayParam(search, 'endDate')];
  return {
    period: parseOption(CHART_PERIODS, search.get('period')) ?? 'weekly',
    kind: parseOption(SALE_KINDS, search.get('kind')),
    range: parseOption(EARNING_RANGES, search.get('range')),
    startDate,
    endDate: startDate && endDate && endDate < startDate ? undefined : endDate,
    size: PAGE_SIZES.find((size) => String(size) === search.get('size')) ?? DEFAULT_PAGE_SIZE,
  };
}

export function hasEarningFilters({ kind, range, startDate, endDate }: EarningFilters): boolean {
  return [kind, range, startDate, endDate].some((filter) => filter !== undefined);
}

export const earningTransactionsQuery = ({ kind, range, startDate, endDate, size }: EarningFilters) =>
  apiInfiniteQuery(listEarnings, {
    query: {
      limit: size,
      ...(kind && { kind }),
      ...(range && { range }),
      ...(startDate && { startDate }),
      ...(endDate && { endDate }),
    },
  });
