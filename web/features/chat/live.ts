/** What live events do to what is kept of chat (rows E4 to E7, E10). Mounted once, around every chat page. */
import type { PayloadOf } from '@stagedoor/contract/atoms/event.ts';
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
import type { Side } from '@stagedoor/contract/messages.ts';
import { BROADCAST_KEY, type Message } from '@stagedoor/contract/messages.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isConnected, onConnected, useLive } from '../../kernel/live.ts';
import { getBroadcast, listBroadcasts } from './broadcast/routes.ts';
import {
  catchUp,
  changeConversation,
  changeThread,
  dropConversation,
  forgetFreshness,
  knownConversation,
  noteArrived,
  noteRemoved,
  refreshConversation,
  takeRecent,
  takeTold,
} from './cache.ts';
import { afterMark, afterMessage, changedMessage, withMessage, withoutMessage, withStatus } from './model.ts';
import { noteTyping } from './thread/typing.ts';

export type Viewing = { viewerId: string; side: Side };

/** A message into its thread and its conversation; one that is not known yet is asked for. */
export function takeMessage(client: QueryClient, message: Message, { viewerId, side }: Viewing): void {
  const { conversationId } = message;
  takeTold(client, message, withMessage);
  if (conversationId === BROADCAST_KEY) return;
  const isKnown = changeConversation(client, conversationId, side, (known) => afterMessage(known, message, viewerId));
  if (!isKnown) void refreshConversation(client, conversationId, side).catch(() => undefined);
}

/** A message that is there already, as it is now. */
function replaceMessage(client: QueryClient, message: Message, side: Side): void {
  takeTold(client, message);
  changeConversation(client, message.conversationId, side, (known) =>
    known.lastMessage?.id === message.id
      ? {
          ...known,
          lastMessage: {
            ...known.lastMessage,
            isPurchased: message.isPurchased,
            type: message.type,
            text: message.text,
          },
        }
      : known,
  );
}

export function takeMark(
  client: QueryClient,
  { conversationId, ownerId, seq, status }: PayloadOf<typeof messageStatusChanged>,
  { viewerId, side }: Viewing,
): void {
  changeThread(client, conversationId, (window) => withStatus(window, ownerId, seq, status));
  const isOwn = ownerId === viewerId;
  changeConversation(client, conversationId, side, (known) => afterMark(known, { isOwn, seq, status }, side));
  const known = knownConversation(client, conversationId);
  // Read in part on another device: only the server knows how many are left.
  if (!isOwn && status === 'read' && known && known.unreadCount > 0)
    void refreshConversation(client, conversationId, side).catch(() => undefined);
}

/** The files of a view-once message are gone; its bubble stays. */
function withoutFiles(message: Message, viewedAt: string): Message {
  return { ...message, viewedAt, isRemoved: true, media: [], documents: [], voice: null, pendingMedia: 0 };
}

function useLiveMedia({ side }: Viewing): void {
  useLive(purchaseMessageMedia, (client, { data }) => replaceMessage(client, data, side));
  useLive(chatMediaReady, (client, { data }) => replaceMessage(client, data, side));
  useLive(viewedChatMedia, (client, { conversationId, messageId, viewedAt }) =>
    changeThread(client, conversationId, (window) =>
      changedMessage(window, messageId, (message) => ({ ...message, viewedAt })),
    ),
  );
  useLive(removeViewedChatMedia, (client, { conversationId, messageId, viewedAt }) =>
    changeThread(client, conversationId, (window) =>
      changedMessage(window, messageId, (message) => withoutFiles(message, viewedAt)),
    ),
  );
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

/** Keeps everything of chat true while a chat page is shown. */
export function useLiveChat(viewing: Viewing): void {
  const client = useQueryClient();
  const { viewerId, side } = viewing;
  const refresh = (id: string) => void refreshConversation(client, id, side).catch(() => undefined);
  // The page's data was made before its first connection; later ones are caught up with by the socket's own rules.
  useEffect(() => {
    takeRecent((message) => takeMessage(client, message, { viewerId, side }), client);
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
  }, [client, viewerId, side]);
  useLive(receiveMessage, (cache, messages) => {
    for (const message of messages) {
      noteArrived(message);
      takeMessage(cache, message, viewing);
      if (message.ownerId !== viewerId) noteTyping(message.conversationId, false);
    }
  });
  useLive(messagesMissed, (cache) => {
    forgetFreshness(cache);
    catchUp(cache);
  });
  useLive(messageStatusChanged, (cache, mark) => takeMark(cache, mark, viewing));
  useLive(userBlockUnblock, (cache, { conversationId, isBlocked }) => {
    changeConversation(cache, conversationId, side, (known) => ({
      ...known,
      isBlocked,
      info: { ...known.info, isBlocked },
    }));
    refresh(conversationId);
  });
  useLive(messageRemoved, (cache, { conversationId, messageId }) => {
    noteRemoved(messageId);
    changeThread(cache, conversationId, (window) => withoutMessage(window, messageId));
    refresh(conversationId);
  });
  useLive(conversationChanged, (cache, { conversationId, isDeleted }) => {
    if (isDeleted) dropConversation(cache, conversationId);
    else refresh(conversationId);
  });
  useLive(messageTyping, (_, { conversationId, userId, isTyping }) => {
    if (userId !== viewerId) noteTyping(conversationId, isTyping);
  });
  useLiveMedia(viewing);
  useLiveBroadcasts();
}
