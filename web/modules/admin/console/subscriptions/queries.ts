import {
  getAdminSubscription,
  getSubscriptionOverview,
  listAdminSubscriptions,
  type SubscriptionList,
} from '@stagedoor/contract/admin/subscriptions.ts';
import { apiInfiniteQuery, apiQuery } from '../../../../platform/query.ts';

export const subscriptionOverviewQuery = () => apiQuery(getSubscriptionOverview, {});
export const adminSubscriptionsQuery = (list: SubscriptionList, user: string | undefined) =>
  apiInfiniteQuery(listAdminSubscriptions, { query: { limit: 30, ...(user === undefined ? { list } : { user }) } });
export const adminSubscriptionQuery = (id: string) => apiQuery(getAdminSubscription, { params: { id } });
