/**
 * How fans view and use the code of an offer. To prevent guessing, look-ups are limited, and the response is the same for
 * unknown, used up, expired and closed codes and for those of other fans.
 */
import { canDiscount, getDiscountedPrice } from '@stagedoor/contract/content/offer-prices.ts';
import type { listCreatorTiers, SubscriptionTier } from '@stagedoor/contract/content/subscription-tiers.ts';
import type { SubscriptionOfferId } from '@stagedoor/contract/shared/ids.ts';
import { OFFER_LOOKUPS } from '@stagedoor/contract/shared/limits.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { loadPriceLimits } from '../../commerce/sales/index.ts';
import './events.ts';
import type { FanHistory } from './hooks.ts';
import * as offerStore from './offer-store.ts';
import * as texts from './texts.ts';

type CreatorOffer = Pick<ResponseInputOf<typeof listCreatorTiers>, 'offer' | 'offerRefusal'>;
/** The caller whose look-ups are counted: a fan, or the network of a visitor. */
export type CodeReader = { userId: string } | { network: string };

/** Counts a look-up before it happens. Returns the milliseconds to wait if there were too many, otherwise 0. */
export async function countCodeLookup({ limits }: Pick<Context, 'limits'>, reader: CodeReader): Promise<number> {
  const isAccount = 'userId' in reader;
  const max = isAccount ? OFFER_LOOKUPS.perAccount : OFFER_LOOKUPS.perNetwork;
  const limit = { name: 'subscription offer codes', max, windowMs: OFFER_LOOKUPS.windowMs, isFixed: true };
  return limits.countShared(limit, isAccount ? reader.userId : reader.network);
}

function isOfferFor(
  { id, audience }: Pick<offerStore.OfferRow, 'id' | 'audience'>,
  { hasSubscribed, isSubscribed, usedOfferIds }: FanHistory,
): boolean {
  if (usedOfferIds.includes(id)) return false;
  if (audience === 'new') return !hasSubscribed;
  return audience === 'everyone' || (hasSubscribed && !isSubscribed);
}

type ViewedCode = {
  creatorId: string;
  code: string | undefined;
  reader: CodeReader;
  tiers: readonly SubscriptionTier[];
  /** Undefined for visitors, who see the offers for all audiences. */
  getHistory: (() => Promise<FanHistory>) | undefined;
};

export async function viewOffer(
  ctx: Context,
  { creatorId, code, reader, tiers, getHistory }: ViewedCode,
): Promise<CreatorOffer> {
  if (code === undefined || code === '') return { offer: null, offerRefusal: null };
  if ((await countCodeLookup(ctx, reader)) > 0) return { offer: null, offerRefusal: texts.tooManyCodes };
  const [row, { subscription: limit }, history] = await Promise.all([
    offerStore.findRunningOffer(ctx.db, creatorId, code, ctx.clock.now()),
    loadPriceLimits(ctx.db),
    getHistory?.(),
  ]);
  const refused = { offer: null, offerRefusal: texts.codeRefused };
  if (!row || (history && !isOfferFor(row, history))) return refused;
  const { percent_off: percentOff } = row;
  const offered = tiers
    .filter(({ id, isOpen }) => isOpen && (row.tier_id ?? id) === id)
    .map(({ id, options }) => ({ id, options: options.filter(({ price }) => canDiscount(price, percentOff, limit)) }))
    .filter(({ options }) => options.length > 0);
  if (offered.length === 0) return refused;
  const offer = {
    code: row.code,
    percentOff,
    periods: row.periods,
    audience: row.audience,
    endsAt: row.ends_at.toISOString(),
    tiers: offered.map(({ id, options }) => ({
      id,
      options: options.map((option) => ({ ...option, price: getDiscountedPrice(option.price, percentOff) })),
    })),
  };
  return { offer, offerRefusal: null };
}

export type TakenOffer = { id: SubscriptionOfferId; percentOff: number; periods: number };
type OfferUse = {
  creatorId: string;
  code: string;
  tierId: string;
  /** Of the period that the fan chose, in USD. 0 for a free tier. */
  price: number;
  at: Date;
  getHistory: () => Promise<FanHistory>;
};

/**
 * Counts a use of an offer. Returns undefined if the fan cannot use it; the caller must then roll back. Locks the offer until
 * the commit and calls `getHistory` under the lock, so that a fan with two tabs uses it once.
 */
export async function takeOfferUse(
  tx: DbTransaction,
  { getHistory, price, ...use }: OfferUse,
): Promise<TakenOffer | undefined> {
  const row = await offerStore.takeUse(tx, use);
  if (!row || !isOfferFor(row, await getHistory())) return undefined;
  if (!canDiscount(price, row.percent_off, (await loadPriceLimits(tx)).subscription)) return undefined;
  // Cached pages that show the discounted prices are rendered again.
  if (row.use_count === row.max_uses) await tx.emit('subscriptionTiers.changed', { creatorId: use.creatorId });
  return { id: row.id, percentOff: row.percent_off, periods: row.periods };
}
