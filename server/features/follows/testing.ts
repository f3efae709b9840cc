/** Makers for tests and benches: fans who follow, one by one or by the hundred thousand. */
import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import './events.ts';
import * as store from './store.ts';

/** Lets a fan follow a creator, as the call does. */
export async function makeFollow(ctx: Context, fanId: string, creatorId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const creator = await store.findCreator(tx, creatorId);
    const count = await store.setFollow(tx, fanId, creatorId, true, ctx.clock.now());
    if (creator && count !== undefined)
      await tx.emit('follow.changed', { fanId, creatorId, username: creator.username, isFollowed: true });
  });
}

const BULK: Statement = {
  name: 'testing-bulk-follows',
  text: `insert into follows (fan_id, creator_id, created_at) select fan_id, creator_id, $3
    from unnest($1::uuid[]) fan_id cross join unnest($2::uuid[]) creator_id on conflict do nothing`,
};

/** Lets every fan follow every creator, without telling anybody; counts are set afterwards. */
export async function makeFollows(
  ctx: Context,
  fanIds: readonly string[],
  creatorIds: readonly string[],
): Promise<void> {
  await ctx.db.run(BULK, [fanIds, creatorIds, ctx.clock.now()]);
  await ctx.db.query
    .updateTable('creators')
    .set((eb) => ({
      follower_count: eb
        .selectFrom('follows')
        .whereRef('follows.creator_id', '=', 'creators.user_id')
        .select(eb.fn.countAll<number>().as('n')),
    }))
    .where('user_id', 'in', [...creatorIds])
    .execute();
}
