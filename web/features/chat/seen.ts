/** Conversations stored for offline reading: texts and file types, without prices and file URLs. */
import type { Conversation, Message, Side } from '@stagedoor/contract/messages.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { SeenConversation, SeenMessage } from '../../workers/shared.ts';
import { listQuery, threadOfCache } from './cache.ts';
import { isFrom, otherOf } from './model.ts';
import { filesOf, lineOf } from './words.ts';

function wordsOf(message: Message): string {
  if (message.tip) return ['Tip', message.tip.note].filter(Boolean).join(': ');
  if (message.call) return 'Call';
  if (message.type === 'text') return message.text;
  return [filesOf(message), message.text].filter(Boolean).join(': ');
}

function seenOf(conversation: Conversation, side: Side, messages: readonly Message[]): SeenConversation {
  const { lastMessage: last } = conversation;
  return {
    id: conversation.id,
    name: otherOf(conversation, side).name,
    at: conversation.lastMessageCreatedAt ?? '',
    // Prices are not stored for offline reading.
    line: last ? lineOf({ ...last, price: 0 }, side) : '',
    messages: messages.map(
      (message): SeenMessage => ({
        isMine: isFrom(message, side),
        at: message.createdAt,
        words: wordsOf(message),
      }),
    ),
  };
}

export function seenConversations(client: QueryClient, side: Side): SeenConversation[] | null {
  const items = client.getQueryData(listQuery('chat').queryKey)?.items;
  return items?.map((each) => seenOf(each, side, threadOfCache(client, each.id)?.messages ?? [])) ?? null;
}
