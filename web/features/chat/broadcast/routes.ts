import * as routes from '@stagedoor/contract/broadcasts.ts';
import { apiQuery } from '../../../kernel/query.ts';

export const getBroadcast = (id: string) => apiQuery(routes.getBroadcast, { params: { id } });
export const listBroadcasts = (status: 'sent' | 'scheduled') =>
  apiQuery(routes.listBroadcasts, { query: { status, limit: 50 } });
export const broadcastGroups = (mediaIds: readonly string[]) =>
  apiQuery(routes.broadcastGroups, { query: { mediaIds: mediaIds.join(',') } });
