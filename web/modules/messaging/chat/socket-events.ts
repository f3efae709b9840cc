/** Applies live events to the chat cache. Mounted once around all chat pages (rows E4 to E7, E10). */
import { broadcastProgress } from '@stagedoor/contract/messaging/broadcasts.ts';
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
} from '@stagedoor/contract/messaging/chat-events.ts';
import { BROADCAST_KEY, type Message } from '@stagedoor/contract/messaging/messages.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSocketEvent } from '../../../platform/socket-events.ts';
import { applyBroadcastProgress } from './broadcast/refresh.ts';
import {
  applyDeletion,
  applyMark,
  applyMessage,
  applyRemoval,
  applyRevision,
  findKnownConversation,
  invalidateChat,
  refetchChat,
  refreshConversation,
} from './cache.ts';
import { setTyping } from './thread/typing.ts';

function refetchIfUnknown(client: QueryClient, id: string): void {
  if (id === BROADCAST_KEY || findKnownConversation(client, id)) return;
  refreshConversation(client, id).catch(() => undefined);
}

export function applyArrivedMessage(client: QueryClient, message: Message): void {
  applyMessage(client, message);
  refetchIfUnknown(client, message.conversationId);
}

function applyChangedConversation(client: QueryClient, conversationId: string, revision: number): void {
  applyRevision(client, conversationId, revision);
  refetchIfUnknown(client, conversationId);
}

function useMediaEvents(): void {
  const applyResponse = (client: QueryClient, { data }: { data: Message }) => applyMessage(client, data);
  useSocketEvent(purchaseMessageMedia, applyResponse);
  useSocketEvent(chatMediaReady, applyResponse);
  useSocketEvent(viewedChatMedia, applyResponse);
  useSocketEvent(removeViewedChatMedia, applyResponse);
}

function useBroadcastEvents(): void {
  useSocketEvent(broadcastProgress, applyBroadcastProgress);
}

export function useChatEvents(viewerId: string): void {
  const client = useQueryClient();
  useEffect(() => () => invalidateChat(client), [client]);
  useSocketEvent(receiveMessage, (cache, messages) => {
    for (const message of messages) {
      applyArrivedMessage(cache, message);
      if (message.ownerId !== viewerId) setTyping(message.conversationId, false);
    }
  });
  useSocketEvent(messagesMissed, (cache) => {
    invalidateChat(cache);
    refetchChat(cache);
  });
  useSocketEvent(messageStatusChanged, (cache, { conversationId, ownerId, seq, status }) =>
    applyMark(cache, conversationId, { ownerId, seq, status }),
  );
  useSocketEvent(userBlockUnblock, (cache, { conversationId, revision }) =>
    applyChangedConversation(cache, conversationId, revision),
  );
  useSocketEvent(messageRemoved, (cache, { conversationId, messageId, revision, conversationRevision }) => {
    applyRemoval(cache, conversationId, messageId, revision);
    applyChangedConversation(cache, conversationId, conversationRevision);
  });
  useSocketEvent(conversationChanged, (cache, { conversationId, isDeleted, revision, lastSeq }) => {
    if (isDeleted) applyDeletion(cache, conversationId, lastSeq);
    else applyChangedConversation(cache, conversationId, revision);
  });
  useSocketEvent(messageTyping, (_, { conversationId, userId, isTyping }) => {
    if (userId !== viewerId) setTyping(conversationId, isTyping);
  });
  useMediaEvents();
  useBroadcastEvents();
}
