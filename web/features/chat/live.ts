/** Applies live events to the chat cache. Mounted once around all chat pages (rows E4 to E7, E10). */
import { broadcastProgress } from '@stagedoor/contract/broadcasts.ts';
import {
  chatMediaReady,
  conversationChanged,
  messageRemoved,
  messageStatusChanged,
  messagesMissed,
  messageTyping,
  purchaseMessageMedia,
  receiveMessage,
  removeViewedChatMedia,
  userBlockUnblock,
  viewedChatMedia,
} from '@stagedoor/contract/chat-live.ts';
import { BROADCAST_KEY, type Message } from '@stagedoor/contract/messages.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isConnected, onConnected, useLive } from '../../kernel/live.ts';
import { getBroadcast, listBroadcasts } from './broadcast/routes.ts';
import {
  catchUp,
  forgetFreshness,
  knownConversation,
  refreshConversation,
  takeDeleted,
  takeMark,
  takeMessage,
  takeRemoved,
  takeRevised,
} from './cache.ts';
import { noteTyping } from './thread/typing.ts';

function askIfUnknown(client: QueryClient, id: string): void {
  if (id === BROADCAST_KEY || knownConversation(client, id)) return;
  refreshConversation(client, id).catch(() => undefined);
}

export function takeArrived(client: QueryClient, message: Message): void {
  takeMessage(client, message);
  askIfUnknown(client, message.conversationId);
}

function takeChanged(client: QueryClient, conversationId: string, revision: number): void {
  takeRevised(client, conversationId, revision);
  askIfUnknown(client, conversationId);
}

function useLiveMedia(): void {
  const take = (client: QueryClient, { data }: { data: Message }) => takeMessage(client, data);
  useLive(purchaseMessageMedia, take);
  useLive(chatMediaReady, take);
  useLive(viewedChatMedia, take);
  useLive(removeViewedChatMedia, take);
}

function useLiveBroadcasts(): void {
  useLive(broadcastProgress, (client, progress) => {
    client.setQueryData(getBroadcast(progress.id).queryKey, (known) => known && { ...known, ...progress });
    for (const status of ['sent', 'scheduled'] as const)
      client.setQueryData(
        listBroadcasts(status).queryKey,
        (known) =>
          known && {
            ...known,
            data: known.data.map((one) => (one.id === progress.id ? { ...one, ...progress } : one)),
          },
      );
  });
}

export function useLiveChat(viewerId: string): void {
  const client = useQueryClient();
  // The page data is older than its first connection. Later reconnects are handled by the socket itself.
  useEffect(() => {
    let stop = (): void => undefined;
    if (!isConnected())
      stop = onConnected(() => {
        stop();
        catchUp(client);
      });
    return () => {
      stop();
      forgetFreshness(client);
    };
  }, [client]);
  useLive(receiveMessage, (cache, messages) => {
    for (const message of messages) {
      takeArrived(cache, message);
      if (message.ownerId !== viewerId) noteTyping(message.conversationId, false);
    }
  });
  useLive(messagesMissed, (cache) => {
    forgetFreshness(cache);
    catchUp(cache);
  });
  useLive(messageStatusChanged, (cache, { conversationId, ownerId, seq, status }) =>
    takeMark(cache, conversationId, { ownerId, seq, status }),
  );
  useLive(userBlockUnblock, (cache, { conversationId, revision }) => takeChanged(cache, conversationId, revision));
  useLive(messageRemoved, (cache, { conversationId, messageId, revision, conversationRevision }) => {
    takeRemoved(cache, conversationId, messageId, revision);
    takeChanged(cache, conversationId, conversationRevision);
  });
  useLive(conversationChanged, (cache, { conversationId, isDeleted, revision, lastSeq }) => {
    if (isDeleted) takeDeleted(cache, conversationId, lastSeq);
    else takeChanged(cache, conversationId, revision);
  });
  useLive(messageTyping, (_, { conversationId, userId, isTyping }) => {
    if (userId !== viewerId) noteTyping(conversationId, isTyping);
  });
  useLiveMedia();
  useLiveBroadcasts();
}
