/** Discounts for new subscribers: a percentage off the first charges, by a link or a code. */
import * as z from 'zod/mini';
import { instant, subscriptionOfferId, subscriptionTierId } from '../shared/ids.ts';
import { OFFER_LIMITS } from '../shared/limits.ts';
import { route } from '../shared/route.ts';
import { OFFER_AUDIENCES, offerCode } from './subscription-tiers.ts';

const limits = OFFER_LIMITS;

/** `ended` means that its end has passed, `closed` that the creator closed it or deleted its tier. */
export const OFFER_STATES = ['running', 'usedUp', 'ended', 'closed'] as const;

export const offerBody = z.object({
  code: offerCode,
  percentOff: z.number().check(z.int(), z.gte(limits.percent.min), z.lte(limits.percent.max)),
  /** How many charges are discounted. */
  periods: z.number().check(z.int(), z.gte(limits.periods.min), z.lte(limits.periods.max)),
  /** Null means all paid tiers. */
  tierId: z.nullable(subscriptionTierId),
  audience: z.enum(OFFER_AUDIENCES),
  /** The number of fans who can use the offer, each of them once. Null means no limit. */
  maxUses: z.nullable(z.number().check(z.int(), z.gte(1), z.lte(limits.usesMax))),
  endsAt: instant,
});
export type OfferBody = z.input<typeof offerBody>;

export const ownOffer = z.object({
  id: subscriptionOfferId,
  code: z.string(),
  percentOff: z.number(),
  periods: z.number(),
  tier: z.nullable(z.object({ id: subscriptionTierId, name: z.string() })),
  audience: z.enum(OFFER_AUDIENCES),
  maxUses: z.nullable(z.number()),
  useCount: z.number(),
  endsAt: instant,
  createdAt: instant,
  closedAt: z.nullable(instant),
  state: z.enum(OFFER_STATES),
});
export type OwnOffer = z.infer<typeof ownOffer>;
const ownOffers = z.object({ offers: z.array(ownOffer) });

export const listOwnOffers = route({
  method: 'GET',
  path: '/creator/subscription-offers',
  summary: 'List the creator’s subscription offers with their uses: running ones first, then the newest',
  auth: 'creator',
  team: ['figures'],
  rate: 'read',
  response: ownOffers,
});
export const createOffer = route({
  method: 'POST',
  path: '/creator/subscription-offers',
  summary: 'Create a subscription offer. A code can be used only once. Fails with CONFLICT if too many are running',
  auth: 'creator',
  activity: 'posting',
  rate: 'write',
  idempotent: true,
  body: offerBody,
  response: ownOffers,
  errors: ['NOT_FOUND', 'CONFLICT', 'NOT_VERIFIED'],
});
export const closeOffer = route({
  method: 'POST',
  path: '/creator/subscription-offers/:id/close',
  summary: 'Close a subscription offer for new subscribers. Those who used it keep their discount',
  auth: 'creator',
  rate: 'write',
  params: z.object({ id: subscriptionOfferId }),
  response: ownOffers,
  errors: ['NOT_FOUND'],
});
