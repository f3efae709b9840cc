import { listCreatorTiers, type SubscriptionTier } from '@stagedoor/contract/content/subscription-tiers.ts';
import { useQuery } from '@tanstack/react-query';
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

/** Whether the page leads with subscribing: there are open tiers, and the viewer does not subscribe yet. */
export function useCanSubscribe(creatorId: string): boolean {
  const { data } = useQuery(creatorTiersQuery(creatorId));
  return data !== undefined && data.subscription === null && data.tiers.some(({ isOpen }) => isOpen);
}
