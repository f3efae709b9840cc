import type { listCreatorTiers, OwnTier, tierBody } from '@stagedoor/contract/content/subscription-tiers.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { subscriptionTierId, userId } from '@stagedoor/contract/shared/ids.ts';
import { SUBSCRIPTION_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { toCents } from '@stagedoor/contract/shared/money.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import { claimIdempotencyKey } from '../../../platform/database/idempotency.ts';
import { requireNotGeoBlocked } from '../../../platform/geo.ts';
import { createId } from '../../../platform/ids.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { findUserState } from '../../identity/accounts/index.ts';
import { isBlockedPair } from '../../identity/blocks/index.ts';
import { hashRequest } from '../../ledger/ledger/index.ts';
import { isEligible, requireEligible } from './eligibility.ts';
import './events.ts';
import { viewerSubscription } from './hooks.ts';
import { requireTierInLimits } from './limits.ts';
import { updateListedTerms } from './listed-terms.ts';
import { type CodeReader, viewOffer } from './offer-codes.ts';
import { closeOffersBy } from './offer-store.ts';
import { presentOwnTier, presentTier } from './present.ts';
import { loadSubscriptionSettings } from './settings.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

type TierBody = z.output<typeof tierBody>;
type OwnTiers = { tiers: OwnTier[]; trialDaysMax: number };
const toOptionalCents = (price: number | null) => (price === null ? null : toCents(price));

function toValues({
  name,
  benefits,
  prices,
  bundles,
  trialDays,
  slots,
  isOpen,
  welcomeMessage,
}: TierBody): store.TierValues {
  return {
    name,
    benefits,
    weekly_cents: toOptionalCents(prices.weekly),
    monthly_cents: toOptionalCents(prices.monthaly),
    yearly_cents: toOptionalCents(prices.yearly),
    bundles: bundles.toSorted((a, b) => a.months - b.months),
    trial_days: trialDays,
    slots,
    is_open: isOpen,
    welcome_message: welcomeMessage,
  };
}

export async function listOwnTiers(ctx: Context, creatorId: string): Promise<OwnTiers> {
  const [{ tiers }, { trialDaysMax }] = await Promise.all([
    store.listCountedTiers(ctx.db, creatorId),
    loadSubscriptionSettings(ctx.db),
  ]);
  return { tiers: tiers.map(presentOwnTier), trialDaysMax };
}

/** The same operation id creates one tier. Throws CONFLICT at the limit, NOT_VERIFIED. */
export async function createTier(ctx: Context, actor: Actor, body: TierBody, operationId: string): Promise<OwnTiers> {
  const creatorId = actor.userId;
  await ctx.db.transaction(async (tx) => {
    const id = createId(ctx.clock);
    const requestHash = hashRequest({ call: 'createTier', ...body });
    if (await claimIdempotencyKey(tx, { actorId: creatorId, operationId, requestHash, subjectId: id })) return;
    const tiers = await store.lockCreatorTiers(tx, creatorId);
    if (tiers.length >= SUBSCRIPTION_LIMITS.tiers)
      throw new AppError('CONFLICT', { message: formatText(texts.tierLimit, { maxCount: SUBSCRIPTION_LIMITS.tiers }) });
    await requireEligible(ctx, tx, creatorId);
    const values = toValues(body);
    await requireTierInLimits(tx, values);
    await store.insertTier(tx, {
      ...values,
      id: z.parse(subscriptionTierId, id),
      creator_id: z.parse(userId, creatorId),
      position: tiers.length + 1,
      created_at: ctx.clock.now(),
    });
    await updateListedTerms(ctx, tx, creatorId);
    await tx.emit('subscriptionTiers.changed', { creatorId });
  });
  return listOwnTiers(ctx, creatorId);
}

function isRepriced(before: store.TierRow, after: store.TierValues): boolean {
  const hasOtherPrice = store.PRICE_COLUMNS.some((column) => before[column] !== after[column]);
  return hasOtherPrice || JSON.stringify(before.bundles) !== JSON.stringify(after.bundles);
}

/**
 * A tier with subscribers stays free or paid. Throws NOT_FOUND, CONFLICT, NOT_VERIFIED.
 */
export async function updateTier(ctx: Context, actor: Actor, id: string, body: TierBody): Promise<OwnTiers> {
  const creatorId = actor.userId;
  await ctx.db.transaction(async (tx) => {
    const before = (await store.lockCreatorTiers(tx, creatorId)).find((tier) => tier.id === id);
    if (!before) throw new AppError('NOT_FOUND');
    await requireEligible(ctx, tx, creatorId);
    const values = toValues(body);
    await requireTierInLimits(tx, values, before);
    const subscriberCount = await store.lockSubscriberCount(tx, id);
    if (subscriberCount > 0 && store.isFreeTier(before) !== store.isFreeTier(values))
      throw new AppError('CONFLICT', { message: texts.tierInUse });
    await store.updateTier(tx, id, values);
    await updateListedTerms(ctx, tx, creatorId);
    if (isRepriced(before, values)) await tx.emit('subscriptionTier.repriced', { creatorId, tierId: id });
    await tx.emit('subscriptionTiers.changed', { creatorId });
  });
  return listOwnTiers(ctx, creatorId);
}

/** Throws NOT_FOUND. */
export async function deleteTier(ctx: Context, actor: Actor, id: string): Promise<OwnTiers> {
  const creatorId = actor.userId;
  await ctx.db.transaction(async (tx) => {
    const tiers = await store.lockCreatorTiers(tx, creatorId);
    const index = tiers.findIndex((tier) => tier.id === id);
    if (index < 0) throw new AppError('NOT_FOUND');
    await store.markDeleted(tx, id, ctx.clock.now());
    await closeOffersBy(tx, 'tier_id', id, ctx.clock.now());
    await updateListedTerms(ctx, tx, creatorId);
    const remaining = tiers.filter((tier) => tier.id !== id).map((tier) => tier.id);
    await store.setOrder(tx, creatorId, remaining);
    const higherTierIds = tiers.slice(index + 1).map((tier) => tier.id);
    await tx.emit('subscriptionTier.deleted', { creatorId, tierId: id, higherTierIds });
    await tx.emit('subscriptionTiers.changed', { creatorId });
  });
  return listOwnTiers(ctx, creatorId);
}

/** Throws CONFLICT if the ids are not exactly the creator's tiers. */
export async function orderTiers(ctx: Context, actor: Actor, ids: readonly string[]): Promise<OwnTiers> {
  const creatorId = actor.userId;
  await ctx.db.transaction(async (tx) => {
    const tiers = await store.lockCreatorTiers(tx, creatorId);
    const isSame = ids.length === tiers.length && tiers.every((tier) => ids.includes(tier.id));
    if (!isSame) throw new AppError('CONFLICT', { message: texts.tiersChanged });
    await store.setOrder(tx, creatorId, ids);
    await tx.emit('subscriptionTiers.changed', { creatorId });
  });
  return listOwnTiers(ctx, creatorId);
}

/**
 * The tiers of a creator who may not sell at the moment are closed. Throws NOT_FOUND if the user is not a creator, is blocked,
 * hidden in the region, or in a blocked pair with the viewer.
 */
export async function viewCreatorTiers(
  ctx: Context,
  actor: Actor | undefined,
  creatorId: string,
  { code, reader }: { code: string | undefined; reader: CodeReader },
): Promise<ResponseInputOf<typeof listCreatorTiers>> {
  const creator = await findUserState(ctx.db, creatorId);
  if (creator?.type !== 'creator' || creator.is_blocked) throw new AppError('NOT_FOUND');
  requireNotGeoBlocked(creatorId);
  if (actor && (await isBlockedPair(ctx.db, actor.userId, creatorId))) throw new AppError('NOT_FOUND');
  const isFan = actor?.type === 'customer';
  const [{ tiers: rows, totals }, canSell, viewer, { refundHours }] = await Promise.all([
    store.listCountedTiers(ctx.db, creatorId),
    isEligible(ctx, ctx.db, creatorId),
    isFan
      ? viewerSubscription.get(ctx)(ctx.db, actor.userId, creatorId)
      : { subscription: null, canHaveTrial: true, getHistory: undefined },
    loadSubscriptionSettings(ctx.db),
  ]);
  const tiers = rows.map(presentTier).map((tier) => (canSell ? tier : { ...tier, isOpen: false }));
  const { getHistory, ...viewed } = viewer;
  return {
    tiers,
    free: { postCount: totals.free_post_count, mediaCount: totals.free_media_count },
    total: { postCount: totals.total_post_count, mediaCount: totals.total_media_count },
    refundHours,
    ...viewed,
    ...(await viewOffer(ctx, { creatorId, code, reader, tiers, getHistory })),
  };
}

/** Updates the listed terms after a creator has gained or lost the right to sell. */
export async function refreshListedTerms(ctx: Context, creatorId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await store.lockCreatorTiers(tx, creatorId);
    await updateListedTerms(ctx, tx, creatorId);
  });
}
