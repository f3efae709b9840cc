import type { listCreatorTiers } from '@stagedoor/contract/content/subscription-tiers.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { defineHook } from '../../../platform/hooks.ts';

type CreatorTiers = ResponseInputOf<typeof listCreatorTiers>;
/** Returns a fan's current subscription to a creator, and whether the fan can still have a trial. */
export type ViewerSubscriptionReader = (
  db: Executor,
  fanId: string,
  creatorId: string,
) => Promise<Pick<CreatorTiers, 'subscription' | 'canTry'>>;

/** Implemented by `subscriptions`, which depends on this module. */
export const viewerSubscription = defineHook<ViewerSubscriptionReader>('subscriptionTiers.viewerSubscription');
export const registerViewerSubscription = viewerSubscription.register;
