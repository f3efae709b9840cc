/**
 * Handles incoming messages on every page: it merges them, marks those of the other side as delivered and plays the
 * tone (rows E4, E13). Missed messages are marked with each connection.
 */

import { conversationList } from '@stagedoor/contract/chat.ts';
import { messageRemoved, receiveMessage } from '@stagedoor/contract/chat-live.ts';
import type { Message, Side } from '@stagedoor/contract/messages.ts';
import type { QueryClient } from '@tanstack/react-query';
import { isConnected, onConnected, onEvent } from '../../kernel/live.ts';
import { api } from '../../kernel/mutation.ts';
import { conversationQuery, knownConversation, takeMessage, takeRemoved } from './cache.ts';
import { playTone } from './inbox/tone.ts';
import { unreadQuery } from './inbox/unread.ts';
import { forgetMarks, mark } from './marks.ts';
import { isFrom, isMutedBy } from './model.ts';

/** Exported here because this is the only file of chat that every page loads. */
export { seenConversations } from './seen.ts';

const MUTE_FRESH_MS = 60_000;
const UNREAD_FRESH_MS = 1_000;
const MISSED_CONVERSATIONS = 50;

export function latestOfOthers(messages: readonly Message[], viewerId: string): Message[] {
  const latest = new Map<string, Message>();
  for (const message of messages) {
    if (message.ownerId === viewerId) continue;
    const known = latest.get(message.conversationId);
    if (!known || known.seq < message.seq) latest.set(message.conversationId, message);
  }
  return [...latest.values()];
}

async function isMuted(client: QueryClient, conversationId: string, side: Side): Promise<boolean> {
  const known = knownConversation(client, conversationId);
  if (known) return isMutedBy(known, side);
  const { data } = await client.fetchQuery({ ...conversationQuery(conversationId), staleTime: MUTE_FRESH_MS });
  return isMutedBy(data, side);
}

async function ring(client: QueryClient, messages: readonly Message[], side: Side): Promise<void> {
  for (const { conversationId } of messages) {
    if (!(await isMuted(client, conversationId, side))) return playTone();
  }
}

/** Marks the newest message of each unread conversation. A mark covers all earlier messages. */
async function markMissed(client: QueryClient, side: Side): Promise<void> {
  const { count } = await client.fetchQuery({ ...unreadQuery(), staleTime: UNREAD_FRESH_MS });
  if (count === 0) return;
  const query = { tab: 'unread', limit: MISSED_CONVERSATIONS } as const;
  const { data } = await api(conversationList, { query }, { showErrorMessage: false });
  for (const { id: conversationId, lastMessage } of data) {
    if (lastMessage?.status === 'sent' && !isFrom(lastMessage, side))
      mark({ conversationId, id: lastMessage.id, seq: lastMessage.seq }, 'delivered');
  }
}

export function listenForMessages(client: QueryClient, viewerId: string, side: Side): () => void {
  // A failed mark is repeated with the next connection.
  const catchUp = () => {
    forgetMarks();
    void markMissed(client, side).catch(() => undefined);
  };
  if (isConnected()) catchUp();
  const stopConnected = onConnected(catchUp);
  const stopMessages = onEvent(receiveMessage, (messages) => {
    for (const message of messages) takeMessage(client, message);
    const latest = latestOfOthers(messages, viewerId);
    for (const message of latest) mark(message, 'delivered');
    // If the mute setting cannot be loaded, no tone is played.
    if (latest.length > 0) void ring(client, latest, side).catch(() => undefined);
  });
  const stopRemoved = onEvent(messageRemoved, ({ conversationId, messageId, revision }) =>
    takeRemoved(client, conversationId, messageId, revision),
  );
  return () => {
    stopConnected();
    stopRemoved();
    stopMessages();
  };
}
