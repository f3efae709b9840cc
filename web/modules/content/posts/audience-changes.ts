/** Posts that subscriptions open to others than before, and the fan's own subscriptions. */
import { getPost, postAudienceChanged } from '@stagedoor/contract/content/posts.ts';
import { subscriptionChanged } from '@stagedoor/contract/content/subscriptions.ts';
import type { PayloadOf } from '@stagedoor/contract/shared/event.ts';
import type { QueryClient } from '@tanstack/react-query';
import { createListener } from '../../../platform/module.ts';
import { apiQuery, routeKey } from '../../../platform/query.ts';
import { invalidatePostLists } from './cache.ts';

export function applyAudienceChange(client: QueryClient, { postIds }: PayloadOf<typeof postAudienceChanged>): void {
  for (const id of postIds) void client.invalidateQueries({ queryKey: apiQuery(getPost, { params: { id } }).queryKey });
  void invalidatePostLists(client);
}

export const listenForAudiences = createListener(postAudienceChanged, applyAudienceChange);

export const listenForSubscriptions = createListener(subscriptionChanged, (client) => {
  void client.invalidateQueries({ queryKey: routeKey(getPost) });
  void invalidatePostLists(client);
});
