/** Keeps timelines up to date when posts are published or removed and when follows change. */

import type { PostType } from '@stagedoor/contract/posts.ts';
import type { Context } from '../../kernel/context.ts';
import { findCreator, isWide, WIDE_FOLLOWERS, widen } from '../follows/index.ts';
import { markInTimelines } from '../posts/index.ts';
import * as store from './store.ts';

const BATCH = 2_000;
const BACKFILL = 200;

type Post = { postId: string; creatorId: string; type: PostType };

/**
 * Copies a post to the next batch of followers, unless the creator's posts are merged at read time. Returns the cursor
 * for the next batch, or null at the end.
 */
export async function distribute(
  ctx: Context,
  { postId: id, creatorId, type }: Post,
  after: string | null,
  wideFollowers = WIDE_FOLLOWERS,
): Promise<string | null> {
  const next = (await isMerged(ctx, creatorId, wideFollowers))
    ? null
    : await store.fanOut(ctx.db, { id, creatorId, type }, after, BATCH);
  if (next === null) await markInTimelines(ctx.db, id);
  return next;
}

/** Switches a creator with more than `wideFollowers` followers to merging at read time for good. */
async function isMerged(ctx: Context, creatorId: string, wideFollowers: number): Promise<boolean> {
  if (await isWide(ctx.db, creatorId)) return true;
  const creator = await findCreator(ctx.db, creatorId);
  if (!creator || creator.follower_count <= wideFollowers) return false;
  await ctx.db.transaction((tx) => widen(tx, creatorId));
  return true;
}

/** All jobs of a post share one subject, so that its removal never runs during its fan-out. */
const ofPost = { lane: 'bulk', subject: ({ postId }: { postId: string }) => `feed:${postId}` } as const;

export function registerReactions(ctx: Context): void {
  ctx.events.do('post.published', 'feed.fanOut', ofPost, ({ payload }, { from }) => distribute(ctx, payload, from));
  ctx.events.do('post.restored', 'feed.fanOutAgain', ofPost, ({ payload }, { from }) => distribute(ctx, payload, from));
  ctx.events.do('post.removed', 'feed.withdraw', ofPost, ({ payload: { postId: id, creatorId } }, { from }) =>
    store.withdraw(ctx.db, { id, creatorId }, from, BATCH),
  );
  ctx.events.do(
    'follow.changed',
    'feed.settle',
    { lane: 'quick', subject: ({ fanId, creatorId }) => `follow:${fanId}:${creatorId}` },
    ({ payload }) => ctx.db.transaction((tx) => store.settleFollow(tx, payload.fanId, payload.creatorId, BACKFILL)),
  );
}
