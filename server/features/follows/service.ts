import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import type { follow } from '@stagedoor/contract/follows.ts';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import { requireSeenHere } from '../../kernel/places.ts';
import type { Actor } from '../../kernel/session.ts';
import { areApart } from '../blocks/index.ts';
import './events.ts';
import * as store from './store.ts';

/** Idempotent. Throws NOT_FOUND for an unknown creator and for a blocked pair. */
export async function setFollow(
  ctx: Context,
  actor: Actor,
  creatorId: string,
  isFollowed: boolean,
): Promise<AnswerOf<typeof follow>> {
  const creator = await store.findCreator(ctx.db, creatorId);
  if (!creator || (creator.is_blocked && isFollowed)) throw new AppError('NOT_FOUND');
  // A fan may unfollow a creator who is hidden in the fan's region.
  if (isFollowed) requireSeenHere(creatorId);
  if (await areApart(ctx.db, actor.userId, creatorId)) throw new AppError('NOT_FOUND');
  const count = await ctx.db.transaction(async (tx) => {
    const followers = await store.setFollow(tx, actor.userId, creatorId, isFollowed, ctx.clock.now());
    if (followers === undefined) requireSeenHere(creatorId);
    if (followers !== undefined)
      await tx.emit('follow.changed', { fanId: actor.userId, creatorId, username: creator.username, isFollowed });
    return followers;
  });
  return { isFollowed, totalFollowersCount: count ?? creator.follower_count };
}

export async function endFollow(tx: Transaction, fanId: string, creatorId: string, at: Date): Promise<void> {
  const creator = await store.findCreator(tx, creatorId);
  const changed = creator && (await store.setFollow(tx, fanId, creatorId, false, at));
  if (creator && changed !== undefined)
    await tx.emit('follow.changed', { fanId, creatorId, username: creator.username, isFollowed: false });
}
