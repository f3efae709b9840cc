import type { subscribe as subscribeRoute } from '@stagedoor/contract/content/subscriptions.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { subscriptionId, type UserId } from '@stagedoor/contract/shared/ids.ts';
import { toCents, toDepositBalance } from '@stagedoor/contract/shared/money.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { claimIdempotencyKey } from '../../../platform/database/idempotency.ts';
import { createId } from '../../../platform/ids.ts';
import { requireNotLimited } from '../../../platform/limits/rate-limit.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { getWalletBalance, hashRequest } from '../../ledger/ledger/index.ts';
import { isFree } from '../entitlements/index.ts';
import {
  countCodeLookup,
  findOfferedTier,
  findTierCreatorId,
  loadSubscriptionSettings,
  lockTiers,
  type OfferedTier,
  type TakenOffer,
  takeOfferUse,
  takeSlot,
} from '../subscription-tiers/index.ts';
import { chargePeriod } from './charge.ts';
import { endWithRefund } from './endings.ts';
import './events.ts';
import { grantSubscription } from './grants.ts';
import { getFanHistory } from './offer-history.ts';
import { presentSubscription } from './present.ts';
import { getDiscountAfterCharge, getPriceAt } from './prices.ts';
import * as store from './store.ts';
import { hasLapsed, lockCurrent, requireSubscribable } from './subscribable.ts';
import * as texts from './texts.ts';

type SubscribeBody = BodyOf<typeof subscribeRoute>;
type SubscribeResult = ResponseInputOf<typeof subscribeRoute>;
type OfferedTerms = { priceCents: number; trialDays: number | null; offer: TakenOffer | undefined };
type Terms = OfferedTerms & { todayCents: number };
type OfferInput = { fanId: string; tier: OfferedTier; price: number; code: string | undefined; at: Date };

/** Throws CONFLICT if the fan cannot use the code, with the same message for every reason. */
async function takeOffer(
  tx: DbTransaction,
  { fanId, tier, price, code, at }: OfferInput,
): Promise<TakenOffer | undefined> {
  if (code === undefined) return undefined;
  const { id: tierId, creatorId } = tier;
  const getHistory = () => getFanHistory(tx, { fanId, creatorId, now: at });
  const offer = await takeOfferUse(tx, { creatorId, code, tierId, price, at, getHistory });
  if (!offer) throw new AppError('CONFLICT', { message: texts.offerRefused });
  return offer;
}

function calculateFirstCharges(
  { priceCents, trialDays, offer }: OfferedTerms,
  at: Date,
): { todayCents: number; renewalCents: number } {
  const row = { price_cents: priceCents, agreed_price_cents: null, agreed_price_from: null, ...toDiscount(offer) };
  if (trialDays !== null) return { todayCents: 0, renewalCents: getPriceAt(row, at) };
  return { todayCents: getPriceAt(row, at), renewalCents: getPriceAt(row, at, 1) };
}

/** Throws VALIDATION if the tier is not offered for this period, CONFLICT if the fan saw other terms. */
async function getTerms(
  tx: DbTransaction,
  fanId: string,
  tier: OfferedTier,
  { body: { recurrence, count, expected, offer: code }, at }: { body: SubscribeBody; at: Date },
): Promise<Terms> {
  const option = tier.options.find((each) => each.recurrence === recurrence && each.count === count);
  if (!option && !tier.isFree) throw createFieldError('recurrence', texts.periodNotOffered);
  const priceCents = option ? toCents(option.price) : 0;
  const trialDays =
    tier.trialDays !== null && (await store.canHaveTrial(tx, fanId, tier.creatorId)) ? tier.trialDays : null;
  const offer = await takeOffer(tx, { fanId, tier, price: option?.price ?? 0, code, at });
  const terms = { priceCents, trialDays, offer };
  const { todayCents, renewalCents } = calculateFirstCharges(terms, at);
  const isExpected = toCents(expected.today) === todayCents && toCents(expected.renewal) === renewalCents;
  if (!isExpected || (offer && toCents(expected.afterOffer ?? 0) !== priceCents))
    throw new AppError('CONFLICT', { message: texts.termsChanged });
  return { ...terms, todayCents };
}

const toDiscount = (offer: TakenOffer | undefined) => ({
  discount_percent: offer?.percentOff ?? null,
  discount_periods_left: offer?.periods ?? null,
});

type NewSubscription = {
  fanId: UserId;
  id: string;
  tier: OfferedTier;
  body: SubscribeBody;
  terms: Terms;
  openedAt: Date | null;
  /** When the fan joined whose tier is changed. */
  joinedAt: Date | undefined;
};

