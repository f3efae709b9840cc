/**
 * Handles incoming messages on every page: it merges them, marks those of the other side as delivered and plays the
 * tone (rows E4, E13). Missed messages are marked with each connection.
 */

import { getConversationList } from '@stagedoor/contract/messaging/chat.ts';
import { messageRemoved, receiveMessage } from '@stagedoor/contract/messaging/chat-events.ts';
import type { ChatSide, Message } from '@stagedoor/contract/messaging/messages.ts';
import type { QueryClient } from '@tanstack/react-query';
import { api } from '../../../platform/mutation.ts';
import { isConnected, onConnected, onEvent } from '../../../platform/socket-events.ts';
import { applyMessage, applyRemoval, conversationQuery, findKnownConversation } from './cache.ts';
import { playMessageTone } from './inbox/tone.ts';
import { unreadQuery } from './inbox/unread.ts';
import { clearMarks, sendMark } from './marks.ts';
import { isFromSide, isMutedBy } from './model.ts';

/** Exported here because this is the only file of chat that every page loads. */
export { listOfflineConversations } from './offline-conversations.ts';

const MUTE_FRESH_MS = 60_000;
const UNREAD_FRESH_MS = 1_000;
const MISSED_CONVERSATIONS = 50;

export function findLatestFromOthers(messages: readonly Message[], viewerId: string): Message[] {
  const latest = new Map<string, Message>();
  for (const message of messages) {
    if (message.ownerId === viewerId) continue;
    const cached = latest.get(message.conversationId);
    if (!cached || cached.seq < message.seq) latest.set(message.conversationId, message);
  }
  return [...latest.values()];
}

async function isMuted(client: QueryClient, conversationId: string, side: ChatSide): Promise<boolean> {
  const cached = findKnownConversation(client, conversationId);
  if (cached) return isMutedBy(cached, side);
  const { data } = await client.fetchQuery({ ...conversationQuery(conversationId), staleTime: MUTE_FRESH_MS });
  return isMutedBy(data, side);
}

async function playToneUnlessMuted(client: QueryClient, messages: readonly Message[], side: ChatSide): Promise<void> {
  for (const { conversationId } of messages) {
    if (!(await isMuted(client, conversationId, side))) return playMessageTone();
  }
}

/** Marks the newest message of each unread conversation. A mark covers all earlier messages. */
async function markMissedDelivered(client: QueryClient, side: ChatSide): Promise<void> {
  const { count } = await client.fetchQuery({ ...unreadQuery(), staleTime: UNREAD_FRESH_MS });
  if (count === 0) return;
  const query = { tab: 'unread', limit: MISSED_CONVERSATIONS } as const;
  const { data } = await api(getConversationList, { query }, { showErrorMessage: false });
  for (const { id: conversationId, lastMessage } of data) {
    if (lastMessage?.status === 'sent' && !isFromSide(lastMessage, side))
      sendMark({ conversationId, id: lastMessage.id, seq: lastMessage.seq }, 'delivered');
  }
}

export function subscribeToMessages(client: QueryClient, viewerId: string, side: ChatSide): () => void {
  // A failed mark is repeated with the next connection.
  const markMissedMessages = () => {
    clearMarks();
    void markMissedDelivered(client, side).catch(() => undefined);
  };
  if (isConnected()) markMissedMessages();
  const stopConnected = onConnected(markMissedMessages);
  const stopMessages = onEvent(receiveMessage, (messages) => {
    for (const message of messages) applyMessage(client, message);
    const latest = findLatestFromOthers(messages, viewerId);
    for (const message of latest) sendMark(message, 'delivered');
    // If the mute setting cannot be loaded, no tone is played.
    if (latest.length > 0) void playToneUnlessMuted(client, latest, side).catch(() => undefined);
  });
  const stopRemoved = onEvent(messageRemoved, ({ conversationId, messageId, revision }) =>
    applyRemoval(client, conversationId, messageId, revision),
  );
  return () => {
    stopConnected();
    stopRemoved();
    stopMessages();
  };
}
