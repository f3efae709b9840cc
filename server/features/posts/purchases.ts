/** Buying posts, what was bought, and giving back. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { transactionId as toTransactionId } from '@stagedoor/contract/atoms/ids.ts';
import { formatCents, toCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import type { listPurchasedPosts, PostType, unlockPost } from '@stagedoor/contract/posts.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import { cursorOf, readIdOffset } from '../../kernel/offset.ts';
import type { Actor } from '../../kernel/session.ts';
import { charge } from '../sales/index.ts';
import { accessPost } from './access.ts';
import './events.ts';
import { presentPost } from './present.ts';
import * as store from './store.ts';

type Wish = { price: number | undefined; operationId: string };

function priceChanged(post: { price_cents: number }): AppError {
  return new AppError('CONFLICT', { message: `The price has changed to ${formatCents(post.price_cents)}.` });
}

/**
 * Buys a post: charge, purchase and event in one transaction. Who owns it already pays nothing and is answered their first
 * purchase, however often and from wherever they ask.
 * Throws NOT_FOUND, FORBIDDEN (free, or no fan), CONFLICT (the price is not the one they saw), INSUFFICIENT_FUNDS.
 */
export async function buyPost(
  ctx: Context,
  actor: Actor,
  id: string,
  { price, operationId }: Wish,
): Promise<AnswerOf<typeof unlockPost>> {
  const post = await accessPost(ctx.db, actor, id, 'unlock');
  if (price !== undefined && post.purchase_id === null && toCents(price) !== post.price_cents) {
    throw priceChanged(post);
  }
  const charged = await ctx.db.transaction(async (tx) => {
    const sale = await charge(tx, {
      kind: 'post',
      fanId: actor.userId,
      creatorId: post.creator_id,
      grossCents: post.price_cents,
      operationId,
      subjectId: id,
      at: ctx.clock.now(),
    });
    if (sale.outcome === 'made') {
      const { transactionId, netCents } = sale;
      const isSold = await store.insertPurchase(tx, {
        transactionId,
        fanId: actor.userId,
        postId: id,
        priceCents: post.price_cents,
        netCents,
        at: sale.createdAt,
      });
      // Changed or removed since it was looked at: nothing is charged.
      if (!isSold) throw priceChanged(await accessPost(tx, actor, id, 'unlock'));
      await tx.emit('post.unlocked', { postId: id, creatorId: post.creator_id, fanId: actor.userId, transactionId });
    }
    return sale;
  });
  return {
    deposit: toUsd(charged.balanceCents),
    transactionId: charged.transactionId,
    post: presentPost({ ...post, purchase_id: charged.transactionId }, actor.userId),
  };
}

type PurchasedQuery = { limit: number; offset: string; type: 'all' | PostType };

/** What a fan bought and did not hide, newest first; also what was removed since. */
export async function listPurchased(
  ctx: Context,
  actor: Actor,
  { limit, offset, type }: PurchasedQuery,
): Promise<AnswerOf<typeof listPurchasedPosts>> {
  const wanted = type === 'all' ? null : type;
  const page = { ...readIdOffset(offset), limit: limit + 1 };
  const [rows, totalCount] = await Promise.all([
    store.listPurchased(ctx.db, actor.userId, wanted, page),
    store.countPurchased(ctx.db, actor.userId, wanted),
  ]);
  const shown = rows.slice(0, limit);
  const data = shown.map((row) => ({
    purchasedAt: row.purchased_at.toISOString(),
    price: toUsd(row.paid_cents),
    transactionId: z.parse(toTransactionId, row.transaction_id),
    post: presentPost(row, actor.userId),
  }));
  const last = shown.at(-1);
  return {
    data,
    limit,
    totalCount,
    ...(rows.length > limit && last ? { nextOffset: cursorOf(last.transaction_id) } : {}),
  };
}

/** Hides a bought post from the list; the purchase stands. Throws NOT_FOUND when it was not bought. */
export async function hidePurchased(ctx: Context, actor: Actor, postId: string): Promise<void> {
  if (!(await store.hidePurchase(ctx.db, actor.userId, postId, ctx.clock.now()))) throw new AppError('NOT_FOUND');
}

/** Shows a hidden bought post in the list again. Throws NOT_FOUND when it was not bought. */
export async function restorePurchased(ctx: Context, actor: Actor, postId: string): Promise<void> {
  if (!(await store.restorePurchase(ctx.db, actor.userId, postId))) throw new AppError('NOT_FOUND');
}

/** After a sale was given back: wholly, and the post is closed again; partly, and the creator's part of it shrinks. */
export async function returnPurchase(
  ctx: Context,
  sale: { transactionId: string; isWhole: boolean; netCents: number },
): Promise<void> {
  const { transactionId, isWhole, netCents } = sale;
  await ctx.db.transaction(async (tx) => {
    if (!isWhole) return store.shrinkPurchaseNet(tx, transactionId, netCents);
    const closed = await store.revokePurchase(tx, transactionId, ctx.clock.now());
    if (closed) await tx.emit('post.revoked', { postId: closed.post_id, fanId: closed.fan_id, transactionId });
  });
}
