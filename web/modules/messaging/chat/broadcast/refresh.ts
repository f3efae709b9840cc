/** Updates the thread and the lists of broadcasts after a broadcast was scheduled, moved, sent or deleted. */
import type { Broadcast, broadcastProgress } from '@stagedoor/contract/messaging/broadcasts.ts';
import { BROADCAST_KEY } from '@stagedoor/contract/messaging/messages.ts';
import type { PayloadOf } from '@stagedoor/contract/shared/event.ts';
import type { QueryClient } from '@tanstack/react-query';
import { applyMessage, threadQuery } from '../cache.ts';
import { broadcastQuery, broadcastsQuery } from './queries.ts';

const LISTS = ['sent', 'scheduled'] as const;

export function refreshBroadcasts(client: QueryClient): void {
  for (const list of LISTS) void client.invalidateQueries({ queryKey: broadcastsQuery(list).queryKey });
}

/** Applies the server's answer to a change of a broadcast. A sent one appears in the thread. */
export function applyBroadcast(client: QueryClient, broadcast: Broadcast): void {
  client.setQueryData(broadcastQuery(broadcast.id).queryKey, broadcast);
  if (broadcast.status === 'sent') applyMessage(client, broadcast.message);
  refreshBroadcasts(client);
}

/** A scheduled broadcast that was sent at its time appears in the thread. */
export function applyBroadcastProgress(client: QueryClient, progress: PayloadOf<typeof broadcastProgress>): void {
  client.setQueryData(broadcastQuery(progress.id).queryKey, (cached) => cached && { ...cached, ...progress });
  for (const list of LISTS) {
    const { queryKey } = broadcastsQuery(list);
    const known = client.getQueryData(queryKey)?.data.find(({ id }) => id === progress.id);
    if (!known) continue;
    client.setQueryData(
      queryKey,
      (cached) =>
        cached && {
          ...cached,
          data: cached.data.map((one) => (one.id === progress.id ? { ...one, ...progress } : one)),
        },
    );
    if (known.status === progress.status) continue;
    refreshBroadcasts(client);
    void client.refetchQueries({ queryKey: threadQuery(BROADCAST_KEY).queryKey });
  }
}
