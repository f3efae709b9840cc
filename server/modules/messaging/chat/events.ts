import type { MessageType } from '@stagedoor/contract/messaging/messages.ts';

declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    /** A message was sent. It may have been unsent since. Messages of broadcasts are not emitted one by one. */
    'message.sent': {
      messageId: string;
      conversationId: string;
      creatorId: string;
      fanId: string;
      isFromCreator: boolean;
      messageType: MessageType;
      isRequest: boolean;
      isChanged: boolean;
    };
    /** A fan sent a creator a chat request (the creator's `chatRequest`), for the first time or again. */
    'chat.requested': { conversationId: string; creatorId: string; fanId: string };
    /** A creator accepted a fan's request (the fan's `chatApprove`). */
    'chat.approved': { conversationId: string; creatorId: string; fanId: string };
    /** A creator declined a fan's request, which the fan does not learn. */
    'chat.declined': { creatorId: string; fanId: string };
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
    /** Events of the previous release do not say who blocked. */
    'chat.blocked': { creatorId: string; fanId: string; isByCreator?: boolean };
    'message.accessRevoked': { messageId: string };
  }
}
