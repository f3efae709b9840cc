/**
 * New creators who have a slot on the front page today, drawn by lot (contract/fair-share.ts). The draw is the same for
 * everyone.
 */
import type { UserId } from '@stagedoor/contract/atoms/ids.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import { FAIR_SHARE } from '@stagedoor/contract/fair-share.ts';
import { DRAWN_SHOWN, type newcomersDraw } from '@stagedoor/contract/newcomers-desk.ts';
import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';

const DAY_MS = 24 * 60 * 60_000;
/** A creator's first work enters the draw within this time. */
const KNOWN_MS = 60_000;

/** $1 smallest id of recent sign-ups (ids contain their time), $2 maximum followers, $3 day that seeds the draw. */
const IN_DRAW = `creators c where c.is_listed and c.is_verified and c.user_id > $1::uuid and c.post_count > 0 and c.follower_count <= $2::int`;
const BY_LOT = 'md5($3::text || c.user_id::text)';
const NEWCOMERS: Statement = {
  name: 'profiles-newcomers',
  text: `select c.user_id as id from ${IN_DRAW} order by ${BY_LOT} limit $4::int`,
};
const DRAW: Statement = {
  name: 'profiles-draw',
  text: `select d.*, u.username, u.name, u.created_at from (
      select c.user_id as id, c.follower_count, c.post_count, count(*) over () as count, row_number() over (order by ${BY_LOT}) as turn
        from ${IN_DRAW} order by turn limit $4::int) d
    join users u on u.id = d.id order by d.turn`,
};

/** Returns the smallest UUIDv7 of an instant (RFC 9562). */
function idFrom(at: number): string {
  const hex = Math.max(0, at).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

const known = new WeakMap<Context, { until: number; day: string; ids: Promise<readonly string[]> }>();

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

function drawAt(now: Date): [since: string, followers: number, day: string] {
  const since = Math.floor(now.getTime() / DAY_MS) * DAY_MS - FAIR_SHARE.days * DAY_MS;
  return [idFrom(since), FAIR_SHARE.followers, dayOf(now)];
}

export function newcomersOf(ctx: Context): Promise<readonly string[]> {
  const now = ctx.clock.now();
  const day = dayOf(now);
  const before = known.get(ctx);
  if (before && before.day === day && now.getTime() < before.until) return before.ids;
  const ids = ctx.db
    .run<{ id: string }>(NEWCOMERS, [...drawAt(now), FAIR_SHARE.most])
    .then((rows) => rows.map(({ id }) => id));
  known.set(ctx, { until: now.getTime() + KNOWN_MS, day, ids });
  ids.catch(() => known.delete(ctx));
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

export async function viewDraw(ctx: Context): Promise<AnswerOf<typeof newcomersDraw>> {
  const now = ctx.clock.now();
  const rows = await ctx.db.run<Row>(DRAW, [...drawAt(now), DRAWN_SHOWN]);
  return {
    day: dayOf(now),
    count: rows[0]?.count ?? 0,
    data: rows.map(({ id, username, name, created_at, follower_count, post_count }, index) => ({
      id,
      username,
      name,
      joinedAt: created_at.toISOString(),
      followerCount: follower_count,
      postCount: post_count,
      place: index < FAIR_SHARE.most ? (index + 1) * FAIR_SHARE.every : null,
    })),
  };
}
