/** Pages of lists whose `offset` is a number of rows to skip. */
import { invalid } from '@stagedoor/contract/atoms/errors.ts';

/** The rows to skip. Throws VALIDATION for a cursor, which these lists never hand out. */
export function skipOf(offset: string): number {
  if (!/^\d+$/.test(offset)) throw invalid('offset', 'Invalid offset');
  return Number(offset);
}

export function pageOf<T>(data: T[], { limit, skip, total }: { limit: number; skip: number; total: number }) {
  const next = skip + data.length;
  return { data, limit, totalCount: total, ...(data.length > 0 && next < total && { nextOffset: String(next) }) };
}
