/** Lists: page sizes, and the customer's `offset`, which may be a number or an opaque cursor from `nextOffset`. */
import * as z from 'zod/mini';

export const PAGE_SIZES = [10, 30, 50] as const;
export const DEFAULT_PAGE_SIZE = 10;

/** `limit` from a query string: 1 to 50, 10 when absent. */
export const limit = z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(50)), DEFAULT_PAGE_SIZE);

/** `offset` from a query string: a whole number of rows to skip, or a cursor handed out as `nextOffset`. */
export const offset = z._default(
  z.string().check(z.regex(/^(?:\d{1,7}|c[A-Za-z0-9_-]{8,200})$/, 'Invalid offset')),
  '0',
);

/** The query of a paged list. */
export const pageQuery = z.object({ limit, offset });

/** A page of `item`. `totalCount` counts the whole list (of a search for creators: what came so far, and one more if there is more); `nextOffset` is absent on the last page. */
export function pageOf<T extends z.ZodMiniType>(item: T) {
  return z.object({
    data: z.array(item),
    limit: z.number(),
    totalCount: z.number(),
    nextOffset: z.optional(z.string()),
  });
}
