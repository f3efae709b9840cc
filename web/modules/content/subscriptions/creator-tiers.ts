import { listCreatorTiers, type SubscriptionTier } from '@stagedoor/contract/content/subscription-tiers.ts';
import { apiQuery } from '../../../platform/query.ts';
import type { PeriodKey } from './billing.ts';

export type SubscribeCreator = { id: string; username: string; name: string };

/** The tier and period that a fan is about to subscribe to. */
export type ChosenPlan = {
  creator: SubscribeCreator;
  tier: SubscriptionTier;
  period: PeriodKey | undefined;
  /** Whether the fan can still have the tier's trial. */
  canTry: boolean;
  /** An ISO timestamp. */
  now: string;
};

export const creatorTiersQuery = (creatorId: string) => apiQuery(listCreatorTiers, { params: { creatorId } });
