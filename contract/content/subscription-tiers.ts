/** What creators offer to subscribers: up to five tiers, each including those below it. */
import * as z from 'zod/mini';
import { event } from '../shared/event.ts';
import { instant, subscriptionId, subscriptionTierId, userId } from '../shared/ids.ts';
import { OFFER_LIMITS, SUBSCRIPTION_BOUNDS, SUBSCRIPTION_LIMITS } from '../shared/limits.ts';
import { CHAT_LIMITS } from '../shared/module-limits.ts';
import { asCents, createUsdSchema, toCents, toUsd, usd } from '../shared/money.ts';
import { PRICE_BOUNDS, type PriceLimit } from '../shared/prices.ts';
import { RECURRENCES, type Recurrence } from '../shared/recurrence.ts';
import { route } from '../shared/route.ts';
import { singleLineText } from '../shared/single-line-text.ts';

const limits = SUBSCRIPTION_LIMITS;

export const BUNDLE_MONTHS = [3, 6, 12] as const;
export const recurrence = z.enum(RECURRENCES);

/** How long a paid period is: `count` weeks, months or years. Only months can be bundled. */
export const billingPeriod = z.object({ recurrence, count: z.union([z.literal(1), z.literal([...BUNDLE_MONTHS])]) });
export type BillingPeriod = z.infer<typeof billingPeriod>;

export const billingOption = z.object({ ...billingPeriod.shape, price: usd });
export type BillingOption = z.infer<typeof billingOption>;

const MONTHS_PER_YEAR = 12;
/** The operator's limits are for a week or a month. A year may cost twelve times as much. */
export function getPriceLimit(recurrence: Recurrence, { min, max }: PriceLimit): PriceLimit {
  return { min, max: recurrence === 'yearly' ? max * MONTHS_PER_YEAR : max };
}

const periodPrice = createUsdSchema(PRICE_BOUNDS.min * 100, PRICE_BOUNDS.max * 100);
const yearPrice = createUsdSchema(PRICE_BOUNDS.min * 100, getPriceLimit('yearly', PRICE_BOUNDS).max * 100);

/** Prices by recurrence; null where a tier is not offered. All null: the tier is free and does not renew. */
export const tierPrices = z.object({
  weekly: z.nullable(periodPrice),
  monthaly: z.nullable(periodPrice),
  yearly: z.nullable(yearPrice),
});
export type TierPrices = z.infer<typeof tierPrices>;

export const bundle = z.object({
  months: z.literal([...BUNDLE_MONTHS]),
  percentOff: z.number().check(z.int(), z.gte(1), z.lte(limits.bundlePercentMax)),
});
export type Bundle = z.infer<typeof bundle>;

/** In USD, rounded half up to cents. */
export function getBundlePrice(monthlyPrice: number, { months, percentOff }: Bundle): number {
  return toUsd(asCents(Math.round((toCents(monthlyPrice) * months * (100 - percentOff)) / 100)));
}

/** All ways to pay for a tier, shortest period first. Empty for a free tier. */
export function listBillingOptions({
  prices,
  bundles,
}: {
  prices: Readonly<Record<Recurrence, number | null>>;
  bundles: readonly Bundle[];
}): BillingOption[] {
  const single = (each: Recurrence): BillingOption[] => {
    const price = prices[each];
    return price === null ? [] : [{ recurrence: each, count: 1, price }];
  };
  const { monthaly } = prices;
  const bundled = monthaly === null ? [] : bundles;
  return [
    ...single('weekly'),
    ...single('monthaly'),
    ...bundled.map((each) => ({
      recurrence: 'monthaly' as const,
      count: each.months,
      price: getBundlePrice(monthaly ?? 0, each),
    })),
    ...single('yearly'),
  ];
}

