/**
 * One-to-one chat between a creator and a fan (rows E1 to E7, E9, E10, E13).
 *
 * Persistent changes go over HTTP and are emitted to all devices of both sides. Clients send only transient data over
 * the socket: marks, typing, presence. Sending a message again with the same `clientId` (or `Idempotency-Key`) returns
 * the existing one.
 *
 * To miss nothing, a client stores the highest `seq` per open thread and refetches the list and the thread by `after`
 * when the socket reconnects. Alternatively it connects with `auth: { lastMessageId }` and receives missed messages by
 * RECEIVE_MESSAGE, oldest first, ignoring known ids. MESSAGES_MISSED means that it must refetch. Drafts are stored by
 * the client.
 *
 * Of two versions of a message or conversation, the one with the higher `revision` is newer. Sending too fast is
 * refused with RATE_LIMITED (CHAT_LIMITS).
 */
import * as z from 'zod/mini';
import { MEDIA_KINDS } from '../content/pictures.ts';
import { conversationId, instant, mediaId, messageId, transactionId, userId } from '../shared/ids.ts';
import { SEARCH_LENGTH } from '../shared/limits.ts';
import { CHAT_LIMITS } from '../shared/module-limits.ts';
import { balanceFields, inputUsd, usd } from '../shared/money.ts';
import { limit, offset, toPageSchema } from '../shared/paging.ts';
import { route } from '../shared/route.ts';
import { hasUnspacedScript } from '../shared/scripts.ts';
import {
  BROADCAST_KEY,
  clientId,
  conversation,
  message,
  messageCaption,
  messageMarks,
  messagePrice,
  messageText,
  SEND_REFUSALS,
} from './messages.ts';

const conversationParams = z.object({ id: conversationId });
const successResponse = z.object({ success: z.boolean() });
const toCursorPageSchema = <T extends z.ZodMiniType>(item: T) =>
  z.object({ data: z.array(item), limit: z.number(), nextOffset: z.optional(z.string()) });

/** `requests`: a creator's unanswered requests, not included in `chat`. Calls have their own list (row F4). */
export const CONVERSATION_TABS = ['chat', 'unread', 'requests'] as const;
/** A conversation that the viewer deleted returns with its next message (row E2). */
export const getConversationList = route({
  method: 'GET',
  path: '/message/conversation-list',
  summary: 'List conversations, most recently active first',
  auth: 'session',
  team: ['chat'],
  rate: 'read',
  query: z.object({
    limit,
    offset,
    tab: z._default(z.enum(CONVERSATION_TABS), 'chat'),
    search: z._default(z.string().check(z.trim(), z.maxLength(SEARCH_LENGTH)), ''),
  }),
  response: toCursorPageSchema(conversation),
});

const seq = z.coerce.number().check(z.int(), z.gte(0), z.lte(Number.MAX_SAFE_INTEGER));
/**
 * Newest first, paged by `offset` or by `before` (a `seq`, exclusive). With `after` (exclusive) oldest first. For
 * creators `id` may be `broadcast` (rows E2, E8).
 */
export const getMessageList = route({
  method: 'GET',
  path: '/message/list/:id',
  summary: 'List messages of a conversation, ordered by `seq`: newest first, oldest first with `after`',
  auth: 'session',
  team: ['chat'],
  rate: 'read',
  params: z.object({ id: z.union([conversationId, z.literal(BROADCAST_KEY)]) }),
  query: z.object({ limit, offset, before: z.optional(seq), after: z.optional(seq) }),
  response: z.object({
    ...toCursorPageSchema(message).shape,
    /** The page is complete up to this `seq`: messages missing from it no longer exist. */
    lastSeq: z.number(),
  }),
  errors: ['NOT_FOUND'],
});

/** `note` is the viewer's private note; null unless `isAllowNote` (row E2). */
export const getConversation = route({
  method: 'GET',
  path: '/message/conversation/:id',
  summary: 'Retrieve a conversation',
  auth: 'session',
  team: ['chat'],
  rate: 'read',
  params: conversationParams,
  response: z.object({
    success: z.boolean(),
    data: conversation,
    isAllowNote: z.boolean(),
    note: z.nullable(z.string()),
  }),
  errors: ['NOT_FOUND'],
});

/**
 * `id` is the other user's id. Returns the conversation, or whether the viewer may start one and whether it would be a
 * request (one text, optionally with a tip).
 */
export const getConversationInfo = route({
  method: 'GET',
  path: '/message/conversation-info/:id',
  summary: 'Retrieve the conversation with a user, or whether one can be started',
  auth: 'session',
  team: ['chat'],
  rate: 'read',
  params: z.object({ id: userId }),
  response: z.object({
    conversationId: z.nullable(conversationId),
    data: z.nullable(conversation),
    otherUser: z.object({
      id: userId,
      username: z.string(),
      name: z.string(),
      avatarUrl: z.nullable(z.string()),
    }),
    canSend: z.boolean(),
    isRequest: z.boolean(),
    refusal: z.nullable(z.enum(SEND_REFUSALS)),
  }),
  errors: ['NOT_FOUND'],
});

