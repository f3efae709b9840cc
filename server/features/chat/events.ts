/** What chat tells after a commit: sockets, broadcasts' numbers. */
import type { MessageType } from '@stagedoor/contract/messages.ts';

declare module '../../kernel/events.ts' {
  interface EventMap {
    /** A message was sent; the row is there, unless it was unsent since. Broadcasts' messages are not told one by one. */
    'message.sent': {
      messageId: string;
      conversationId: string;
      creatorId: string;
      fanId: string;
      isFromCreator: boolean;
      messageType: MessageType;
      /** It opened, or rides with, a request that the creator has not answered. */
      isRequest: boolean;
      /** The conversation is new, or came back, or changed its state by it. */
      isChanged: boolean;
    };
    /** A fan asks a creator to chat (the creator's `chatRequest`): for the first time, or again. */
    'chat.requested': { conversationId: string; creatorId: string; fanId: string };
    /** A creator accepted a fan's request (the fan's `chatApprove`). */
    'chat.approved': { conversationId: string; creatorId: string; fanId: string };
    /** A fan bought the files of a message (the creator's `unlockChatMedia`). */
    'chat.purchased': {
      messageId: string;
      conversationId: string;
      creatorId: string;
      fanId: string;
      transactionId: string;
      broadcastId: string | null;
      netCents: number;
    };
    /** One of the two blocked the other. */
    'chat.blocked': { creatorId: string; fanId: string };
    /** The files of a message were taken away: it opened once, was unsent, or is withheld. */
    'chat.closed': { messageId: string };
  }
}
