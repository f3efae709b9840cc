/** Conversations as they can be read without a connection: words and what kind of file it was. No sum, no address of a file. */
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
    // What it costs is no part of it.
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

/** Null: no list of conversations was opened. */
export function seenConversations(client: QueryClient, side: Side): SeenConversation[] | null {
  const items = client.getQueryData(listQuery('chat').queryKey)?.items;
  return items?.map((each) => seenOf(each, side, threadOfCache(client, each.id)?.messages ?? [])) ?? null;
}
