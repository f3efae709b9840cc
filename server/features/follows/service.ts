/** Following and ceasing to. */
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

/** Makes it so that the fan follows, or doesn't; again changes nothing. Throws NOT_FOUND for who is no creator, or apart from them. */
export async function setFollow(
  ctx: Context,
  actor: Actor,
  creatorId: string,
  isFollowed: boolean,
): Promise<AnswerOf<typeof follow>> {
  const creator = await store.findCreator(ctx.db, creatorId);
  if (!creator || (creator.is_blocked && isFollowed)) throw new AppError('NOT_FOUND');
  // Whom one does not see any more from here, one may cease to follow.
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

/** Ends a follow, if there is one, in the caller's transaction. */
export async function endFollow(tx: Transaction, fanId: string, creatorId: string, at: Date): Promise<void> {
  const creator = await store.findCreator(tx, creatorId);
  const changed = creator && (await store.setFollow(tx, fanId, creatorId, false, at));
  if (creator && changed !== undefined)
    await tx.emit('follow.changed', { fanId, creatorId, username: creator.username, isFollowed: false });
}
