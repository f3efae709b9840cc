import { listFanSpending } from '@stagedoor/contract/finance/earnings.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../platform/query.ts';

export const fanSpendingQuery = (ids: readonly string[]) => apiQuery(listFanSpending, { query: { ids: ids.join() } });

/** Returns what each fan paid this creator, in USD by fan id. Empty until it is loaded. */
export function useFanSpending(ids: readonly string[]): ReadonlyMap<string, number> {
  const { data } = useQuery({ ...fanSpendingQuery(ids), enabled: ids.length > 0, placeholderData: keepPreviousData });
  return new Map(data?.data.map(({ id, spent }) => [id, spent]));
}
