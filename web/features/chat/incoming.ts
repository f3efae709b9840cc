/**
 * What a message sets off on whatever page one is: it is known, and one from somebody else is marked as delivered, and a short tone
 * (rows E4, E13). What came while nobody listened is marked with each connection.
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

/** Here, as this is the file of chat's that every page gets. */
export { seenConversations } from './seen.ts';

const MUTE_FRESH_MS = 60_000;
const UNREAD_FRESH_MS = 1_000;
const MISSED_CONVERSATIONS = 50;

/** Others' messages by their conversation, of each the last. */
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

/** Marks the newest of each unread conversation; marks reach back. */
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

/** Answers the function that stops listening. */
export function listenForMessages(client: QueryClient, viewerId: string, side: Side): () => void {
  // Not heard this time, it is said with the next connection.
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
    // Whether it is muted is not known when it cannot be asked: then it is quiet.
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