async function startSubscription(
  ctx: Context,
  tx: DbTransaction,
  { fanId, id, tier, body, terms, openedAt, joinedAt }: NewSubscription,
): Promise<void> {
  const at = ctx.clock.now();
  const isUnpaid = isFree(terms.priceCents);
  const { timeZone, recurrence, count } = body;
  const trialEnd = terms.trialDays === null ? undefined : await store.getTrialEnd(tx, at, timeZone, terms.trialDays);
  const anchor = {
    anchor_at: trialEnd ?? at,
    time_zone: timeZone,
    recurrence,
    recurrence_count: count,
  };
  const number = isUnpaid || trialEnd ? 0 : 1;
  const paidUntil = isUnpaid ? null : (trialEnd ?? (await store.getBoundary(tx, anchor, number)));
  const row = {
    ...anchor,
    id: z.parse(subscriptionId, id),
    fan_id: fanId,
    creator_id: tier.creatorId,
    tier_id: tier.id,
    price_cents: terms.priceCents,
    offer_id: terms.offer?.id ?? null,
    ...(number === 1 ? getDiscountAfterCharge(toDiscount(terms.offer)) : toDiscount(terms.offer)),
    period_number: number,
    paid_until: paidUntil,
    is_renewing: !isUnpaid,
    due_at: paidUntil,
    started_at: at,
    // The clock of another process may be ahead.
    joined_at: joinedAt && joinedAt < at ? joinedAt : at,
  };
  if (!(await store.insertSubscription(tx, row))) throw new AppError('CONFLICT', { message: texts.alreadySubscribed });
  if (!(await takeSlot(tx, tier.id))) throw new AppError('CONFLICT', { message: texts.tierNotOffered });
  if (number === 1 && paidUntil)
    await chargePeriod(tx, row, {
      number,
      startsAt: at,
      endsAt: paidUntil,
      priceCents: terms.todayCents,
      at,
      openedAt,
    });
  await grantSubscription(tx, row, at);
  const event = { subscriptionId: id, fanId, creatorId: tier.creatorId };
  await tx.emit('subscription.started', { ...event, tierName: tier.name, isTrial: trialEnd !== undefined });
  await tx.emit('subscription.changed', event);
}

async function findOpenedAt(tx: DbTransaction, current: store.SubscriptionRow): Promise<Date | null> {
  return (await store.findPeriod(tx, current.id, current.period_number))?.opened_at ?? null;
}

const createChangedRefusal = () => new AppError('CONFLICT', { message: texts.alreadySubscribed });

/**
 * Subscribes a fan to a tier and charges the first period, in one transaction. A subscription to another tier of the creator
 * ends, and the rest of its period is refunded. If the fan opened something in that period, the refund is at most the new
 * charge, which is then not refundable: otherwise content could be opened and its whole price refunded. The same operation id
 * returns the same subscription. Throws NOT_FOUND, VALIDATION, CONFLICT (other terms, a code that the fan cannot use, already
 * subscribed, no slot left, the creator cannot sell), INSUFFICIENT_FUNDS, FORBIDDEN (spending blocked, or over a limit),
 * RATE_LIMITED after too many codes.
 */
export async function subscribe(
  ctx: Context,
  { userId: fanId }: Pick<Actor, 'userId'>,
  body: SubscribeBody,
  operationId: string,
): Promise<SubscribeResult> {
  const newId = createId(ctx.clock);
  if (body.offer !== undefined) requireNotLimited(await countCodeLookup(ctx, { userId: fanId }));
  const knownId = await ctx.db.transaction(async (tx) => {
    const requestHash = hashRequest({ call: 'subscribe', ...body });
    const earlierId = await claimIdempotencyKey(tx, { actorId: fanId, operationId, requestHash, subjectId: newId });
    if (earlierId) return earlierId;
    const creatorId = await findTierCreatorId(tx, body.tierId);
    if (!creatorId) throw new AppError('NOT_FOUND');
    await requireSubscribable(ctx, tx, fanId, creatorId);
    const current = await lockCurrent(tx, fanId, creatorId, createChangedRefusal);
    await lockTiers(tx, current ? [current.tier_id, body.tierId] : [body.tierId]);
    const at = ctx.clock.now();
    const isOver = current !== undefined && hasLapsed(current, at);
    if (current?.tier_id === body.tierId && !isOver)
      throw new AppError('CONFLICT', { message: texts.alreadySubscribed });
    const tier = await findOfferedTier(tx, body.tierId);
    if (!tier) throw new AppError('CONFLICT', { message: texts.tierNotOffered });
    const terms = await getTerms(tx, fanId, tier, { body, at });
    const openedAt = current && !isOver ? await findOpenedAt(tx, current) : null;
    if (current) {
      await endWithRefund(ctx, tx, current, {
        reason: isOver ? 'canceled' : 'changed',
        actorId: fanId,
        refundReason: texts.changedReason,
        ...(openedAt && { maxCents: terms.todayCents }),
      });
    }
    const joinedAt = isOver ? undefined : current?.joined_at;
    await startSubscription(ctx, tx, { fanId, id: newId, tier, body, terms, openedAt, joinedAt });
    return undefined;
  });
  return presentResult(ctx, fanId, knownId ?? newId);
}

async function presentResult(ctx: Context, fanId: string, id: string): Promise<SubscribeResult> {
  const view = await store.findView(ctx.db, id);
  if (!view) throw new AppError('NOT_FOUND');
  const transactionId = await store.findFirstSaleId(ctx.db, id);
  return {
    subscription: presentSubscription(view, ctx.clock.now(), await loadSubscriptionSettings(ctx.db)),
    ...toDepositBalance(await getWalletBalance(ctx.db, fanId)),
    transactionId: transactionId ?? null,
  };
}
