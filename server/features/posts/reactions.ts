import { postId } from '@stagedoor/contract/atoms/ids.ts';
import { postUnlocked, publicPostFeed, publicPostRemoved } from '@stagedoor/contract/posts.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import { fansApart } from '../blocks/index.ts';
import { forgetSights } from '../media/index.ts';
import './events.ts';
import { giveBack } from './give-back.ts';
import { postUri } from './present.ts';
import { returnPurchase } from './purchases.ts';

const ofPost = ({ postId: id }: { postId: string }) => `post:${id}`;

export function registerReactions(ctx: Context): void {
  ctx.events.tell('post.published', 'posts.live', ofPost, async ({ payload }) => {
    const { postId: id, createdAt, creatorId } = payload;
    ctx.realtime.toPublic(
      publicPostFeed,
      z.parse(publicPostFeed.payload, { id, postUri: postUri(id), createdAt, creatorId }),
      // Fans in a blocked pair with the creator must not learn that a post was published.
      { id: creatorId, but: await fansApart(ctx.db, creatorId) },
    );
  });
  ctx.events.tell('post.removed', 'posts.live', ofPost, async ({ payload }) => {
    const { creatorId } = payload;
    // Fans in a blocked pair never saw the post, so they must not learn of its removal either.
    const about = { id: creatorId, but: await fansApart(ctx.db, creatorId) };
    ctx.realtime.toPublic(publicPostRemoved, { postId: z.parse(postId, payload.postId) }, about);
  });
  ctx.events.tell('post.unlocked', 'posts.tabs', ofPost, ({ payload }) => {
    ctx.realtime.toUser(payload.fanId, postUnlocked, { postId: payload.postId });
  });
  const forget = () => forgetSights(ctx);
  ctx.events.everywhere('post.removed', 'posts.forgetSights', forget, forget);
  ctx.events.do('post.removed', 'posts.giveBack', { lane: 'quick', subject: ofPost }, ({ payload }) =>
    giveBack(ctx, payload.postId),
  );
  ctx.events.do(
    'sale.refunded',
    'posts.return',
    { lane: 'money', subject: ({ transactionId }) => `sale:${transactionId}`, when: ({ kind }) => kind === 'post' },
    ({ payload }) => returnPurchase(ctx, payload),
  );
}
