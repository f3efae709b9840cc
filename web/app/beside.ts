import { badgeOf } from '@stagedoor/contract/push.ts';
import type { QueryClient } from '@tanstack/react-query';
import { unreadQuery } from '../features/chat/inbox/unread.ts';
import { beginInstalled, hasWorkers } from '../features/installed/begin.ts';
import { beginPush } from '../features/notifications/push/listen.ts';
import { countQuery } from '../features/notifications/queries.ts';
import { seenFeed } from '../features/posts/seen.ts';
import { whenReachable } from '../kernel/lazy-part.ts';
import { viewerQuery } from '../kernel/session.ts';

/** Returns the function that stops the services. Operators get none. */
export async function beginBeside(client: QueryClient): Promise<() => void> {
  const viewer = client.getQueryData(viewerQuery().queryKey);
  if (!viewer || viewer.type === 'operator' || !hasWorkers()) return () => undefined;
  const { id, name, type } = viewer;
  // This file is already loaded on every page. Importing the chat cache separately would add another file.
  const { seenConversations } = await whenReachable(() => import('../features/chat/incoming.ts'));
  const side = type === 'creator' ? 'creator' : 'fan';
  const { stop, showHowTo } = beginInstalled(
    client,
    { id, name, type },
    {
      seen: () => ({
        feed: side === 'fan' ? seenFeed(client) : null,
        conversations: seenConversations(client, side),
      }),
      unread: () =>
        badgeOf({
          alerts: client.getQueryData(countQuery().queryKey)?.count ?? 0,
          messages: client.getQueryData(unreadQuery().queryKey)?.unmutedCount ?? 0,
        }),
    },
  );
  const stopPush = beginPush(client, { id, type }, showHowTo);
  return () => {
    stop();
    stopPush();
  };
}
