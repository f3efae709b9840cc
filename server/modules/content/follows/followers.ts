/** A creator's followers, visible to that creator only (row B12). */

import type { listFollowers } from '@stagedoor/contract/content/follows.ts';
import { createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { UserId } from '@stagedoor/contract/shared/ids.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { toAvatarUrl } from '../../identity/accounts/index.ts';
import * as texts from './texts.ts';

type Row = { id: UserId; username: string; name: string; avatar_key: string | null; created_at: Date };
type Query = QueryOf<typeof listFollowers>;

const DAY_MS = 24 * 60 * 60_000;
const MAX_TIME_MS = Date.parse('9999-12-31');
const ORDERS: Record<Query['sortByKey'], Record<Query['sortOrderBy'], string>> = {
  createdAt: { asc: 'f.created_at, f.fan_id', desc: 'f.created_at desc, f.fan_id desc' },
  name: { asc: 'unaccent_lower(u.name), f.fan_id', desc: 'unaccent_lower(u.name) desc, f.fan_id desc' },
};
const DATE_RANGE = 'f.creator_id = $1 and f.created_at >= $2 and f.created_at < $3';

/** Throws VALIDATION for a date range that ends before it begins. */
export async function listOwnFollowers(
  ctx: Context,
  actor: Actor,
  query: Query,
): Promise<ResponseInputOf<typeof listFollowers>> {
  const { sortByKey, sortOrderBy, currentPage, limit, startDate, endDate } = query;
  if (startDate && endDate && endDate < startDate) throw createFieldError('endDate', texts.endDateBeforeStart);
  const from = startDate ? Math.max(0, Date.parse(startDate)) : 0;
  const until = endDate ? Math.min(MAX_TIME_MS, Date.parse(endDate) + DAY_MS) : MAX_TIME_MS;
  const values = [actor.userId, new Date(from), new Date(until)];
  const isByTime = sortByKey === 'createdAt';
  const [rows, countRows] = await Promise.all([
    ctx.db.run<Row>(
      {
        name: `follows-followers-${sortByKey}-${sortOrderBy}`,
        // Sorted by time, the page is selected from the index before any name is read.
        text: isByTime
          ? `with page as (select f.fan_id, f.created_at from follows f where ${DATE_RANGE} order by ${ORDERS.createdAt[sortOrderBy]} offset $4 limit $5)
            select u.id, u.username, u.name, u.avatar_key, f.created_at from page f join users u on u.id = f.fan_id order by ${ORDERS.createdAt[sortOrderBy]}`
          : `select u.id, u.username, u.name, u.avatar_key, f.created_at from follows f join users u on u.id = f.fan_id
            where ${DATE_RANGE} order by ${ORDERS.name[sortOrderBy]} offset $4 limit $5`,
      },
      [...values, (currentPage - 1) * limit, limit],
    ),
    ctx.db.run<{ count: number }>(
      { name: 'follows-followers-count', text: `select count(*) as count from follows f where ${DATE_RANGE}` },
      values,
    ),
  ]);
  return {
    data: rows.map((row) => ({
      id: row.id,
      username: row.username,
      name: row.name,
      avatarUrl: toAvatarUrl(row.avatar_key),
      followedAt: row.created_at.toISOString(),
    })),
    limit,
    currentPage,
    totalRecords: countRows[0]?.count ?? 0,
  };
}
