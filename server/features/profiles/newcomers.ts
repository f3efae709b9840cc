/** The newcomers who have a place of the front page today, by lot (contract/fair-share.ts). The same for everybody, page after page. */
import { FAIR_SHARE } from '@stagedoor/contract/fair-share.ts';
import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Somebody who publishes their first work is in the draw within this. */
const KNOWN_MS = 60_000;

/** Ids say when they were made, so the index of the newest finds them. */
const NEWCOMERS: Statement = {
  name: 'profiles-newcomers',
  text: `select c.user_id as id from creators c
    where c.is_listed and c.is_verified and c.user_id > $1::uuid and c.post_count > 0 and c.follower_count <= $2::int
    order by md5($3::text || c.user_id::text) limit $4::int`,
};

/** The least id of an instant (UUIDv7, RFC 9562). */
function idFrom(at: number): string {
  const hex = Math.max(0, at).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

const known = new WeakMap<Context, { until: number; day: string; ids: Promise<readonly string[]> }>();

export function newcomersOf(ctx: Context): Promise<readonly string[]> {
  const now = ctx.clock.now();
  const day = now.toISOString().slice(0, 10);
  const before = known.get(ctx);
  if (before && before.day === day && now.getTime() < before.until) return before.ids;
  const since = idFrom(Math.floor(now.getTime() / DAY_MS) * DAY_MS - FAIR_SHARE.days * DAY_MS);
  const ids = ctx.db
    .run<{ id: string }>(NEWCOMERS, [since, FAIR_SHARE.followers, day, FAIR_SHARE.most])
    .then((rows) => rows.map(({ id }) => id));
  known.set(ctx, { until: now.getTime() + KNOWN_MS, day, ids });
  ids.catch(() => known.delete(ctx));
  return ids;
}
