import type { listCreatorTiers } from '@stagedoor/contract/content/subscription-tiers.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { defineHook } from '../../../platform/hooks.ts';

/** Decides which offers of a creator a fan can use. */
export type FanHistory = { hasSubscribed: boolean; isSubscribed: boolean; usedOfferIds: readonly string[] };
type CreatorTiers = ResponseInputOf<typeof listCreatorTiers>;
/**
 * Returns a fan's current subscription to a creator and whether the fan can still have a trial. The history is read only for
 * codes, because every visit of a profile reads the rest.
 */
export type ViewerSubscriptionReader = (
  db: Executor,
  fanId: string,
  creatorId: string,
) => Promise<Pick<CreatorTiers, 'subscription' | 'canHaveTrial'> & { getHistory: () => Promise<FanHistory> }>;

/** Implemented by `subscriptions`, which depends on this module. */
export const viewerSubscription = defineHook<ViewerSubscriptionReader>('subscriptionTiers.viewerSubscription');
export const registerViewerSubscription = viewerSubscription.register;
