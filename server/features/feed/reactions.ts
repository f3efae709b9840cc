/** Keeps timelines true: posts go to followers as they are published, and follows bring and take a creator's latest. */

import { postId, userId } from '@stagedoor/contract/atoms/ids.ts';
import { postType } from '@stagedoor/contract/posts.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import { job } from '../../kernel/jobs.ts';
import { findCreator, isWide, WIDE_FOLLOWERS, widen } from '../follows/index.ts';
import * as store from './store.ts';

const BATCH = 2_000;
/** How much of the past a new follow brings. */
const BACKFILL = 200;

const target = { postId, creatorId: userId, after: z.nullable(userId) };
const fanOutJob = job('feed.fanOut', z.object({ ...target, type: postType }));
const withdrawJob = job('feed.withdraw', z.object(target));

type FanOut = z.infer<typeof fanOutJob.payload>;
type Withdraw = z.infer<typeof withdrawJob.payload>;

async function fanOut(ctx: Context, { postId: id, creatorId, type, after }: FanOut): Promise<void> {
  const next = await store.fanOut(ctx.db, { id, creatorId, type }, after, BATCH);
  if (next) await ctx.jobs.add(ctx.db, fanOutJob, { postId: id, creatorId, type, after: next });
}

async function withdraw(ctx: Context, { postId: id, creatorId, after }: Withdraw): Promise<void> {
  const next = await store.withdraw(ctx.db, { id, creatorId }, after, BATCH);
  if (next) await ctx.jobs.add(ctx.db, withdrawJob, { postId: id, creatorId, after: next });
}

/** Sends a new post to the creator's followers: the first batch at once, the rest as jobs; to nobody when merged at read. */
export async function distribute(
  ctx: Context,
  post: Omit<FanOut, 'after'>,
  wideFollowers = WIDE_FOLLOWERS,
): Promise<void> {
  if (await isWide(ctx.db, post.creatorId)) return;
  const creator = await findCreator(ctx.db, post.creatorId);
  if (creator && creator.follower_count > wideFollowers) return ctx.db.transaction((tx) => widen(tx, post.creatorId));
  return fanOut(ctx, { ...post, after: null });
}

export function registerReactions(ctx: Context): void {
  ctx.jobs.define(fanOutJob, (payload) => fanOut(ctx, payload));
  ctx.jobs.define(withdrawJob, (payload) => withdraw(ctx, payload));

  const published = z.object({ postId, creatorId: userId, type: postType });
  const removed = z.object({ postId, creatorId: userId });
  ctx.events.on('post.published', 'feed.fanOut', ({ payload }) => distribute(ctx, z.parse(published, payload)));
  ctx.events.on('post.removed', 'feed.withdraw', ({ payload }) =>
    withdraw(ctx, { ...z.parse(removed, payload), after: null }),
  );
  ctx.events.on('follow.changed', 'feed.settle', ({ payload }) =>
    ctx.db.transaction((tx) => store.settleFollow(tx, payload.fanId, payload.creatorId, BACKFILL)),
  );
}
