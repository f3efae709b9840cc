/** Changes of posts while they are shown: prices, who can open them, and the fan’s own subscriptions. */
import { getPost, listCreatorMedia, postAudienceChanged } from '@stagedoor/contract/content/posts.ts';
import { subscriptionChanged } from '@stagedoor/contract/content/subscriptions.ts';
import type { PayloadOf } from '@stagedoor/contract/shared/event.ts';
import type { QueryClient } from '@tanstack/react-query';
import { createListener, type LiveListener } from '../../../platform/module.ts';
import { apiQuery, routeKey } from '../../../platform/query.ts';
import { invalidatePostLists } from './cache.ts';
import { listenForPrices } from './price-changes.ts';

export function applyAudienceChange(client: QueryClient, { postIds }: PayloadOf<typeof postAudienceChanged>): void {
  for (const id of postIds) void client.invalidateQueries({ queryKey: apiQuery(getPost, { params: { id } }).queryKey });
  void invalidatePostLists(client);
}

const listenForAudiences = createListener(postAudienceChanged, applyAudienceChange);

const listenForSubscriptions = createListener(subscriptionChanged, (client) => {
  for (const route of [getPost, listCreatorMedia]) void client.invalidateQueries({ queryKey: routeKey(route) });
  void invalidatePostLists(client);
});

/** All changes of posts. One listener, because each one that loads later costs every page some script. */
export const listenForPostChanges: LiveListener = (client, viewer) => {
  const stops = [listenForPrices, listenForAudiences, listenForSubscriptions].map((listen) => listen(client, viewer));
  return () => {
    for (const stop of stops) stop();
  };
};
