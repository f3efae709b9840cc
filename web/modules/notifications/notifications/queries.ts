import {
  countUnreadNotifications,
  listNotifications,
  markNotificationsRead,
  type NotificationGroup,
  notificationsChanged,
} from '@stagedoor/contract/notifications/notifications.ts';
import type { QueryClient } from '@tanstack/react-query';
import { api } from '../../../platform/mutation.ts';
import { apiInfiniteQuery, apiQuery, routeKey } from '../../../platform/query.ts';
import { isConnected, onEvent } from '../../../platform/socket-events.ts';

export type NotificationTab = 'all' | 'unread';

export const unreadCountQuery = () => apiQuery(countUnreadNotifications, {});
export const notificationsQuery = (tab: NotificationTab) => apiInfiniteQuery(listNotifications, { query: { tab } });

/** Followers of a popular creator are notified at the same moment. The delay spreads their requests. */
const SPREAD_MS = 1_500;

export function subscribeToNotifications(client: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const route of [countUnreadNotifications, listNotifications])
        void client.invalidateQueries({ queryKey: routeKey(route) });
    }, Math.random() * SPREAD_MS);
  };
  const stopListening = onEvent(notificationsChanged, refresh);
  // The badge that calls this may load after the connection, and events that arrived until then were missed.
  if (isConnected()) refresh();
  return () => {
    clearTimeout(timer);
    stopListening();
  };
}

async function markRead(client: QueryClient, body: Parameters<typeof api<typeof markNotificationsRead>>[1]['body']) {
  const response = await api(markNotificationsRead, { body }, { keepalive: true });
  client.setQueryData(unreadCountQuery().queryKey, response);
  await client.invalidateQueries({ queryKey: routeKey(listNotifications) });
}

/** Marks a notification as read. The request also completes when the page is left. */
export const markGroupRead = (client: QueryClient, { id, kind, firstId }: NotificationGroup) =>
  markRead(client, { upTo: id, group: { kind, firstId } });
export const markNotificationRead = (client: QueryClient, id: NotificationGroup['id']) =>
  markRead(client, { upTo: id, group: { firstId: id } });
/** Marks the shown notifications and all earlier ones as read. Those that arrived in the meantime stay unread. */
export const markAllRead = (client: QueryClient, newest: NotificationGroup) => markRead(client, { upTo: newest.id });
