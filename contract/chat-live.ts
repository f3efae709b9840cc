/** Chat over the socket (row E10): what the server tells of conversations, and what clients send. Routes are in chat.ts. */
import * as z from 'zod/mini';
import { event, signal } from './atoms/event.ts';
import { conversationId, instant, messageId, userId } from './atoms/ids.ts';
import { marks, message, messageStatus, revision } from './messages.ts';

// What the server tells (row E10). Every one goes to all devices of the persons named, the sender's own included. What is told of
// one thing may arrive in any order, and beside answers: the higher revision counts, and a mark only rises.

/**
 * New messages, to both sides, ascending by `seq` in each conversation. An own one from another device is among them: `ownerId`
 * tells. To a socket that came back with `auth: { lastMessageId }`, first all that was missed, oldest first, in parts of at most
 * 200, and a little from before that it knows; nothing newer comes in between.
 */
export const receiveMessage = event({
  name: 'RECEIVE_MESSAGE',
  audience: 'user',
  team: 'chat',
  payload: z.array(message),
});
/** To both sides. The statuses only rise: `msgIds` (at most 200, the newest) and everything of that owner up to `seq`. */
export const messageStatusChanged = event({
  name: 'UPDATE_MESSAGE_STATUS',
  audience: 'user',
  team: 'chat',
  payload: z.object({
    conversationId,
    msgIds: z.array(messageId),
    status: messageStatus,
    seq: z.number(),
    /** Whose messages these are. */
    ownerId: userId,
  }),
});
/** Beside the specification's: a socket came back that missed more than is sent again. What is kept of chat since then is to be asked for anew. */
export const messagesMissed = event({
  name: 'MESSAGES_MISSED',
  audience: 'user',
  team: 'chat',
  payload: z.object({ since: instant }),
});
export const userBlockUnblock = event({
  name: 'USER_BLOCK_UNBLOCK',
  audience: 'user',
  team: 'chat',
  payload: z.object({ conversationId, isBlocked: z.boolean(), revision }),
});
const onMessage = { conversationId, messageId };
/** To the fan with the message opened; to the creator as sold. */
export const purchaseMessageMedia = event({
  name: 'PURCHASE_MESSAGE_MEDIA',
  audience: 'user',
  team: 'chat',
  payload: z.object({ ...onMessage, isPurchased: z.boolean(), purchasedAt: z.nullable(instant), data: message }),
});
export const viewedChatMedia = event({
  name: 'VIEWED_CHAT_MEDIA',
  audience: 'user',
  team: 'chat',
  payload: z.object({ ...onMessage, viewedAt: instant, data: message }),
});
export const removeViewedChatMedia = event({
  name: 'REMOVE_VIEWED_CHAT_MEDIA',
  audience: 'user',
  team: 'chat',
  payload: z.object({ ...onMessage, viewedAt: instant, data: message }),
});
export const messageTyping = event({
  name: 'MESSAGE_TYPING',
  audience: 'user',
  team: 'chat',
  payload: z.object({ conversationId, userId, isTyping: z.boolean() }),
});
/**
 * Beside the specification's: a message was unsent (to both) or deleted for oneself (to one's own devices). It is gone from its
 * `revision` on; `conversationRevision` is the conversation's without it.
 */
export const messageRemoved = event({
  name: 'MESSAGE_REMOVED',
  audience: 'user',
  team: 'chat',
  payload: z.object({ ...onMessage, revision, conversationRevision: revision }),
});
/**
 * Beside the specification's: something of the conversation changed for this viewer: accepted, muted, deleted. Whoever has it of
 * a lower revision refetches it. Of a deleted one all went that was in it up to `lastSeq`.
 */
export const conversationChanged = event({
  name: 'CONVERSATION_CHANGED',
  audience: 'user',
  team: 'chat',
  payload: z.object({ conversationId, isDeleted: z.boolean(), revision, lastSeq: z.optional(z.number()) }),
});
/** Beside the specification's: files of a message were processed, or failed and are gone. To both sides. */
export const chatMediaReady = event({
  name: 'CHAT_MEDIA_READY',
  audience: 'user',
  team: 'chat',
  payload: z.object({ ...onMessage, data: message }),
});

// What clients send.

/** `delivered` on receiving others' messages, `read` when they were on the screen. Marks for what is not theirs change nothing. */
export const markMessages = signal({ signal: 'UPDATE_MESSAGE_STATUS', team: 'chat', payload: marks });
/** While typing, at most every 3 s; shown for 5 s (CHAT_LIMITS.typingMs), or until `isTyping: false` or a message. */
export const typing = signal({
  signal: 'MESSAGE_TYPING',
  team: 'chat',
  payload: z.object({ conversationId, isTyping: z._default(z.boolean(), true) }),
});
