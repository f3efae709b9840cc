import type { listCreatorTiers } from '@stagedoor/contract/content/subscription-tiers.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { defineHook } from '../../../platform/hooks.ts';

/** What decides which offers a fan can use. */
export type FanHistory = { hasSubscribed: boolean; isSubscribed: boolean; usedOfferIds: readonly string[] };
type CreatorTiers = ResponseInputOf<typeof listCreatorTiers>;
/** Returns a fan's current subscription to a creator, whether the fan can still have a trial, and what offers depend on. */
export type ViewerSubscriptionReader = (
  db: Executor,
  fanId: string,
  creatorId: string,
) => Promise<Pick<CreatorTiers, 'subscription' | 'canTry'> & { history: FanHistory }>;

/** Implemented by `subscriptions`, which depends on this module. */
export const viewerSubscription = defineHook<ViewerSubscriptionReader>('subscriptionTiers.viewerSubscription');
export const registerViewerSubscription = viewerSubscription.register;
