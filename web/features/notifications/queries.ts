/** The list and its count, asked for anew when something came, or was read on another device. */
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

/** Followers of somebody loved are told in the same moment, and do not all ask in it. */
const SPREAD_MS = 1_500;

/** Keeps what is shown true. Answers the function that stops it. */
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
  // What came between the page and this code nobody heard.
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

/** Marks a line as read, on the way to its place too. */
export const readLine = (client: QueryClient, { id, kind, firstId }: NotificationLine) =>
  read(client, { upTo: id, line: { kind, firstId } });
/** Marks as read the one thing that was told under an id. */
export const readAlert = (client: QueryClient, id: NotificationLine['id']) =>
  read(client, { upTo: id, line: { firstId: id } });
/** Marks as read what is shown and everything before it: what came meanwhile stays new. */
export const readAll = (client: QueryClient, newest: NotificationLine) => read(client, { upTo: newest.id });
