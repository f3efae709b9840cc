import { tiersChanged } from '@stagedoor/contract/content/subscription-tiers.ts';
import { subscriptionChanged } from '@stagedoor/contract/content/subscriptions.ts';
import { useSocketEvent } from '../../../platform/socket-events.ts';
import { creatorTiersQuery } from './creator-tiers.ts';
import { invalidateSubscriptions } from './subscription-cache.ts';

/** Refetches tiers and subscriptions after a renewal, an ending or a change in another tab. */
export function useLiveSubscriptions(): void {
  useSocketEvent(subscriptionChanged, (client) => void invalidateSubscriptions(client));
  useSocketEvent(tiersChanged, (client, { creatorId }) => {
    void client.invalidateQueries({ queryKey: creatorTiersQuery(creatorId).queryKey });
  });
}
