import {
  postAudienceChanged,
  postPriceChanged,
  postUnlocked,
  publicPostFeed,
  publicPostRemoved,
} from '@stagedoor/contract/content/posts.ts';
import { postId } from '@stagedoor/contract/shared/ids.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { listBlockedFanIds } from '../../identity/blocks/index.ts';
import { emitToWatchers } from '../../identity/presence/index.ts';
import { invalidateMediaAccess } from '../media/index.ts';
import './events.ts';
import { toPostUri } from './present.ts';
import { applyPostRefund } from './purchases.ts';
import { releaseFiles } from './release-files.ts';
import { leaveDeletedTier } from './tier-deletion.ts';

const FIND_SHOWN_PRICE: SqlStatement = {
  name: 'posts-shown-price',
  text: 'select price_cents as "priceCents" from posts where id = $1 and removed_at is null',
};

const toPostSubject = ({ postId: id }: { postId: string }) => `post:${id}`;

export function registerPostHandlers(ctx: Context): void {
  ctx.events.addBroadcastHandler('post.published', 'posts.emitFeed', toPostSubject, async ({ payload }) => {
    const { postId: id, createdAt, creatorId } = payload;
    ctx.realtime.emitToAll(
      publicPostFeed,
      z.parse(publicPostFeed.payload, { id, postUri: toPostUri(id), createdAt, creatorId }),
      // Fans in a blocked pair with the creator must not learn that a post was published.
      { id: creatorId, exceptUserIds: await listBlockedFanIds(ctx.db, creatorId) },
    );
  });
  ctx.events.addBroadcastHandler('post.removed', 'posts.emitFeed', toPostSubject, async ({ payload }) => {
    const { creatorId } = payload;
    // Fans in a blocked pair never saw the post, so they must not learn of its removal either.
    const emitSubject = { id: creatorId, exceptUserIds: await listBlockedFanIds(ctx.db, creatorId) };
    ctx.realtime.emitToAll(publicPostRemoved, { postId: z.parse(postId, payload.postId) }, emitSubject);
  });
  ctx.events.addBroadcastHandler('post.priceChanged', 'posts.emitPrice', toPostSubject, async ({ payload }) => {
    const [post] = await ctx.db.run<{ priceCents: number }>(FIND_SHOWN_PRICE, [payload.postId]);
    if (!post) return;
    const price = { postId: z.parse(postId, payload.postId), price: toUsd(post.priceCents) };
    emitToWatchers(ctx, payload.creatorId, postPriceChanged, price);
  });
  ctx.events.addBroadcastHandler(
    'post.audienceChanged',
    'posts.emitAudience',
    ({ creatorId }) => `posts:${creatorId}`,
    ({ payload: { creatorId, postIds } }) =>
      emitToWatchers(ctx, creatorId, postAudienceChanged, z.parse(postAudienceChanged.payload, { postIds })),
  );
  ctx.events.addJobHandler(
    'subscriptionTier.deleted',
    'posts.leaveTier',
    { queue: 'quick', subject: ({ tierId }) => `tier:${tierId}` },
    ({ payload }, { previous }) => leaveDeletedTier(ctx, payload, previous),
  );
  ctx.events.addBroadcastHandler('post.unlocked', 'posts.emitUnlocked', toPostSubject, ({ payload }) => {
    ctx.realtime.emitToUser(payload.fanId, postUnlocked, { postId: payload.postId });
  });
  const invalidate = () => invalidateMediaAccess(ctx);
  for (const type of ['post.removed', 'post.audienceChanged'] as const)
    ctx.events.addLocalHandler(type, 'posts.invalidateMediaAccess', invalidate, invalidate);
  ctx.events.addJobHandler(
    'post.removed',
    'posts.releaseFiles',
    { queue: 'quick', subject: toPostSubject },
    ({ payload }) => releaseFiles(ctx, payload.postId),
  );
  ctx.events.addJobHandler(
    'sale.refunded',
    'posts.applyRefund',
    { queue: 'money', subject: ({ transactionId }) => `sale:${transactionId}`, filter: ({ kind }) => kind === 'post' },
    ({ payload }) => applyPostRefund(ctx, payload),
  );
}
