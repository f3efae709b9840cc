/** Conversations stored for offline reading: texts and file types, without prices and file URLs. */
import type { ChatSide, Conversation, Message } from '@stagedoor/contract/messaging/messages.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { SeenConversation, SeenMessage } from '../../../workers/shared.ts';
import { conversationListQuery, findThread } from './cache.ts';
import { formatCallTitle, formatFiles, formatPreview } from './chat-labels.ts';
import { getOtherUser, isFromSide } from './model.ts';
import * as texts from './texts.ts';

function getText(message: Message, side: ChatSide): string {
  if (message.tip) return [texts.tip, message.tip.note].filter(Boolean).join(': ');
  if (message.call) return formatCallTitle(message.call, side);
  if (message.type === 'text') return message.text;
  return [formatFiles(message), message.text].filter(Boolean).join(': ');
}

function toOfflineConversation(
  conversation: Conversation,
  side: ChatSide,
  messages: readonly Message[],
): SeenConversation {
  const { lastMessage: last } = conversation;
  return {
    id: conversation.id,
    name: getOtherUser(conversation, side).name,
    at: conversation.lastMessageCreatedAt ?? '',
    // Prices and amounts are not stored for offline reading.
    preview: last ? formatPreview({ ...last, price: 0, tip: null }, side) : '',
    messages: messages.map(
      (message): SeenMessage => ({
        isMine: isFromSide(message, side),
        at: message.createdAt,
        text: getText(message, side),
      }),
    ),
  };
}

export function listOfflineConversations(client: QueryClient, side: ChatSide): SeenConversation[] | null {
  const items = client.getQueryData(conversationListQuery('chat').queryKey)?.items;
  return items?.map((each) => toOfflineConversation(each, side, findThread(client, each.id)?.messages ?? [])) ?? null;
}
