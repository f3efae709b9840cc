/** Creates, lists and closes the offers of a creator. Fans use them in `offer-codes.ts`. */
import { canDiscount } from '@stagedoor/contract/content/offer-prices.ts';
import type { OFFER_STATES, OwnOffer, offerBody } from '@stagedoor/contract/content/subscription-offers.ts';
import { listBillingOptions } from '@stagedoor/contract/content/subscription-tiers.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { subscriptionOfferId, userId } from '@stagedoor/contract/shared/ids.ts';
import { OFFER_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { claimIdempotencyKey } from '../../../platform/database/idempotency.ts';
import { createId } from '../../../platform/ids.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { loadPriceLimits, requireSellerEligible } from '../../commerce/sales/index.ts';
import { hashRequest } from '../../ledger/ledger/index.ts';
import './events.ts';
import * as offerStore from './offer-store.ts';
import { toPrices } from './present.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

type OfferBody = z.output<typeof offerBody>;
type Creator = Pick<Actor, 'userId'>;
type OwnOffers = { offers: OwnOffer[] };

const DAY_MS = 24 * 60 * 60_000;
/** Offers beyond this number are not listed. Running ones come first. */
const SHOWN_OFFERS = 100;

function getState(row: offerStore.OfferRow, now: Date): (typeof OFFER_STATES)[number] {
  if (row.closed_at) return 'closed';
  if (row.max_uses !== null && row.use_count >= row.max_uses) return 'usedUp';
  return row.ends_at <= now ? 'ended' : 'running';
}

function presentOffer(row: offerStore.OwnOfferRow, now: Date): OwnOffer {
  return {
    id: row.id,
    code: row.code,
    percentOff: row.percent_off,
    periods: row.periods,
    tier: row.tier_id === null ? null : { id: row.tier_id, name: row.tier_name ?? '' },
    audience: row.audience,
    maxUses: row.max_uses,
    useCount: row.use_count,
    endsAt: row.ends_at.toISOString(),
    createdAt: row.created_at.toISOString(),
    closedAt: row.closed_at?.toISOString() ?? null,
    state: getState(row, now),
  };
}

export async function listOwnOffers(ctx: Context, creatorId: string): Promise<OwnOffers> {
  const now = ctx.clock.now();
  const rows = await offerStore.listOffers(ctx.db, creatorId, now, SHOWN_OFFERS);
  return { offers: rows.map((row) => presentOffer(row, now)) };
}

function requireEndInRange(endsAt: Date, now: Date): void {
  const latest = now.getTime() + OFFER_LIMITS.daysMax * DAY_MS;
  if (endsAt <= now || endsAt.getTime() > latest)
    throw createFieldError('endsAt', formatText(texts.offerEndRange, { maxDays: OFFER_LIMITS.daysMax }));
}

async function requireDiscountable(
  tx: DbTransaction,
  tiers: readonly store.TierRow[],
  percentOff: number,
): Promise<void> {
  const { subscription: limit } = await loadPriceLimits(tx);
  const options = tiers.flatMap((tier) => listBillingOptions({ prices: toPrices(tier), bundles: tier.bundles }));
  if (!options.some(({ price }) => canDiscount(price, percentOff, limit)))
    throw createFieldError('percentOff', formatText(texts.offerBelowLowestPrice, { min: formatUsd(limit.min) }));
}

/**
 * The same operation id creates one offer. Throws VALIDATION (an end out of range, a code that was used before, a free tier, a
 * discount below the lowest price), NOT_FOUND for tiers of others, CONFLICT at the limit, NOT_VERIFIED.
 */
export async function createOffer(
  ctx: Context,
  actor: Creator,
  body: OfferBody,
  operationId: string,
): Promise<OwnOffers> {
  const creatorId = actor.userId;
  await ctx.db.transaction(async (tx) => {
    const id = createId(ctx.clock);
    const requestHash = hashRequest({ call: 'createOffer', ...body });
    if (await claimIdempotencyKey(tx, { actorId: creatorId, operationId, requestHash, subjectId: id })) return;
    const now = ctx.clock.now();
    const endsAt = new Date(body.endsAt);
    requireEndInRange(endsAt, now);
    const tiers = await store.lockCreatorTiers(tx, creatorId);
    const tier = tiers.find((each) => each.id === body.tierId);
    if (body.tierId !== null && !tier) throw new AppError('NOT_FOUND');
    const offered = tier ? [tier] : tiers;
    if (offered.every(store.isFreeTier)) throw createFieldError('tierId', texts.offerNeedsPaidTier);
    await requireDiscountable(tx, offered, body.percentOff);
    if ((await offerStore.countRunningOffers(tx, creatorId, now)) >= OFFER_LIMITS.running)
      throw new AppError('CONFLICT', { message: formatText(texts.offerLimit, { maxCount: OFFER_LIMITS.running }) });
    await requireSellerEligible(ctx, tx, creatorId, { subject: texts.subscriptionOffers });
    const isCreated = await offerStore.insertOffer(tx, {
      id: z.parse(subscriptionOfferId, id),
      creator_id: z.parse(userId, creatorId),
      tier_id: body.tierId,
      code: body.code,
      percent_off: body.percentOff,
      periods: body.periods,
      audience: body.audience,
      max_uses: body.maxUses,
      ends_at: endsAt,
      created_at: now,
    });
    if (!isCreated) throw createFieldError('code', texts.offerCodeTaken);
  });
  return listOwnOffers(ctx, creatorId);
}

/** Idempotent. Throws NOT_FOUND. */
export async function closeOffer(ctx: Context, actor: Creator, id: string): Promise<OwnOffers> {
  const creatorId = actor.userId;
  await ctx.db.transaction(async (tx) => {
    if (!(await offerStore.closeOffer(tx, creatorId, id, ctx.clock.now()))) throw new AppError('NOT_FOUND');
    // Cached pages that show the discounted prices are rendered again.
    await tx.emit('subscriptionTiers.changed', { creatorId });
  });
  return listOwnOffers(ctx, creatorId);
}
