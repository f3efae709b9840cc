import type { listPurchasedPosts, PostType, unlockPost } from '@stagedoor/contract/content/posts.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { transactionId as toTransactionId } from '@stagedoor/contract/shared/ids.ts';
import { formatCents, toCents, toDepositBalance, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import { parseIdOffset, toCursor } from '../../../platform/database/pagination.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { type ChargeInput, type ChargeResult, chargeFan, findCharge } from '../../commerce/sales/index.ts';
import { accessPost } from './access.ts';
import './events.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { PostRow } from './hydrate.ts';
import { presentPost } from './present.ts';
import * as purchaseStore from './purchase-store.ts';
import * as texts from './texts.ts';

/** The post was changed or removed since it was loaded, or a file of it is taken down. */
class NoLongerForSaleError extends Error {}

type UnlockInput = { price: number | undefined; filesRevision: number | undefined; operationId: string };

type PostOffer = Pick<PostRow, 'price_cents' | 'files_revision'>;

/** A changed price is reported before changed files. */
function createChangedError(seenOffer: PostOffer, post: PostOffer): AppError {
  const message =
    seenOffer.price_cents === post.price_cents
      ? texts.postChangedError
      : formatText(texts.priceChangedError, { price: formatCents(post.price_cents) });
  return new AppError('CONFLICT', { message });
}

function toCharge(
  ctx: Context,
  actor: Actor,
  post: PostRow,
  { price, filesRevision, operationId }: UnlockInput,
): ChargeInput {
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

/** Charges, stores the purchase and emits the event in one transaction. Throws {@link NoLongerForSaleError}. */
function sellPost(ctx: Context, actor: Actor, post: PostRow, input: UnlockInput): Promise<ChargeResult> {
  return ctx.db.transaction(async (tx) => {
    const sale = await chargeFan(tx, toCharge(ctx, actor, post, input));
    if (sale.outcome === 'made') {
      const { transactionId, netCents } = sale;
      const isSold = await purchaseStore.insertPurchase(tx, {
        transactionId,
        fanId: actor.userId,
        postId: post.id,
        priceCents: post.price_cents,
        filesRevision: post.files_revision,
        netCents,
        at: sale.createdAt,
      });
      if (!isSold) throw new NoLongerForSaleError();
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

type UnlockResponse = ResponseInputOf<typeof unlockPost>;

function presentUnlocked(charged: ChargeResult, post: PostRow): UnlockResponse {
  return { ...toDepositBalance(charged), transactionId: charged.transactionId, post: presentPost(post) };
}

/**
 * A fan who already owns it pays nothing and gets the first purchase. A retry with the same key gets the first
 * response, whatever happened since.
 * Throws NOT_FOUND, FORBIDDEN (free, gifted, subscribed, or the actor is not a fan), CONFLICT (price or files differ
 * from what they saw), INSUFFICIENT_FUNDS.
 */
export async function buyPost(ctx: Context, actor: Actor, id: string, input: UnlockInput): Promise<UnlockResponse> {
  try {
    return await purchasePost(ctx, actor, id, input);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const post = await accessPost(ctx.db, actor, id, 'view').catch(() => undefined);
    const charged = post && (await findCharge(ctx.db, toCharge(ctx, actor, post, input)));
    if (!charged) throw error;
    return presentUnlocked(charged, post);
  }
}

async function purchasePost(ctx: Context, actor: Actor, id: string, input: UnlockInput): Promise<UnlockResponse> {
  const post = await accessPost(ctx.db, actor, id, 'unlock');
  const seenOffer = {
    price_cents: input.price === undefined ? post.price_cents : toCents(input.price),
    files_revision: input.filesRevision ?? post.files_revision,
  };
  const isUnchanged = seenOffer.price_cents === post.price_cents && seenOffer.files_revision === post.files_revision;
  if (!isUnchanged && post.entitlement !== 'purchase') throw createChangedError(seenOffer, post);
  if (post.entitlement === 'gift' || post.entitlement === 'subscription')
    throw new AppError('FORBIDDEN', { message: texts.alreadyUnlocked });
  const charged = await sellPost(ctx, actor, post, input).catch(async (error: unknown) => {
    if (!(error instanceof NoLongerForSaleError)) throw error;
    const after = await accessPost(ctx.db, actor, id, 'unlock');
    if (after.price_cents === post.price_cents && after.files_revision === post.files_revision)
      throw new AppError('CONFLICT', { message: texts.postUnavailable });
    throw createChangedError(post, after);
  });
  if (charged.outcome !== 'replayed')
    return presentUnlocked(charged, {
      ...post,
      entitlement: 'purchase',
      bought_cents: post.bought_cents ?? post.price_cents,
    });
  return presentUnlocked(charged, await accessPost(ctx.db, actor, id, 'view'));
}

type PurchasedQuery = { limit: number; offset: string; type: 'all' | PostType };

export async function viewPurchasedPosts(
  ctx: Context,
  actor: Actor,
  { limit, offset, type }: PurchasedQuery,
): Promise<ResponseInputOf<typeof listPurchasedPosts>> {
  const postType = type === 'all' ? null : type;
  const page = { ...parseIdOffset(offset), limit: limit + 1 };
  const [rows, totalCount] = await Promise.all([
    purchaseStore.queryPurchasedPosts(ctx.db, actor.userId, postType, page),
    purchaseStore.countPurchased(ctx.db, actor.userId, postType),
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
    ...(rows.length > limit && last ? { nextOffset: toCursor(last.transaction_id) } : {}),
  };
}

/** The purchase stays valid. Throws NOT_FOUND if it was not bought. */
export async function hidePurchased(ctx: Context, actor: Actor, postId: string): Promise<void> {
  if (!(await purchaseStore.hidePurchase(ctx.db, actor.userId, postId, ctx.clock.now())))
    throw new AppError('NOT_FOUND');
}

/** Throws NOT_FOUND if it was not bought. */
export async function restorePurchased(ctx: Context, actor: Actor, postId: string): Promise<void> {
  if (!(await purchaseStore.restorePurchase(ctx.db, actor.userId, postId))) throw new AppError('NOT_FOUND');
}

/** A full refund ends the purchase, a partial one reduces the creator's part. */
export async function applyPostRefund(
  ctx: Context,
  sale: { transactionId: string; isWhole: boolean; netCents: number },
): Promise<void> {
  const { transactionId, isWhole, netCents } = sale;
  if (isWhole) await purchaseStore.revokePurchase(ctx.db, transactionId, ctx.clock.now());
  else await purchaseStore.reducePurchaseNet(ctx.db, transactionId, netCents);
}
