/** Changes of the fan's subscriptions, such as renewals and endings, and of tiers that are shown. */
import { tiersChanged } from '@stagedoor/contract/content/subscription-tiers.ts';
import { subscriptionChanged } from '@stagedoor/contract/content/subscriptions.ts';
import { createListener, type LiveListener } from '../../../platform/module.ts';
import { creatorTiersQuery } from './creator-tiers.ts';
import { invalidateSubscriptions } from './subscription-cache.ts';

const listenForSubscriptions = createListener(subscriptionChanged, (client) => void invalidateSubscriptions(client));
const listenForTiers = createListener(tiersChanged, (client, { creatorId }) => {
  void client.invalidateQueries({ queryKey: creatorTiersQuery(creatorId).queryKey });
});

export const subscribeToSubscriptions: LiveListener = (client, viewer) => {
  const stops = [listenForSubscriptions, listenForTiers].map((listen) => listen(client, viewer));
  return () => {
    for (const stop of stops) stop();
  };
};
