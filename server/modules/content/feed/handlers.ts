/** Keeps timelines up to date when posts are published or removed and when follows change. */

import type { PostType } from '@stagedoor/contract/content/posts.ts';
import type { Context } from '../../../platform/context.ts';
import { enableFanOutOnRead, FAN_OUT_MAX_FOLLOWERS, findFollowedCreator, isFanOutOnRead } from '../follows/index.ts';
import { markInTimelines } from '../posts/index.ts';
import * as store from './store.ts';

const BATCH_SIZE = 2_000;
const BACKFILL_SIZE = 200;

type FeedPostRef = { postId: string; creatorId: string; type: PostType };

/**
 * Copies a post to the next batch of followers, unless the creator's posts are merged at read time. Returns the cursor
 * for the next batch, or null at the end.
 */
export async function fanOutPost(
  ctx: Context,
  { postId: id, creatorId, type }: FeedPostRef,
  after: string | null,
  maxFollowers = FAN_OUT_MAX_FOLLOWERS,
): Promise<string | null> {
  const next = (await ensureFanOutOnRead(ctx, creatorId, maxFollowers))
    ? null
    : await store.copyToTimelines(ctx.db, { id, creatorId, type }, after, BATCH_SIZE);
  if (next === null) await markInTimelines(ctx.db, id);
  return next;
}

/** Switches a creator with more than `maxFollowers` followers to merging at read time for good. */
async function ensureFanOutOnRead(ctx: Context, creatorId: string, maxFollowers: number): Promise<boolean> {
  if (await isFanOutOnRead(ctx.db, creatorId)) return true;
  const creator = await findFollowedCreator(ctx.db, creatorId);
  if (!creator || creator.follower_count <= maxFollowers) return false;
  await ctx.db.transaction((tx) => enableFanOutOnRead(tx, creatorId));
  return true;
}

/** All jobs of a post share one subject, so that its removal never runs during its fan-out. */
const fanOutOptions = { queue: 'bulk', subject: ({ postId }: { postId: string }) => `feed:${postId}` } as const;

export function registerFeedHandlers(ctx: Context): void {
  ctx.events.addJobHandler('post.published', 'feed.fanOut', fanOutOptions, ({ payload }, { previous }) =>
    fanOutPost(ctx, payload, previous),
  );
  ctx.events.addJobHandler('post.restored', 'feed.fanOutRestored', fanOutOptions, ({ payload }, { previous }) =>
    fanOutPost(ctx, payload, previous),
  );
  ctx.events.addJobHandler(
    'post.removed',
    'feed.removePost',
    fanOutOptions,
    ({ payload: { postId: id, creatorId } }, { previous }) =>
      store.removeFromTimelines(ctx.db, { id, creatorId }, previous, BATCH_SIZE),
  );
  ctx.events.addJobHandler(
    'follow.changed',
    'feed.syncFollow',
    { queue: 'quick', subject: ({ fanId, creatorId }) => `follow:${fanId}:${creatorId}` },
    ({ payload }) =>
      ctx.db.transaction((tx) => store.syncFollowTimeline(tx, payload.fanId, payload.creatorId, BACKFILL_SIZE)),
  );
}