const tierFields = {
  name: singleLineText(limits.nameLength, 'Enter a name').check(z.minLength(1, 'Enter a name')),
  benefits: z
    .array(singleLineText(limits.benefitLength, 'Enter a benefit').check(z.minLength(1, 'Enter a benefit')))
    .check(z.maxLength(limits.benefits, `At most ${limits.benefits} lines`)),
  prices: tierPrices,
  /** Discounts for several months at once, which need a monthly price. */
  bundles: z.array(bundle).check(z.refine((all) => new Set(all.map(({ months }) => months)).size === all.length)),
  /** Days that are free for fans who never subscribed to the creator. Null: no trial. */
  trialDays: z.nullable(z.number().check(z.int(), z.gte(1), z.lte(SUBSCRIPTION_BOUNDS.trialDays))),
  /** How many fans can subscribe at the same time. Null: any number. */
  slots: z.nullable(z.number().check(z.int(), z.gte(1), z.lte(limits.slotsMax))),
  /** False: existing subscribers stay, and no one new can subscribe. */
  isOpen: z.boolean(),
  /** Sent to fans who subscribe to the creator for the first time. Empty: none. */
  welcomeMessage: z._default(
    z.string().check(z.trim(), z.maxLength(CHAT_LIMITS.textLength, `At most ${CHAT_LIMITS.textLength} characters`)),
    '',
  ),
};
const isFreeTier = ({ prices }: { prices: Readonly<Record<Recurrence, number | null>> }) =>
  RECURRENCES.every((each) => prices[each] === null);
export const tierBody = z.object(tierFields).check(
  z.refine(({ bundles, prices }) => bundles.length === 0 || prices.monthaly !== null, {
    path: ['bundles'],
    error: 'Bundles need a monthly price.',
  }),
  z.refine((body) => body.trialDays === null || !isFreeTier(body), {
    path: ['trialDays'],
    error: 'A free tier has no trial.',
  }),
);
export type TierBody = z.input<typeof tierBody>;

/** What is included, as counted now. */
const contentCounts = { postCount: z.number(), mediaCount: z.number() };

export const subscriptionTier = z.object({
  id: subscriptionTierId,
  /** 1 is the lowest. A tier includes those with a lower position. */
  position: z.number(),
  name: z.string(),
  benefits: z.array(z.string()),
  isFree: z.boolean(),
  /** Shortest period first. */
  options: z.array(billingOption),
  trialDays: z.nullable(z.number()),
  /** Slots that are left, or null if they are not limited. */
  slotsLeft: z.nullable(z.number()),
  isOpen: z.boolean(),
  ...contentCounts,
});
export type SubscriptionTier = z.infer<typeof subscriptionTier>;

export const ownTier = z.object({
  ...subscriptionTier.shape,
  prices: z.object({ weekly: z.nullable(usd), monthaly: z.nullable(usd), yearly: z.nullable(usd) }),
  bundles: z.array(z.object({ months: z.literal([...BUNDLE_MONTHS]), percentOff: z.number() })),
  slots: z.nullable(z.number()),
  welcomeMessage: z.string(),
  subscriberCount: z.number(),
});
export type OwnTier = z.infer<typeof ownTier>;
const ownTiers = z.object({ tiers: z.array(ownTier), trialDaysMax: z.number() });

export const listOwnTiers = route({
  method: 'GET',
  path: '/creator/subscription-tiers',
  summary: 'List the creator’s subscription tiers, lowest first',
  auth: 'creator',
  team: ['chat', 'posts', 'figures'],
  rate: 'read',
  response: ownTiers,
});
export const createTier = route({
  method: 'POST',
  path: '/creator/subscription-tiers',
  summary: 'Create a subscription tier above the existing ones. Fails with CONFLICT if there are five',
  auth: 'creator',
  activity: 'posting',
  rate: 'write',
  idempotent: true,
  body: tierBody,
  response: ownTiers,
  errors: ['CONFLICT', 'NOT_VERIFIED'],
});
export const updateTier = route({
  method: 'PUT',
  path: '/creator/subscription-tiers/:id',
  summary:
    'Update a subscription tier. A new price applies to new subscribers; others must accept it, at least 30 days ahead',
  auth: 'creator',
  activity: 'posting',
  rate: 'write',
  params: z.object({ id: subscriptionTierId }),
  body: tierBody,
  response: ownTiers,
  errors: ['NOT_FOUND', 'CONFLICT', 'NOT_VERIFIED'],
});
export const deleteTier = route({
  method: 'DELETE',
  path: '/creator/subscription-tiers/:id',
  summary: 'Delete a subscription tier. Its subscriptions end with their paid period',
  auth: 'creator',
  rate: 'write',
  params: z.object({ id: subscriptionTierId }),
  response: ownTiers,
  errors: ['NOT_FOUND'],
});
export const orderTiers = route({
  method: 'PUT',
  path: '/creator/subscription-tiers-order',
  summary: 'Change the order of the subscription tiers, lowest first',
  auth: 'creator',
  rate: 'write',
  body: z.object({ ids: z.array(subscriptionTierId).check(z.maxLength(SUBSCRIPTION_LIMITS.tiers)) }),
  response: ownTiers,
  errors: ['CONFLICT'],
});

