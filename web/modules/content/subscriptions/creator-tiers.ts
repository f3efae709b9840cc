import {
  listCreatorTiers,
  type SubscriptionTier,
  type ViewedOffer,
} from '@stagedoor/contract/content/subscription-tiers.ts';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { apiQuery } from '../../../platform/query.ts';
import type { PeriodKey } from './billing.ts';
import { readOfferCode } from './plan-choice.ts';

export type SubscribeCreator = { id: string; username: string; name: string };

/** The tier and period that a fan is about to subscribe to. */
export type ChosenPlan = {
  creator: SubscribeCreator;
  tier: SubscriptionTier;
  period: PeriodKey | undefined;
  /** Whether the fan can still have the tier's trial. */
  canHaveTrial: boolean;
  /** The discount of the fan's code. It may be for other tiers. */
  offer: ViewedOffer | null;
  /** An ISO timestamp. */
  now: string;
};

/** The key without a code is a prefix of those with one. */
export const creatorTiersQuery = (creatorId: string, offerCode?: string) =>
  apiQuery(listCreatorTiers, { params: { creatorId }, query: offerCode ? { offer: offerCode } : {} });

/** Loads the tiers with the discount of the code in the address. */
export function useCreatorTiers(creatorId: string) {
  const [search] = useSearchParams();
  return useQuery(creatorTiersQuery(creatorId, readOfferCode(search)));
}

/** Whether the page leads with subscribing: there are open tiers, and the viewer does not subscribe yet. */
export function useCanSubscribe(creatorId: string): boolean {
  const { data } = useCreatorTiers(creatorId);
  return data !== undefined && data.subscription === null && data.tiers.some(({ isOpen }) => isOpen);
}
