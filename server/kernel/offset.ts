/**
 * The customer's `offset`: a number of rows to skip, or a cursor that a page before handed out as `nextOffset`. A cursor
 * is the last row's place in the list, so that a page costs the same wherever it lies.
 */
import { invalid } from '@stagedoor/contract/atoms/errors.ts';
import { isId } from '@stagedoor/contract/atoms/ids.ts';

export type Offset = { skip: number; after: string | undefined };

/** A cursor of a place; opaque to clients. */
export function cursorOf(place: string): string {
  return `c${Buffer.from(place).toString('base64url')}`;
}

/** Reads an `offset`. Throws VALIDATION for what is neither; what a cursor holds is the caller's to check. */
export function readOffset(offset: string): Offset {
  if (/^\d+$/.test(offset)) return { skip: Number(offset), after: undefined };
  const after = Buffer.from(offset.slice(1), 'base64url').toString();
  if (cursorOf(after) !== offset) throw invalid('offset', 'Invalid offset');
  return { skip: 0, after };
}

/** After every UUID there is: where a list, newest first, begins. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * SQL of what comes after an id, in their order, and of all where the parameter is null. One bound, so that an index begins there: `$1 is
 * null or …` would read all that comes before, page after page.
 */
export const afterId = (key: string, parameter: string) => `${key} > coalesce(${parameter}::uuid, '${FIRST_ID}')`;
/** Likewise of what comes before an id, newest first. */
export const beforeId = (key: string, parameter: string) => `${key} < coalesce(${parameter}::uuid, '${LAST_ID}')`;

/** Nobody goes further down a list of everybody's by numbers, which would be counted past one by one; `nextOffset` goes on from a place. */
export const DEEPEST_SKIP = 1_000;

/** Reads an `offset` of a list in the order of ids, newest first. Throws VALIDATION for any other cursor. */
export function readIdOffset(offset: string): { skip: number; before: string } {
  const { skip, after } = readOffset(offset);
  if (after !== undefined && !isId(after)) throw invalid('offset', 'Invalid offset');
  return { skip, before: after ?? LAST_ID };
}

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
