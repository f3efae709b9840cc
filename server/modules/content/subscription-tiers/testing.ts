import { randomUUID } from 'node:crypto';
import type { OfferBody } from '@stagedoor/contract/content/subscription-offers.ts';
import type { TierBody } from '@stagedoor/contract/content/subscription-tiers.ts';
import type { TestUser } from '../../../testing/app.ts';

export { closeOffer, createOffer, listOwnOffers } from './offers.ts';

export const MONTHLY_TIER: TierBody = {
  name: 'Kiln',
  benefits: ['All kiln films'],
  prices: { weekly: null, monthaly: 12, yearly: null },
  bundles: [],
  trialDays: null,
  slots: null,
  isOpen: true,
};

const OFFER_DAYS = 30;
/** By default the offer is half off the first three charges, for everyone and all paid tiers. Returns the response. */
export function createTestOffer(creator: TestUser, now: Date, body: Partial<OfferBody> = {}) {
  const endsAt = new Date(now.getTime() + OFFER_DAYS * 86_400_000).toISOString();
  const defaults: OfferBody = {
    ...{ code: 'SPRING', percentOff: 50, periods: 3, tierId: null, audience: 'everyone', maxUses: null, endsAt },
  };
  return creator.inject(
    'POST',
    '/api/creator/subscription-offers',
    { ...defaults, ...body },
    { 'idempotency-key': randomUUID() },
  );
}

/** Creates a tier above the creator's existing ones and returns its id. */
export async function createTestTier(creator: TestUser, body: Partial<TierBody> = {}): Promise<string> {
  const response = await creator.inject(
    'POST',
    '/api/creator/subscription-tiers',
    { ...MONTHLY_TIER, ...body },
    { 'idempotency-key': randomUUID() },
  );
  const id: unknown = response.json().tiers?.at(-1)?.id;
  if (typeof id !== 'string') throw new Error(`no tier was created: ${response.body}`);
  return id;
}