/** `new`: fans who never subscribed to the creator. `returning`: those who did, and do not subscribe now. */
export const OFFER_AUDIENCES = ['everyone', 'new', 'returning'] as const;
export type OfferAudience = (typeof OFFER_AUDIENCES)[number];

const codeMin = OFFER_LIMITS.codeLength.min;
const codeMax = OFFER_LIMITS.codeLength.max;
/** Codes are stored in upper case. */
export const offerCode = z
  .string()
  .check(
    z.trim(),
    z.toUpperCase(),
    z.regex(new RegExp(`^[A-Z0-9]{${codeMin},${codeMax}}$`), `Use ${codeMin} to ${codeMax} letters and digits`),
  );
/** A code as a fan enters it. An impossible code gets the same response as an unknown one. */
const requestedCode = z.string().check(z.trim(), z.toUpperCase(), z.maxLength(100));

/** A discount that the viewer can have, with the prices of the tiers that it is for. */
export const viewedOffer = z.object({
  code: z.string(),
  percentOff: z.number(),
  /** How many charges it is for. Later ones cost the full price. */
  periods: z.number(),
  audience: z.enum(OFFER_AUDIENCES),
  endsAt: instant,
  tiers: z.array(z.object({ id: subscriptionTierId, options: z.array(billingOption) })),
});
export type ViewedOffer = z.infer<typeof viewedOffer>;

/** The viewer's own subscription, as the profile shows it. */
export const viewerSubscription = z.object({
  id: subscriptionId,
  tierId: subscriptionTierId,
  /** Until when access is paid, or null for a free tier. */
  paidUntil: z.nullable(instant),
  isRenewing: z.boolean(),
  /** Another fan paid the current period. */
  isGift: z.boolean(),
});
export const listCreatorTiers = route({
  method: 'GET',
  path: '/public/subscription-tiers/:creatorId',
  summary: 'List the tiers that a creator offers, with the viewer’s subscription and the discount of a code',
  auth: 'public',
  rate: 'read',
  params: z.object({ creatorId: userId }),
  query: z.object({ offer: z.optional(requestedCode) }),
  response: z.object({
    tiers: z.array(subscriptionTier),
    /** What everyone sees without a subscription. */
    free: z.object(contentCounts),
    /** All published posts, for “146 of 148 posts”. */
    total: z.object(contentCounts),
    /** Whether the viewer can still have a trial: visitors, and fans who never subscribed to the creator other than by a gift. */
    canHaveTrial: z.boolean(),
    /** After a charge, it is refunded if the fan opened nothing since. 0: never. */
    refundHours: z.number(),
    subscription: z.nullable(viewerSubscription),
    /** The offer of the code in the query, or null. */
    offer: z.nullable(viewedOffer),
    /** Why there is no offer for the code: the same for all codes that the viewer cannot use. */
    offerRefusal: z.nullable(z.string()),
  }),
  errors: ['NOT_FOUND'],
});

/** Emitted to viewers of the creator: refetch the tiers. */
export const tiersChanged = event({
  name: 'SUBSCRIPTION_TIERS_CHANGED',
  audience: 'watching',
  payload: z.object({ creatorId: userId }),
});
