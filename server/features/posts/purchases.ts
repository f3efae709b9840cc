import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { transactionId as toTransactionId } from '@stagedoor/contract/atoms/ids.ts';
import { formatCents, toBalance, toCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import type { listPurchasedPosts, PostType, unlockPost } from '@stagedoor/contract/posts.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import { cursorOf, readIdOffset } from '../../kernel/offset.ts';
import type { Actor } from '../../kernel/session.ts';
import { type Charge, type Charged, charge, findCharge } from '../sales/index.ts';
import { accessPost } from './access.ts';
import './events.ts';
import type { PostRow } from './hydrate.ts';
import { presentPost } from './present.ts';
import * as store from './store.ts';

/** The post was changed or removed since it was loaded, or a file of it is taken down. */
class NoLongerSold extends Error {}

type Wish = { price: number | undefined; filesRevision: number | undefined; operationId: string };

type Offer = Pick<PostRow, 'price_cents' | 'files_revision'>;

/** A changed price is reported before changed files. */
function changed(seen: Offer, post: Offer): AppError {
  const message =
    seen.price_cents === post.price_cents
      ? 'This post has changed. Please review it before you unlock.'
      : `The price is now ${formatCents(post.price_cents)}.`;
  return new AppError('CONFLICT', { message });
}

function chargeOf(ctx: Context, actor: Actor, post: PostRow, { price, filesRevision, operationId }: Wish): Charge {
  return {
    kind: 'post',
    fanId: actor.userId,
    creatorId: post.creator_id,
    grossCents: post.price_cents,
    operationId,
    subjectId: post.id,
    // A missing revision is left out, so that requests of older clients stay the same.
    request: { price, ...(filesRevision !== undefined && { filesRevision }) },
    at: ctx.clock.now(),
  };
}

/** Charges, stores the purchase and emits the event in one transaction. Throws {@link NoLongerSold}. */
function sellPost(ctx: Context, actor: Actor, post: PostRow, wish: Wish): Promise<Charged> {
  return ctx.db.transaction(async (tx) => {
    const sale = await charge(tx, chargeOf(ctx, actor, post, wish));
    if (sale.outcome === 'made') {
      const { transactionId, netCents } = sale;
      const isSold = await store.insertPurchase(tx, {
        transactionId,
        fanId: actor.userId,
        postId: post.id,
        priceCents: post.price_cents,
        filesRevision: post.files_revision,
        netCents,
        at: sale.createdAt,
      });
      if (!isSold) throw new NoLongerSold();
      await tx.emit('post.unlocked', {
        postId: post.id,
        creatorId: post.creator_id,
        fanId: actor.userId,
        transactionId,
      });
    }
    return sale;
  });
}

type Unlocked = AnswerOf<typeof unlockPost>;

function unlocked(charged: Charged, post: PostRow): Unlocked {
  return { ...toBalance(charged), transactionId: charged.transactionId, post: presentPost(post) };
}

/**
 * A fan who already owns it pays nothing and gets the first purchase. A retry with the same key gets the first
 * response, whatever happened since.
 * Throws NOT_FOUND, FORBIDDEN (free, gifted, subscribed, or the actor is not a fan), CONFLICT (price or files differ
 * from what they saw), INSUFFICIENT_FUNDS.
 */
export async function buyPost(ctx: Context, actor: Actor, id: string, wish: Wish): Promise<Unlocked> {
  try {
    return await buyNow(ctx, actor, id, wish);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const post = await accessPost(ctx.db, actor, id, 'view').catch(() => undefined);
    const charged = post && (await findCharge(ctx.db, chargeOf(ctx, actor, post, wish)));
    if (!charged) throw error;
    return unlocked(charged, post);
  }
}

async function buyNow(ctx: Context, actor: Actor, id: string, wish: Wish): Promise<Unlocked> {
  const post = await accessPost(ctx.db, actor, id, 'unlock');
  const seen = {
    price_cents: wish.price === undefined ? post.price_cents : toCents(wish.price),
    files_revision: wish.filesRevision ?? post.files_revision,
  };
  const isAsSeen = seen.price_cents === post.price_cents && seen.files_revision === post.files_revision;
  if (!isAsSeen && post.entitlement !== 'purchase') throw changed(seen, post);
  if (post.entitlement === 'gift' || post.entitlement === 'subscription')
    throw new AppError('FORBIDDEN', { message: 'You’ve already unlocked this.' });
  const charged = await sellPost(ctx, actor, post, wish).catch(async (error: unknown) => {
    if (!(error instanceof NoLongerSold)) throw error;
    const after = await accessPost(ctx.db, actor, id, 'unlock');
    if (after.price_cents === post.price_cents && after.files_revision === post.files_revision)
      throw new AppError('CONFLICT', { message: 'This post is no longer available.' });
    throw changed(post, after);
  });
  if (charged.outcome !== 'replayed')
    return unlocked(charged, {
      ...post,
      entitlement: 'purchase',
      bought_cents: post.bought_cents ?? post.price_cents,
    });
  return unlocked(charged, await accessPost(ctx.db, actor, id, 'view'));
}

type PurchasedQuery = { limit: number; offset: string; type: 'all' | PostType };

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
    // A post that became free since is still a purchase.
    post: presentPost({ ...row, entitlement: row.entitlement === 'free' ? 'purchase' : row.entitlement }),
  }));
  const last = shown.at(-1);
  return {
    data,
    limit,
    totalCount,
    ...(rows.length > limit && last ? { nextOffset: cursorOf(last.transaction_id) } : {}),
  };
}

/** The purchase stays valid. Throws NOT_FOUND if it was not bought. */
export async function hidePurchased(ctx: Context, actor: Actor, postId: string): Promise<void> {
  if (!(await store.hidePurchase(ctx.db, actor.userId, postId, ctx.clock.now()))) throw new AppError('NOT_FOUND');
}

/** Throws NOT_FOUND if it was not bought. */
export async function restorePurchased(ctx: Context, actor: Actor, postId: string): Promise<void> {
  if (!(await store.restorePurchase(ctx.db, actor.userId, postId))) throw new AppError('NOT_FOUND');
}

/** A full refund ends the purchase, a partial one reduces the creator's part. */
export async function returnPurchase(
  ctx: Context,
  sale: { transactionId: string; isWhole: boolean; netCents: number },
): Promise<void> {
  const { transactionId, isWhole, netCents } = sale;
  if (isWhole) await store.revokePurchase(ctx.db, transactionId, ctx.clock.now());
  else await store.shrinkPurchaseNet(ctx.db, transactionId, netCents);
}
