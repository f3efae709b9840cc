/** What happens after a post changed or its sale was given back: everybody's live feed, the buyer's tabs, the purchase. */
import { postId } from '@stagedoor/contract/atoms/ids.ts';
import { publicPostFeed, publicPostRemoved } from '@stagedoor/contract/posts.ts';
import { postUnlocked } from '@stagedoor/contract/wallet.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import { forgetSights } from '../media/index.ts';
import './events.ts';
import { postUri } from './present.ts';
import { returnPurchase } from './purchases.ts';

export function registerReactions(ctx: Context): void {
  ctx.events.on('post.published', 'posts.live', ({ payload }) => {
    const { postId: id, createdAt, creatorId } = payload;
    ctx.realtime.toPublic(
      publicPostFeed,
      z.parse(publicPostFeed.payload, { id, postUri: postUri(id), createdAt, creatorId }),
    );
  });
  ctx.events.on('post.removed', 'posts.live', ({ payload }) => {
    ctx.realtime.toPublic(publicPostRemoved, { postId: z.parse(postId, payload.postId) });
  });
  ctx.events.on('post.unlocked', 'posts.tabs', ({ payload }) => {
    ctx.realtime.toUser(payload.fanId, postUnlocked, { postId: payload.postId });
  });
  ctx.events.on('sale.refunded', 'posts.return', async ({ payload }) => {
    if (payload.kind !== 'post') return;
    await returnPurchase(ctx, payload);
    forgetSights(ctx);
  });
}
