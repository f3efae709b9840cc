/** Events that change posts on every page: their prices, and the viewer's subscriptions, which open or close them. */
import { getPost, listCreatorMedia } from '@stagedoor/contract/content/posts.ts';
import { subscriptionChanged } from '@stagedoor/contract/content/subscriptions.ts';
import type { QueryClient } from '@tanstack/react-query';
import { createListener, type LiveListener } from '../../../platform/module.ts';
import { routeKey } from '../../../platform/query.ts';
import { invalidatePostLists } from './cache.ts';
import { listenForPrices } from './price-changes.ts';

function invalidatePosts(client: QueryClient): void {
  for (const route of [getPost, listCreatorMedia]) void client.invalidateQueries({ queryKey: routeKey(route) });
  void invalidatePostLists(client);
}

const listenForSubscriptions = createListener(subscriptionChanged, invalidatePosts);

export const subscribeToPosts: LiveListener = (client, viewer) => {
  const stops = [listenForPrices, listenForSubscriptions].map((listen) => listen(client, viewer));
  return () => {
    for (const stop of stops) stop();
  };
};
