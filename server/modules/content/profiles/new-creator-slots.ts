/**
 * New creators who have a slot on the front page today, drawn by lot (contract/content/new-creator-slots.ts). The draw is the same for
 * everyone.
 */

import { CANDIDATES_SHOWN, type getNewCreatorSlots } from '@stagedoor/contract/admin/new-creator-slots.ts';
import { NEW_CREATOR_SLOTS } from '@stagedoor/contract/content/new-creator-slots.ts';
import type { UserId } from '@stagedoor/contract/shared/ids.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';

const DAY_MS = 24 * 60 * 60_000;
/** A creator's first work enters the draw within this time. */
const CACHE_TTL_MS = 60_000;

/** $1 smallest id of recent sign-ups (ids contain their time), $2 maximum followers, $3 day that seeds the draw. */
const IN_DRAW = `creators c where c.is_listed and c.is_verified and c.user_id > $1::uuid and c.post_count > 0 and c.follower_count <= $2::int`;
const DRAW_ORDER = 'md5($3::text || c.user_id::text)';
const LIST_DRAWN_IDS: SqlStatement = {
  name: 'profiles-new-creators',
  text: `select c.user_id as id from ${IN_DRAW} order by ${DRAW_ORDER} limit $4::int`,
};
const LIST_DRAWN_CREATORS: SqlStatement = {
  name: 'profiles-draw',
  text: `select d.*, u.username, u.name, u.created_at from (
      select c.user_id as id, c.follower_count, c.post_count, count(*) over () as count, row_number() over (order by ${DRAW_ORDER}) as turn
        from ${IN_DRAW} order by turn limit $4::int) d
    join users u on u.id = d.id order by d.turn`,
};

/** Returns the smallest UUIDv7 of an instant (RFC 9562). */
function toMinId(at: number): string {
  const hex = Math.max(0, at).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

const cacheByContext = new WeakMap<Context, { until: number; day: string; ids: Promise<readonly string[]> }>();

const toDay = (at: Date) => at.toISOString().slice(0, 10);

function toDrawParameters(now: Date): [since: string, followers: number, day: string] {
  const since = Math.floor(now.getTime() / DAY_MS) * DAY_MS - NEW_CREATOR_SLOTS.days * DAY_MS;
  return [toMinId(since), NEW_CREATOR_SLOTS.followers, toDay(now)];
}

export function listNewCreators(ctx: Context): Promise<readonly string[]> {
  const now = ctx.clock.now();
  const day = toDay(now);
  const cached = cacheByContext.get(ctx);
  if (cached && cached.day === day && now.getTime() < cached.until) return cached.ids;
  const ids = ctx.db
    .run<{ id: string }>(LIST_DRAWN_IDS, [...toDrawParameters(now), NEW_CREATOR_SLOTS.max])
    .then((rows) => rows.map(({ id }) => id));
  cacheByContext.set(ctx, { until: now.getTime() + CACHE_TTL_MS, day, ids });
  ids.catch(() => cacheByContext.delete(ctx));
  return ids;
}

type Row = {
  id: UserId;
  username: string;
  name: string;
  created_at: Date;
  follower_count: number;
  post_count: number;
  count: number;
};

export async function getNewCreatorDraw(ctx: Context): Promise<ResponseInputOf<typeof getNewCreatorSlots>> {
  const now = ctx.clock.now();
  const rows = await ctx.db.run<Row>(LIST_DRAWN_CREATORS, [...toDrawParameters(now), CANDIDATES_SHOWN]);
  return {
    day: toDay(now),
    count: rows[0]?.count ?? 0,
    data: rows.map(({ id, username, name, created_at, follower_count, post_count }, index) => ({
      id,
      username,
      name,
      joinedAt: created_at.toISOString(),
      followerCount: follower_count,
      postCount: post_count,
      slot: index < NEW_CREATOR_SLOTS.max ? (index + 1) * NEW_CREATOR_SLOTS.every : null,
    })),
  };
}
