import { spentByFans } from '@stagedoor/contract/earnings.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../kernel/query.ts';

export const spentQuery = (ids: readonly string[]) => apiQuery(spentByFans, { query: { ids: ids.join() } });

/** Returns what each fan paid this creator, in USD by fan id. Empty until it is loaded. */
export function useSpent(ids: readonly string[]): ReadonlyMap<string, number> {
  const { data } = useQuery({ ...spentQuery(ids), enabled: ids.length > 0, placeholderData: keepPreviousData });
  return new Map(data?.data.map(({ id, spent }) => [id, spent]));
}
