import * as routes from '@stagedoor/contract/messaging/broadcasts.ts';
import type { SubscriptionTierId } from '@stagedoor/contract/shared/ids.ts';
import { apiQuery } from '../../../../platform/query.ts';

export const broadcastQuery = (id: string) => apiQuery(routes.getBroadcast, { params: { id } });
export const broadcastsQuery = (status: 'sent' | 'scheduled') =>
  apiQuery(routes.listBroadcasts, { query: { status, limit: 50 } });
export const broadcastGroupsQuery = (mediaIds: readonly string[], tierId: SubscriptionTierId | undefined) =>
  apiQuery(routes.listBroadcastAudiences, { query: { mediaIds: mediaIds.join(','), tierId } });
