/**
 * Pagination by the customer's `offset`: a number of rows to skip, or a cursor from `nextOffset`. A cursor is the
 * position of the last row, so that every page costs the same.
 */
import { createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';

export type ParsedOffset = { skip: number; after: string | undefined };

export function toCursor(position: string): string {
  return `c${Buffer.from(position).toString('base64url')}`;
}

/**
 * Parses an `offset`. Throws VALIDATION when it is neither number nor cursor. The caller validates the content of the
 * cursor.
 */
export function parseOffset(offset: string): ParsedOffset {
  if (/^\d+$/.test(offset)) return { skip: Number(offset), after: undefined };
  const after = Buffer.from(offset.slice(1), 'base64url').toString();
  if (toCursor(after) !== offset) throw createFieldError('offset', 'Invalid offset');
  return { skip: 0, after };
}

export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * SQL condition for rows after an id, or for all rows when the parameter is null. `$1 is null or …` would read all
 * earlier rows.
 */
export const afterIdSql = (key: string, parameter: string) => `${key} > coalesce(${parameter}::uuid, '${FIRST_ID}')`;
export const beforeIdSql = (key: string, parameter: string) => `${key} < coalesce(${parameter}::uuid, '${LAST_ID}')`;

/** Limit for skipping rows of public lists, which are read one by one. Cursors go on without limit. */
export const MAX_SKIP = 1_000;

/** Parses an `offset` of a list ordered by id, newest first. Throws VALIDATION for any other cursor. */
export function parseIdOffset(offset: string): { skip: number; before: string } {
  const { skip, after } = parseOffset(offset);
  if (after !== undefined && !isId(after)) throw createFieldError('offset', 'Invalid offset');
  return { skip, before: after ?? LAST_ID };
}

/** Parses an `offset` of a list without cursors. Throws VALIDATION for a cursor. */
export function parseSkip(offset: string): number {
  if (!/^\d+$/.test(offset)) throw createFieldError('offset', 'Invalid offset');
  return Number(offset);
}

export function toOffsetPage<T>(data: T[], { limit, skip, total }: { limit: number; skip: number; total: number }) {
  const next = skip + data.length;
  return { data, limit, totalCount: total, ...(data.length > 0 && next < total && { nextOffset: String(next) }) };
}
