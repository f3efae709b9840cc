import { getFeed } from '@stagedoor/contract/content/feed.ts';
import { getPost, listCreatorMedia, listCreatorPosts, listPurchasedPosts } from '@stagedoor/contract/content/posts.ts';
import { listCreatorTiers } from '@stagedoor/contract/content/subscription-tiers.ts';
import {
  listEndedSubscriptions,
  listSubscriptions,
  type Subscription,
} from '@stagedoor/contract/content/subscriptions.ts';
import { getTransactionHistory, getWallet } from '@stagedoor/contract/finance/wallet.ts';
import { getCallTerms } from '@stagedoor/contract/messaging/calls.ts';
import { getConversationInfo } from '@stagedoor/contract/messaging/chat.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../platform/api-error.ts';
import { apiQuery, routeKey } from '../../../platform/query.ts';
import { creatorTiersQuery } from './creator-tiers.ts';

/** What a subscription opens or closes, and where it is shown. */
const AFFECTED_ROUTES = [
  listSubscriptions,
  listEndedSubscriptions,
  listCreatorTiers,
  getFeed,
  getPost,
  listCreatorPosts,
  listCreatorMedia,
  listPurchasedPosts,
  getCallTerms,
  getConversationInfo,
];
const MONEY_ROUTES = [getWallet, getTransactionHistory];

/** Refetches what a changed subscription affects. Lists that are shown are refetched immediately. */
export async function invalidateSubscriptions(client: QueryClient): Promise<void> {
  await Promise.all(AFFECTED_ROUTES.map((route) => client.invalidateQueries({ queryKey: routeKey(route) })));
}

export async function invalidateMoney(client: QueryClient): Promise<void> {
  await Promise.all(MONEY_ROUTES.map((route) => client.invalidateQueries({ queryKey: routeKey(route) })));
}

/**
 * Refetches a creator's tiers after a refused purchase, because they may have changed. The error of a conflict waits for that:
 * a press before it would send the old terms again.
 */
export function refetchTerms(client: QueryClient, creatorId: string, error: Error): Promise<void> | undefined {
  const refetching = client.invalidateQueries({ queryKey: creatorTiersQuery(creatorId).queryKey });
  return error instanceof ApiError && error.code === 'CONFLICT' ? refetching : undefined;
}

/** Shows a subscription as the server has confirmed it, on the creator's page and in the list of subscriptions. */
export function updateCachedSubscription(client: QueryClient, subscription: Subscription): void {
  const { id, creator, tier, paidUntil, isRenewing, state, gift } = subscription;
  client.setQueriesData<ResponseOf<typeof listCreatorTiers>>(
    { queryKey: creatorTiersQuery(creator.id).queryKey },
    (cached) =>
      cached && {
        ...cached,
        canHaveTrial: false,
        subscription: state === 'ended' ? null : { id, tierId: tier.id, paidUntil, isRenewing, isGift: gift !== null },
      },
  );
  client.setQueryData(
    apiQuery(listSubscriptions, {}).queryKey,
    (cached) =>
      cached && {
        ...cached,
        data: cached.data.flatMap((each) => {
          if (each.id !== id) return [each];
          return state === 'ended' ? [] : [subscription];
        }),
      },
  );
}
