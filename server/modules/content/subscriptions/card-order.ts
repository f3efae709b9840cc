/** Orders a subscription that a card pays. It starts when the processor reports the first payment (card-payments.ts). */
import { getCardPeriodDays, getCardPrice } from '@stagedoor/contract/content/card-prices.ts';
import type { subscribeByCard as subscribeByCardRoute } from '@stagedoor/contract/content/subscriptions.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { asCents, toCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { BodyOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import { claimIdempotencyKey } from '../../../platform/database/idempotency.ts';
import { createId } from '../../../platform/ids.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { getStartedPayment, type StartedPayment, startRecurringPayment } from '../../commerce/deposits/index.ts';
import { hashRequest } from '../../ledger/ledger/index.ts';
import { findOfferedTier, findTierCreatorId, hasSlot, lockTiers } from '../subscription-tiers/index.ts';
import { deleteCardOrders, insertCardOrder } from './card-store.ts';
import * as store from './store.ts';
import { requireSubscribable } from './subscribable.ts';
import * as texts from './texts.ts';

type CardOrderBody = BodyOf<typeof subscribeByCardRoute>;

/**
 * The same operation id returns the same order. Throws NOT_FOUND, VALIDATION, CONFLICT (other terms, a trial, already
 * subscribed to the creator, the creator cannot sell), FORBIDDEN (spending blocked, or beyond the limits of the processor).
 */
export async function orderCardSubscription(
  ctx: Context,
  { userId: fanId }: Pick<Actor, 'userId'>,
  body: CardOrderBody,
  operationId: string,
): Promise<StartedPayment> {
  const newId = createId(ctx.clock);
  const knownId = await ctx.db.transaction(async (tx) => {
    const requestHash = hashRequest({ call: 'subscribeByCard', ...body });
    const earlierId = await claimIdempotencyKey(tx, { actorId: fanId, operationId, requestHash, subjectId: newId });
    if (earlierId) return earlierId;
    const creatorId = await findTierCreatorId(tx, body.tierId);
    if (!creatorId) throw new AppError('NOT_FOUND');
    await requireSubscribable(ctx, tx, fanId, creatorId);
    if (await store.findCurrent(tx, fanId, creatorId))
      throw new AppError('CONFLICT', { message: texts.cardForNewSubscriptions });
    await lockTiers(tx, [body.tierId]);
    const tier = await findOfferedTier(tx, body.tierId);
    if (!tier || !(await hasSlot(tx, body.tierId))) throw new AppError('CONFLICT', { message: texts.tierNotOffered });
    const { recurrence, count, expected, timeZone } = body;
    const option = tier.options.find((each) => each.recurrence === recurrence && each.count === count);
    if (!option) throw createFieldError('recurrence', texts.periodNotOffered);
    if (tier.trialDays !== null && (await store.canHaveTrial(tx, fanId, creatorId)))
      throw new AppError('CONFLICT', { message: texts.trialNeedsBalance });
    const priceCents = toCents(option.price);
    if (expected !== getCardPrice(toUsd(asCents(priceCents))))
      throw new AppError('CONFLICT', { message: texts.termsChanged });
    const periodDays = getCardPeriodDays({ recurrence, count });
    const payment = { id: newId, fanId, amountCents: priceCents, periodDays, returnPath: body.returnPath };
    await startRecurringPayment(ctx, tx, payment);
    await insertCardOrder(tx, {
      ...{ id: newId, fan_id: fanId, creator_id: creatorId, tier_id: tier.id, price_cents: priceCents },
      ...{ recurrence, recurrence_count: count, time_zone: timeZone, created_at: ctx.clock.now() },
    });
    return undefined;
  });
  return getStartedPayment(ctx, knownId ?? newId);
}

/** Longer than the processor accepts a payment of the order. */
const ORDER_DAYS = 7;

/** Deletes old orders. A payment that is approved later remains in the wallet. */
export function purgeCardOrders({ clock, db }: Pick<Context, 'clock' | 'db'>): Promise<void> {
  return deleteCardOrders(db, new Date(clock.now().getTime() - ORDER_DAYS * 24 * 60 * 60_000));
}
