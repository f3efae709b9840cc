/** Subscriptions that one fan gives another: one period, paid by the giver, which does not renew. */
import type { giftSubscription } from '@stagedoor/contract/content/subscriptions.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { subscriptionId, type UserId } from '@stagedoor/contract/shared/ids.ts';
import { toCents, toDepositBalance } from '@stagedoor/contract/shared/money.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { claimIdempotencyKey } from '../../../platform/database/idempotency.ts';
import { createId } from '../../../platform/ids.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { findUserByLogin } from '../../identity/accounts/index.ts';
import { isBlockedPair } from '../../identity/blocks/index.ts';
import { getWalletBalance, hashRequest } from '../../ledger/ledger/index.ts';
import {
  findOfferedTier,
  findTierCreatorId,
  lockTiers,
  type OfferedTier,
  takeSlot,
} from '../subscription-tiers/index.ts';
import { chargePeriod, chargeSale } from './charge.ts';
import { endSubscription } from './endings.ts';
import './events.ts';
import { grantSubscription } from './grants.ts';
import * as store from './store.ts';
import { hasLapsed, lockCurrent, requireSubscribable } from './subscribable.ts';
import * as texts from './texts.ts';

type GiftBody = BodyOf<typeof giftSubscription>;
type GiftResult = ResponseInputOf<typeof giftSubscription>;

/** One error for all reasons that concern the recipient, so that the giver learns nothing about them. */
const createRecipientRefusal = () => new AppError('CONFLICT', { message: texts.giftNotPossible });

/** Throws VALIDATION if the tier is not offered for this period, CONFLICT if the giver saw another price. */
function getPriceCents(tier: OfferedTier, { recurrence, count, price }: GiftBody): number {
  const option = tier.options.find((each) => each.recurrence === recurrence && each.count === count);
  if (!option) throw createFieldError('recurrence', tier.isFree ? texts.freeTierGift : texts.periodNotOffered);
  const priceCents = toCents(option.price);
  if (toCents(price) !== priceCents) throw new AppError('CONFLICT', { message: texts.termsChanged });
  return priceCents;
}

/**
 * Returns undefined if the recipient is unknown or cannot subscribe to the creator. Throws VALIDATION for the giver's own name.
 */
async function findRecipientId(
  tx: DbTransaction,
  { giverId, creatorId, username }: { giverId: string; creatorId: string; username: string },
): Promise<UserId | undefined> {
  const recipient = await findUserByLogin(tx, username);
  if (recipient?.id === giverId) throw createFieldError('username', texts.giftToYourself);
  const canReceive = recipient?.type === 'customer' && !recipient.is_blocked && !recipient.is_erasing;
  return canReceive && !(await isBlockedPair(tx, recipient.id, creatorId)) ? recipient.id : undefined;
}

type Gift = { id: string; giverId: UserId; tier: OfferedTier; priceCents: number; body: GiftBody };

/**
 * Refuses a gift because of its recipient, unless a gift to anyone else would fail as well (no slot left, no funds, over a
 * limit). A giver whose gift would fail anyway can then not find out who subscribes. Always throws.
 */
async function refuseGift(ctx: Context, tx: DbTransaction, { id, giverId, tier, priceCents }: Gift): Promise<never> {
  await requireSlot(tx, tier.id);
  const row = { id: z.parse(subscriptionId, id), fan_id: giverId, creator_id: tier.creatorId };
  await chargeSale(tx, row, { number: 1, priceCents, at: ctx.clock.now() });
  throw createRecipientRefusal();
}

async function requireSlot(tx: DbTransaction, tierId: string): Promise<void> {
  if (!(await takeSlot(tx, tierId))) throw new AppError('CONFLICT', { message: texts.tierNotOffered });
}

async function startGift(ctx: Context, tx: DbTransaction, gift: Gift, recipientId: UserId): Promise<void> {
  const { id, giverId, tier, priceCents, body } = gift;
  const at = ctx.clock.now();
  const { timeZone, recurrence, count } = body;
  const anchor = { anchor_at: at, time_zone: timeZone, recurrence, recurrence_count: count };
  const paidUntil = await store.getBoundary(tx, anchor, 1);
  const row = {
    ...anchor,
    id: z.parse(subscriptionId, id),
    fan_id: recipientId,
    payer_id: giverId,
    creator_id: tier.creatorId,
    tier_id: tier.id,
    price_cents: priceCents,
    period_number: 1,
    paid_until: paidUntil,
    is_renewing: false,
    due_at: paidUntil,
    started_at: at,
  };
  if (!(await store.insertSubscription(tx, row))) return refuseGift(ctx, tx, gift);
  await requireSlot(tx, tier.id);
  await chargePeriod(tx, row, { number: 1, startsAt: at, endsAt: paidUntil, priceCents, at, payerId: giverId });
  await grantSubscription(tx, row, at);
  const event = { subscriptionId: id, fanId: recipientId, creatorId: tier.creatorId };
  await tx.emit('subscription.started', { ...event, tierName: tier.name, isTrial: false });
  await tx.emit('subscription.gifted', { ...event, giverId, tierName: tier.name, paidUntil: paidUntil.toISOString() });
  await tx.emit('subscription.changed', event);
}

/**
 * Charges the giver and starts the recipient's subscription in one transaction. The same operation id gives once. Throws
 * NOT_FOUND (the creator does not exist for the giver), VALIDATION, CONFLICT, INSUFFICIENT_FUNDS, FORBIDDEN (spending
 * blocked, or over a limit).
 */
export async function giveSubscription(
  ctx: Context,
  { userId: giverId }: Pick<Actor, 'userId'>,
  body: GiftBody,
  operationId: string,
): Promise<GiftResult> {
  const newId = createId(ctx.clock);
  const knownId = await ctx.db.transaction(async (tx) => {
    const requestHash = hashRequest({ call: 'giveSubscription', ...body });
    const earlierId = await claimIdempotencyKey(tx, { actorId: giverId, operationId, requestHash, subjectId: newId });
    if (earlierId) return earlierId;
    const creatorId = await findTierCreatorId(tx, body.tierId);
    if (!creatorId) throw new AppError('NOT_FOUND');
    await requireSubscribable(ctx, tx, giverId, creatorId);
    const recipientId = await findRecipientId(tx, { giverId, creatorId, username: body.username });
    const current = recipientId && (await lockCurrent(tx, recipientId, creatorId, createRecipientRefusal));
    await lockTiers(tx, current ? [current.tier_id, body.tierId] : [body.tierId]);
    const tier = await findOfferedTier(tx, body.tierId);
    if (!tier) throw new AppError('CONFLICT', { message: texts.tierNotOffered });
    const gift = { id: newId, giverId, tier, priceCents: getPriceCents(tier, body), body };
    const at = ctx.clock.now();
    if (!recipientId || (current && !hasLapsed(current, at))) return refuseGift(ctx, tx, gift);
    // The period of an earlier subscription is over, but the job has not ended it yet.
    if (current) await endSubscription(tx, current, { reason: 'canceled', at });
    await startGift(ctx, tx, gift, recipientId);
    return undefined;
  });
  return presentGift(ctx, giverId, knownId ?? newId);
}

async function presentGift(ctx: Context, giverId: string, id: string): Promise<GiftResult> {
  const period = await store.findPeriod(ctx.db, id, 1);
  if (!period) throw new AppError('NOT_FOUND');
  return {
    paidUntil: period.ends_at.toISOString(),
    ...toDepositBalance(await getWalletBalance(ctx.db, giverId)),
    transactionId: period.sale_id,
  };
}
