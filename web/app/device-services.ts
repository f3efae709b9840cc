import { toBadgeCount } from '@stagedoor/contract/notifications/push.ts';
import type { QueryClient } from '@tanstack/react-query';
import { findSeenFeed } from '../modules/content/posts/offline-feed.ts';
import { unreadQuery } from '../modules/messaging/chat/inbox/unread.ts';
import { markNotificationRead, unreadCountQuery } from '../modules/notifications/notifications/queries.ts';
import { startPush } from '../modules/notifications/push/start-push.ts';
import { loadWhenReachable } from '../platform/lazy-part.ts';
import { hasServiceWorkers, startPwa } from '../platform/pwa/start-pwa.ts';
import { viewerQuery } from '../platform/session.ts';

/** Returns the function that stops the services. Operators get none. */
export async function startDeviceServices(client: QueryClient): Promise<() => void> {
  const viewer = client.getQueryData(viewerQuery().queryKey);
  if (!viewer || viewer.type === 'operator' || !hasServiceWorkers()) return () => undefined;
  const { id, name, type } = viewer;
  // This file is already loaded on every page. Importing the chat cache separately would add another file.
  const { listOfflineConversations } = await loadWhenReachable(
    () => import('../modules/messaging/chat/incoming-messages.ts'),
  );
  const side = type === 'creator' ? 'creator' : 'fan';
  const { stop, showInstructions } = startPwa(
    client,
    { id, name, type },
    {
      getContent: () => ({
        feed: side === 'fan' ? findSeenFeed(client) : null,
        conversations: listOfflineConversations(client, side),
      }),
      countUnread: () =>
        toBadgeCount({
          alerts: client.getQueryData(unreadCountQuery().queryKey)?.count ?? 0,
          messages: client.getQueryData(unreadQuery().queryKey)?.unmutedCount ?? 0,
        }),
    },
  );
  const stopPush = startPush(
    client,
    { id, type },
    {
      markAsRead: (notificationId) => markNotificationRead(client, notificationId),
      onShowInstructions: showInstructions,
    },
  );
  return () => {
    stop();
    stopPush();
  };
}
