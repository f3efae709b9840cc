import {
  countNotifications,
  listNotifications,
  type NotificationLine,
  notificationsChanged,
  readNotifications,
} from '@stagedoor/contract/notifications.ts';
import type { QueryClient } from '@tanstack/react-query';
import { isConnected, onConnected, onEvent } from '../../kernel/live.ts';
import { api } from '../../kernel/mutation.ts';
import { apiInfiniteQuery, apiQuery, routeKey } from '../../kernel/query.ts';

export type Tab = 'all' | 'unread';

export const countQuery = () => apiQuery(countNotifications, {});
export const linesQuery = (tab: Tab) => apiInfiniteQuery(listNotifications, { query: { tab } });

/** Followers of a popular creator are notified at the same moment. The delay spreads their requests. */
const SPREAD_MS = 1_500;

export function listenForNotifications(client: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const route of [countNotifications, listNotifications])
        void client.invalidateQueries({ queryKey: routeKey(route) });
    }, Math.random() * SPREAD_MS);
  };
  const stops = [onEvent(notificationsChanged, refresh), onConnected(refresh)];
  // Events that arrived before this code loaded were missed.
  if (isConnected()) refresh();
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}

async function read(client: QueryClient, body: Parameters<typeof api<typeof readNotifications>>[1]['body']) {
  const answer = await api(readNotifications, { body }, { keepalive: true });
  client.setQueryData(countQuery().queryKey, answer);
  await client.invalidateQueries({ queryKey: routeKey(listNotifications) });
}

/** Marks a notification as read. The request also completes when the page is left. */
export const readLine = (client: QueryClient, { id, kind, firstId }: NotificationLine) =>
  read(client, { upTo: id, line: { kind, firstId } });
export const readAlert = (client: QueryClient, id: NotificationLine['id']) =>
  read(client, { upTo: id, line: { firstId: id } });
/** Marks the shown notifications and all earlier ones as read. Those that arrived in the meantime stay unread. */
export const readAll = (client: QueryClient, newest: NotificationLine) => read(client, { upTo: newest.id });
