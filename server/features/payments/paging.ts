/** Small readings of a list's query. */
import { invalid } from '@stagedoor/contract/atoms/errors.ts';

/** The rows to skip, of a list without cursors. Throws VALIDATION for a cursor, which such a list never hands out. */
export function skipOf(offset: string): number {
  if (!/^\d+$/.test(offset)) throw invalid('offset', 'Invalid offset');
  return Number(offset);
}

/** A page of a list without cursors. */
export function pageOf<T>(data: T[], { limit, skip, total }: { limit: number; skip: number; total: number }) {
  const next = skip + data.length;
  return { data, limit, totalCount: total, ...(data.length > 0 && next < total && { nextOffset: String(next) }) };
}

/** The least whole number of cents that is no less than an amount in USD; nothing for nothing. */
export function centsAtLeast(usd: number | undefined): number | undefined {
  return usd === undefined ? undefined : Math.ceil(Math.round(usd * 10_000) / 100);
}
