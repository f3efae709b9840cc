/** Makers for benches: timelines written in bulk, as fan-out would have. */
import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';

const BULK: Statement = {
  name: 'testing-bulk-timelines',
  text: `insert into timelines (fan_id, post_id, creator_id, type)
    select f.fan_id, p.id, p.creator_id, p.type from unnest($1::uuid[]) fan (id) join follows f on f.fan_id = fan.id
      cross join lateral (select id, creator_id, type from posts where creator_id = f.creator_id and removed_at is null order by id desc limit $2) p
    on conflict do nothing`,
};

/** Fills the timelines of these fans with the latest `perCreator` posts of each creator whom they follow. */
export async function makeTimelines(ctx: Context, fanIds: readonly string[], perCreator = 200): Promise<void> {
  await ctx.db.run(BULK, [fanIds, perCreator]);
}
