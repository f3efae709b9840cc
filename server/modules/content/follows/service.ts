import type { followCreator } from '@stagedoor/contract/content/follows.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { requireNotGeoBlocked } from '../../../platform/geo.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { isBlockedPair } from '../../identity/blocks/index.ts';
import './events.ts';
import * as store from './store.ts';

/** Idempotent. Throws NOT_FOUND for an unknown creator and for a blocked pair. */
export async function updateFollow(
  ctx: Context,
  actor: Actor,
  creatorId: string,
  isFollowed: boolean,
): Promise<ResponseInputOf<typeof followCreator>> {
  const creator = await store.findFollowedCreator(ctx.db, creatorId);
  if (!creator || (creator.is_blocked && isFollowed)) throw new AppError('NOT_FOUND');
  // A fan may unfollow a creator who is hidden in the fan's region.
  if (isFollowed) requireNotGeoBlocked(creatorId);
  if (await isBlockedPair(ctx.db, actor.userId, creatorId)) throw new AppError('NOT_FOUND');
  const count = await ctx.db.transaction(async (tx) => {
    const followers = await store.writeFollow(tx, actor.userId, creatorId, isFollowed, ctx.clock.now());
    if (followers === undefined) requireNotGeoBlocked(creatorId);
    if (followers !== undefined)
      await tx.emit('follow.changed', { fanId: actor.userId, creatorId, username: creator.username, isFollowed });
    return followers;
  });
  return { isFollowed, totalFollowersCount: count ?? creator.follower_count };
}

export async function removeFollow(tx: DbTransaction, fanId: string, creatorId: string, at: Date): Promise<void> {
  const creator = await store.findFollowedCreator(tx, creatorId);
  const changed = creator && (await store.writeFollow(tx, fanId, creatorId, false, at));
  if (creator && changed !== undefined)
    await tx.emit('follow.changed', { fanId, creatorId, username: creator.username, isFollowed: false });
}
