import type { Context } from '../../../platform/context.ts';
import './events.ts';
import * as store from './store.ts';

export async function createFollow(ctx: Context, fanId: string, creatorId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const creator = await store.findFollowedCreator(tx, creatorId);
    const count = await store.writeFollow(tx, fanId, creatorId, true, ctx.clock.now());
    if (creator && count !== undefined)
      await tx.emit('follow.changed', { fanId, creatorId, username: creator.username, isFollowed: true });
  });
}
