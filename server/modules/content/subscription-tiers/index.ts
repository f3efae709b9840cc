/** What creators offer to subscribers. `subscriptions` sells it, and `posts` names tiers as the audience of a post. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';
import './events.ts';

export { type FanHistory, registerViewerSubscription } from './hooks.ts';
export { countCodeLookup, type TakenOffer, takeOfferUse } from './offer-codes.ts';
export { findOfferedTier, type OfferedTier } from './offered.ts';
export { type OpeningTier, openingTierSql } from './opening-tier.ts';
export { loadSubscriptionSettings } from './settings.ts';
export { hasSlot, lockOwnTier, lockTiers, releaseSlot, takeSlot } from './slots.ts';
export {
  findSuccessorTierId,
  findTier as findRenewableTier,
  findTierCreatorId,
  listAllTierIds,
  listIncludedTierIds,
  listTiers,
} from './store.ts';

export const featureModule = { ...manifest, register };
