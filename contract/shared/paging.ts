import * as z from 'zod/mini';

export const PAGE_SIZES = [10, 30, 50] as const;
export const DEFAULT_PAGE_SIZE = 10;

export const limit = z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(50)), DEFAULT_PAGE_SIZE);

/** Number of rows to skip, or a cursor from `nextOffset`. */
export const offset = z._default(
  z.string().check(z.regex(/^(?:\d{1,7}|c[A-Za-z0-9_-]{8,200})$/, 'Invalid offset')),
  '0',
);

export const pageQuery = z.object({ limit, offset });

/**
 * In a creator search `totalCount` is the number of results so far, plus one if there are more. `nextOffset` is absent
 * on the last page.
 */
export function toPageSchema<T extends z.ZodMiniType>(item: T) {
  return z.object({
    data: z.array(item),
    limit: z.number(),
    totalCount: z.number(),
    nextOffset: z.optional(z.string()),
  });
}