/** Only the viewer's side is deleted. Purchases stay valid. */
export const deleteConversation = route({
  method: 'DELETE',
  path: '/message/conversation/:id',
  summary: 'Delete a conversation for yourself',
  auth: 'session',
  rate: 'write',
  params: conversationParams,
  response: successResponse,
  errors: ['NOT_FOUND'],
});
/**
 * Deletes for the viewer only. `isUnsend=true` removes an own message for both sides; CONFLICT if it is read or paid.
 */
export const deleteMessage = route({
  method: 'DELETE',
  path: '/message/msg/:conversationId/:messageId',
  summary: 'Delete a message for yourself, or your own message for everyone',
  auth: 'session',
  team: ['chat'],
  allowedInMaintenance: true,
  rate: 'write',
  params: z.object({ conversationId, messageId }),
  query: z.object({ isUnsend: z._default(z.stringbool(), false) }),
  response: successResponse,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

const recipientFields = { conversationId: z.optional(conversationId), receiverId: z.optional(userId) };
/** `isUpdateConversation`: the client must refetch the conversation. */
const sentResponse = z.object({ isUpdateConversation: z.boolean(), data: message });

/** The message of FORBIDDEN gives the reason. CONFLICT if the `clientId` was used with another text (row E3). */
export const sendText = route({
  method: 'POST',
  path: '/message/text',
  summary: 'Send a text message',
  auth: 'session',
  team: ['chat'],
  activity: 'chat',
  rate: 'write',
  idempotent: true,
  body: z.object({ ...recipientFields, clientId: z.optional(clientId), text: messageText }),
  response: sentResponse,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
});
/**
 * Fields first: `conversationId` or `receiverId`, `clientId`, `text`, for creators `price` (USD) and `isViewOnce`
 * (`true`), for a voice note `durationSeconds` and `waveform` (JSON array). Then 1 to 10 files named `file`: pictures
 * and videos, or documents, or one voice note. The type is detected from the bytes (row E3).
 */
export const sendMediaMessage = route({
  method: 'POST',
  path: '/message/media-message',
  summary: 'Send a message with files',
  auth: 'session',
  team: ['chat'],
  activity: 'chat',
  rate: 'upload',
  multipart: true,
  idempotent: true,
  response: sentResponse,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT', 'TOO_LARGE', 'UNSUPPORTED_TYPE', 'NOT_VERIFIED'],
});
/**
 * Media uploaded with tus at `/files`. The message is created immediately, with `pendingMedia`. Media that are attached
 * to a post are refused.
 */
export const sendMedia = route({
  method: 'POST',
  path: '/message/media',
  summary: 'Send a message with uploaded media',
  auth: 'session',
  team: ['chat'],
  activity: 'chat',
  rate: 'write',
  idempotent: true,
  body: z.object({
    ...recipientFields,
    clientId: z.optional(clientId),
    text: z._default(messageCaption, ''),
    price: z._default(messagePrice, 0),
    isViewOnce: z._default(z.boolean(), false),
    mediaIds: z
      .array(mediaId)
      .check(z.minLength(1, 'Add a file'), z.maxLength(CHAT_LIMITS.files, `At most ${CHAT_LIMITS.files} files`)),
  }),
  response: sentResponse,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT', 'NOT_VERIFIED'],
});
export const getChatUpload = route({
  method: 'GET',
  path: '/message/upload/:id',
  summary: 'Retrieve the processing status of an upload',
  auth: 'session',
  team: ['chat'],
  rate: 'read',
  params: z.object({ id: mediaId }),
  response: z.object({
    id: mediaId,
    kind: z.enum(MEDIA_KINDS),
    status: z.enum(['processing', 'ready', 'failed']),
    failure: z.nullable(z.string()),
    fileName: z.string(),
    byteSize: z.number(),
  }),
  errors: ['NOT_FOUND'],
});

/** `price` is what the fan saw. CONFLICT if it changed. Owned media cost nothing (row E7). */
export const purchaseChatMedia = route({
  method: 'POST',
  path: '/message/purchase-chat-media/:id',
  summary: 'Unlock the files of a message',
  auth: 'customer',
  killSwitches: ['tips'],
  rate: 'money',
  idempotent: true,
  params: z.object({ id: messageId }),
  body: z.optional(z.object({ price: z.optional(inputUsd) })),
  response: z.object({ success: z.boolean(), message: z.string(), ...balanceFields, transactionId, data: message }),
  errors: ['NOT_FOUND', 'INSUFFICIENT_FUNDS', 'CONFLICT', 'FORBIDDEN'],
});
/** The first opening is stored and emitted to both sides. Not for view-once media (row E7). */
export const viewChatMedia = route({
  method: 'POST',
  path: '/message/viewed/:id',
  summary: 'Mark unlocked files as viewed',
  auth: 'customer',
  rate: 'write',
  params: z.object({ id: messageId }),
  response: z.object({ success: z.boolean(), data: message }),
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});
/**
 * Only the receiver's first opening counts. Files are available until closed, or for twice their duration plus 60 s.
 */
export const openViewOnce = route({
  method: 'POST',
  path: '/message/view-once/:id/open',
  summary: 'Open a view-once message',
  auth: 'session',
  team: ['chat'],
  rate: 'write',
  params: z.object({ id: messageId }),
  response: z.object({ success: z.boolean(), data: message }),
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN'],
});
/** Removes the files permanently. Idempotent. */
export const closeViewOnce = route({
  method: 'POST',
  path: '/message/view-once/:id/close',
  summary: 'Close a view-once message and remove its files',
  auth: 'session',
  team: ['chat'],
  rate: 'write',
  params: z.object({ id: messageId }),
  response: z.object({ success: z.boolean(), data: message }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});

/** Counts at most 100 conversations; `isMore` if there are more. Refetch at most once per second (row E9). */
export const countUnreadMessages = route({
  method: 'GET',
  path: '/message/un-read-count',
  summary: 'Count unread messages',
  auth: 'session',
  team: ['chat'],
  rate: 'read',
  response: z.object({
    count: z.number(),
    /** Muted conversations are not counted. The app icon shows this number. */
    unmutedCount: z.number(),
    conversationCount: z.number(),
    isMore: z.boolean(),
    requestCount: z.number(),
  }),
});

/** For clients without a socket. Earlier messages are marked too. */
export const updateMessageStatus = route({
  method: 'POST',
  path: '/message/status',
  summary: 'Mark received messages as delivered or read',
  auth: 'session',
  team: ['chat'],
  rate: 'write',
  body: messageMarks,
  response: successResponse,
  errors: ['NOT_FOUND'],
});

/** One letter is a word in scripts without blanks. */
export const isSearchable = (text: string): boolean => text.length >= 2 || hasUnspacedScript(text);
export const searchMessages = route({
  method: 'GET',
  path: '/message/search/:id',
  summary: 'Search messages in a conversation',
  auth: 'session',
  team: ['chat'],
  rate: 'read',
  params: conversationParams,
  query: z.object({
    q: z.string().check(z.trim(), z.maxLength(SEARCH_LENGTH), z.refine(isSearchable, 'Enter at least 2 characters')),
    limit,
    offset,
  }),
  response: toCursorPageSchema(message),
  errors: ['NOT_FOUND'],
});
export const SHARED_KINDS = ['image', 'video', 'audio', 'document'] as const;
export const listSharedMedia = route({
  method: 'GET',
  path: '/message/shared-media/:id',
  summary: 'List files shared in a conversation',
  auth: 'session',
  team: ['chat'],
  rate: 'read',
  params: conversationParams,
  query: z.object({ kind: z._default(z.enum(SHARED_KINDS), 'image'), limit, offset }),
  response: toCursorPageSchema(message),
  errors: ['NOT_FOUND'],
});

/** A purchase outlives the conversation, deletion and unsending (row C5). */
export const purchasedChatMedia = z.object({
  purchasedAt: instant,
  price: usd,
  transactionId,
  creator: z.object({ id: userId, username: z.string(), name: z.string(), avatarUrl: z.nullable(z.string()) }),
  message,
});
export const listPurchasedChatMedia = route({
  method: 'GET',
  path: '/customer/chat-media-list',
  summary: 'List unlocked chat media, newest first',
  auth: 'customer',
  rate: 'read',
  query: z.object({ limit, offset, kind: z.optional(z.enum(SHARED_KINDS)) }),
  response: toPageSchema(purchasedChatMedia),
});
export const hidePurchasedChatMedia = route({
  method: 'DELETE',
  path: '/customer/chat-media/:id',
  summary: 'Hide unlocked chat media from the list; access is kept',
  auth: 'customer',
  rate: 'write',
  params: z.object({ id: messageId }),
  response: successResponse,
  errors: ['NOT_FOUND'],
});

export const restorePurchasedChatMedia = route({
  method: 'POST',
  path: '/customer/chat-media/:id',
  summary: 'Show hidden chat media in the list again',
  auth: 'customer',
  rate: 'write',
  params: z.object({ id: messageId }),
  response: successResponse,
  errors: ['NOT_FOUND'],
});
