/** Socket events and signals of chat (row E10). */
import * as z from 'zod/mini';
import { event, signal } from '../shared/event.ts';
import { conversationId, instant, messageId, userId } from '../shared/ids.ts';
import { message, messageMarks, messageStatus, revision } from './messages.ts';

// Events go to all devices of the users concerned, including the sender's, in any order. The higher revision is newer,
// and read marks never go back (row E10).

/**
 * Ascending by `seq`, including the user's own messages from other devices. A socket that reconnects with `auth: {
 * lastMessageId }` first receives all missed messages, oldest first, in batches of at most 200, and some that it
 * already has. No newer message arrives in between.
 */
export const receiveMessage = event({
  name: 'RECEIVE_MESSAGE',
  audience: 'user',
  team: 'chat',
  payload: z.array(message),
});
/**
 * Statuses only increase. Applies to `msgIds` (at most 200, the newest) and to all messages of that owner up to `seq`.
 */
export const messageStatusChanged = event({
  name: 'UPDATE_MESSAGE_STATUS',
  audience: 'user',
  team: 'chat',
  payload: z.object({
    conversationId,
    msgIds: z.array(messageId),
    status: messageStatus,
    seq: z.number(),
    ownerId: userId,
  }),
});
/**
 * This event is not in the specification: a reconnected socket missed more than is replayed. The client must refetch.
 */
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
const messageRef = { conversationId, messageId };
export const purchaseMessageMedia = event({
  name: 'PURCHASE_MESSAGE_MEDIA',
  audience: 'user',
  team: 'chat',
  payload: z.object({ ...messageRef, isPurchased: z.boolean(), purchasedAt: z.nullable(instant), data: message }),
});
export const viewedChatMedia = event({
  name: 'VIEWED_CHAT_MEDIA',
  audience: 'user',
  team: 'chat',
  payload: z.object({ ...messageRef, viewedAt: instant, data: message }),
});
export const removeViewedChatMedia = event({
  name: 'REMOVE_VIEWED_CHAT_MEDIA',
  audience: 'user',
  team: 'chat',
  payload: z.object({ ...messageRef, viewedAt: instant, data: message }),
});
export const messageTyping = event({
  name: 'MESSAGE_TYPING',
  audience: 'user',
  team: 'chat',
  payload: z.object({ conversationId, userId, isTyping: z.boolean() }),
});
/**
 * This event is not in the specification. Unsending is emitted to both sides, deleting only to the user's own devices.
 * The message is gone from `revision` on.
 */
export const messageRemoved = event({
  name: 'MESSAGE_REMOVED',
  audience: 'user',
  team: 'chat',
  payload: z.object({ ...messageRef, revision, conversationRevision: revision }),
});
/**
 * This event is not in the specification: the conversation was accepted, muted or deleted. Clients with a lower
 * revision refetch it. If it was deleted, everything up to `lastSeq` is gone.
 */
export const conversationChanged = event({
  name: 'CONVERSATION_CHANGED',
  audience: 'user',
  team: 'chat',
  payload: z.object({ conversationId, isDeleted: z.boolean(), revision, lastSeq: z.optional(z.number()) }),
});
/** This event is not in the specification: files were processed, or failed and were removed. */
export const chatMediaReady = event({
  name: 'CHAT_MEDIA_READY',
  audience: 'user',
  team: 'chat',
  payload: z.object({ ...messageRef, data: message }),
});

/** `delivered` on receipt, `read` when shown. Marks for other users' conversations are ignored. */
export const markMessages = signal({ signal: 'UPDATE_MESSAGE_STATUS', team: 'chat', payload: messageMarks });
/** Sent at most every 3 s. Shown for 5 s, or until `isTyping: false` or a message arrives. */
export const sendTyping = signal({
  signal: 'MESSAGE_TYPING',
  team: 'chat',
  payload: z.object({ conversationId, isTyping: z._default(z.boolean(), true) }),
});
