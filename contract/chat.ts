/**
 * One-to-one chat between a creator and a fan (rows E1 to E7, E9, E10, E13). What a message looks like is in
 * messages.ts, who may write to whom in chat-terms.ts, broadcasts are in broadcasts.ts, presence is in presence.ts, socket
 * events are in chat-live.ts.
 *
 * What lasts goes by HTTP and is told to every device of both sides by a socket event; the socket carries up only what is
 * fleeting: delivered and read marks, typing, presence. A message is sent with a `clientId` of the client's own making (or the
 * header `Idempotency-Key`): sending it again, from a queue or another tab, answers the message that is there already.
 *
 * To miss nothing: keep the highest `seq` of each open thread, and after a reconnect that the socket did not recover by itself
 * refetch the conversation list, and the thread by `after`. Or give the socket `auth: { lastMessageId }`: it is sent what came
 * since by RECEIVE_MESSAGE, whole and oldest first, and ignores ids it knows; MESSAGES_MISSED says that it is too much for that, and
 * that the client refetches. Drafts are the client's own.
 *
 * Answers and events may overtake each other: of two tellings of a message or a conversation the one with the higher `revision` is
 * the later.
 *
 * Flooding is refused with RATE_LIMITED and a sentence; limits are CHAT_LIMITS.
 */
import * as z from 'zod/mini';
import { conversationId, instant, mediaId, messageId, transactionId, userId } from './atoms/ids.ts';
import { SEARCH_LENGTH } from './atoms/limits.ts';
import { askedUsd, balance, usd } from './atoms/money.ts';
import { limit, offset, pageOf } from './atoms/paging.ts';
import { CHAT_LIMITS } from './atoms/room-limits.ts';
import { route } from './atoms/route.ts';
import {
  BROADCAST_KEY,
  clientId,
  conversation,
  marks,
  message,
  messageCaption,
  messagePrice,
  messageText,
  SEND_REFUSALS,
} from './messages.ts';
import { MEDIA_KINDS } from './pictures.ts';

const onConversation = z.object({ id: conversationId });
const done = z.object({ success: z.boolean() });
const cursorPage = <T extends z.ZodMiniType>(item: T) =>
  z.object({ data: z.array(item), limit: z.number(), nextOffset: z.optional(z.string()) });

/** `chat`: everything but a creator's requests. `requests`: a creator's, unanswered. Calls have their own list (row F4). */
export const CONVERSATION_TABS = ['chat', 'unread', 'requests'] as const;
/** Row E2. Newest activity first. What the viewer deleted comes back with the next message. */
export const conversationList = route({
  method: 'GET',
  path: '/message/conversation-list',
  summary: 'Conversations, most recently active first',
  auth: 'session',
  team: ['chat'],
  rate: 'read',
  query: z.object({
    limit,
    offset,
    tab: z._default(z.enum(CONVERSATION_TABS), 'chat'),
    /** In the other side's name and username. */
    search: z._default(z.string().check(z.trim(), z.maxLength(SEARCH_LENGTH)), ''),
  }),
  response: cursorPage(conversation),
});

const seq = z.coerce.number().check(z.int(), z.gte(0), z.lte(Number.MAX_SAFE_INTEGER));
/**
 * Row E2. Newest first, paged by `offset` or, to look around one message, by `before` (a `seq`, exclusive). With `after` (a `seq`,
 * exclusive) oldest first: what came since. For creators `id` may also be `broadcast`: their broadcasts as messages (row E8).
 */
export const messageList = route({
  method: 'GET',
  path: '/message/list/:id',
  summary: "A conversation's messages, ordered by `seq`: newest first, or with `after` oldest first",
  auth: 'session',
  team: ['chat'],
  rate: 'read',
  params: z.object({ id: z.union([conversationId, z.literal(BROADCAST_KEY)]) }),
  query: z.object({ limit, offset, before: z.optional(seq), after: z.optional(seq) }),
  response: z.object({
    ...cursorPage(message).shape,
    /** A page knows of everything up to this `seq`: what lies within it and is not there is not there any more. */
    lastSeq: z.number(),
  }),
  errors: ['NOT_FOUND'],
});

/** Row E2. `note` is the viewer's own memo about the other person; null unless `isAllowNote`. */
export const getConversation = route({
  method: 'GET',
  path: '/message/conversation/:id',
  summary: 'One conversation',
  auth: 'session',
  team: ['chat'],
  rate: 'read',
  params: onConversation,
  response: z.object({
    success: z.boolean(),
    data: conversation,
    isAllowNote: z.boolean(),
    note: z.nullable(z.string()),
  }),
  errors: ['NOT_FOUND'],
});

/**
 * Before the first message: `id` is the other person's user id. Answers the conversation if there is one, and else whether the
 * viewer may begin one and whether it would be a request (then: one text, and a tip may ride with it).
 */
export const conversationInfo = route({
  method: 'GET',
  path: '/message/conversation-info/:id',
  summary: 'The conversation with a person, or how one would begin',
  auth: 'session',
  team: ['chat'],
  rate: 'read',
  params: z.object({ id: userId }),
  response: z.object({
    conversationId: z.nullable(conversationId),
    data: z.nullable(conversation),
    person: z.object({
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

/** Removes it from the viewer's own list with what is in it; the other side keeps theirs, purchases stand. */
export const deleteConversation = route({
  method: 'DELETE',
  path: '/message/conversation/:id',
  summary: 'Delete a conversation for oneself',
  auth: 'session',
  rate: 'write',
  params: onConversation,
  response: done,
  errors: ['NOT_FOUND'],
});
/** For oneself; with `isUnsend=true` an own one for both, while it is unread and unpaid (else CONFLICT). */
export const deleteMessage = route({
  method: 'DELETE',
  path: '/message/msg/:conversationId/:messageId',
  summary: 'Delete a message for oneself, or unsend an own one',
  auth: 'session',
  team: ['chat'],
  goesOn: true,
  rate: 'write',
  params: z.object({ conversationId, messageId }),
  query: z.object({ isUnsend: z._default(z.stringbool(), false) }),
  response: done,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

/** Either a conversation, or (to begin one) the other person's user id. */
const to = { conversationId: z.optional(conversationId), receiverId: z.optional(userId) };
/** `isUpdateConversation`: the conversation is new or changed its state, refetch it. */
const sent = z.object({ isUpdateConversation: z.boolean(), data: message });

/** Row E3. FORBIDDEN says in a sentence why one may not write; the same `clientId` with another text is a CONFLICT. */
export const sendText = route({
  method: 'POST',
  path: '/message/text',
  summary: 'Send a text',
  auth: 'session',
  team: ['chat'],
  activity: 'chat',
  rate: 'write',
  idempotent: true,
  body: z.object({ ...to, clientId: z.optional(clientId), text: messageText }),
  response: sent,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
});
/**
 * Row E3, multipart. Fields first: `conversationId` or `receiverId`, `clientId`, `text` (caption), and of creators `price` (USD),
 * `isViewOnce` (`true`); for a voice note `durationSeconds` and `waveform` (JSON array). Then 1 to 10 files named `file`: pictures and
 * videos together, or documents, or one voice note. The bytes decide what a file is.
 */
export const sendMediaMessage = route({
  method: 'POST',
  path: '/message/media-message',
  summary: 'Send files',
  auth: 'session',
  team: ['chat'],
  activity: 'chat',
  rate: 'upload',
  multipart: true,
  idempotent: true,
  response: sent,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT', 'TOO_LARGE', 'UNSUPPORTED_TYPE', 'NOT_VERIFIED'],
});
/**
 * Sends what was uploaded by tus at `/files` (resumable; fans may use it, too). Media may still be processing: the message is there at
 * once, with `pendingMedia`. A creator may send the same medium to several people; one that hangs in a post may not be sent.
 */
export const sendMedia = route({
  method: 'POST',
  path: '/message/media',
  summary: 'Send uploaded media',
  auth: 'session',
  team: ['chat'],
  activity: 'chat',
  rate: 'write',
  idempotent: true,
  body: z.object({
    ...to,
    clientId: z.optional(clientId),
    text: z._default(messageCaption, ''),
    price: z._default(messagePrice, 0),
    isViewOnce: z._default(z.boolean(), false),
    mediaIds: z
      .array(mediaId)
      .check(z.minLength(1, 'Please add a file'), z.maxLength(CHAT_LIMITS.files, `At most ${CHAT_LIMITS.files} files`)),
  }),
  response: sent,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT', 'NOT_VERIFIED'],
});
/** An own upload on its way into a message, for whoever does not hear MEDIA_PROCESSED. */
export const chatUpload = route({
  method: 'GET',
  path: '/message/upload/:id',
  summary: 'How far the processing of an own upload is',
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

/** Row E7. Buying again what is owned costs nothing. `price` is what the fan saw; if it is another, CONFLICT. */
export const purchaseChatMedia = route({
  method: 'POST',
  path: '/message/purchase-chat-media/:id',
  summary: 'Buy the files of a message',
  auth: 'customer',
  switches: ['tips'],
  rate: 'money',
  idempotent: true,
  params: z.object({ id: messageId }),
  body: z.optional(z.object({ price: z.optional(askedUsd) })),
  response: z.object({ success: z.boolean(), message: z.string(), ...balance, transactionId, data: message }),
  errors: ['NOT_FOUND', 'INSUFFICIENT_FUNDS', 'CONFLICT', 'FORBIDDEN'],
});
/** Row E7. Its buyer opened what they bought: the first time is kept and told to both sides. What opens once has calls of its own. */
export const viewChatMedia = route({
  method: 'POST',
  path: '/message/viewed/:id',
  summary: 'Say that bought files were opened',
  auth: 'customer',
  rate: 'write',
  params: z.object({ id: messageId }),
  response: z.object({ success: z.boolean(), data: message }),
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});
/** Only the receiver; the first opening counts. From then on the files answer until closed, or for twice their length and 60 s. */
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
/** Takes the files away for good. Again, it stays so. */
export const closeViewOnce = route({
  method: 'POST',
  path: '/message/view-once/:id/close',
  summary: 'Close an opened view-once message',
  auth: 'session',
  team: ['chat'],
  rate: 'write',
  params: z.object({ id: messageId }),
  response: z.object({ success: z.boolean(), data: message }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});

/** Row E9. Messages in at most 100 conversations; `isMore` when there are more of them. Refetch at most once a second. */
export const unreadCount = route({
  method: 'GET',
  path: '/message/un-read-count',
  summary: 'Unread messages',
  auth: 'session',
  team: ['chat'],
  rate: 'read',
  response: z.object({
    count: z.number(),
    /** Of them, those of conversations that are not muted: they stand on the app's icon. */
    unmutedCount: z.number(),
    conversationCount: z.number(),
    isMore: z.boolean(),
    /** A creator's unanswered requests, at most 100. */
    requestCount: z.number(),
  }),
});

/** The same as the signal UPDATE_MESSAGE_STATUS, for when there is no socket. Marks reach back: what is before is marked, too. */
export const updateMessageStatus = route({
  method: 'POST',
  path: '/message/status',
  summary: "Mark the other side's messages as delivered or read",
  auth: 'session',
  team: ['chat'],
  rate: 'write',
  body: marks,
  response: done,
  errors: ['NOT_FOUND'],
});

/** Newest first; each with the `seq` to jump to by `before`. Accents and case do not count. */
export const searchMessages = route({
  method: 'GET',
  path: '/message/search/:id',
  summary: 'Find messages in a conversation by their text',
  auth: 'session',
  team: ['chat'],
  rate: 'read',
  params: onConversation,
  query: z.object({ q: z.string().check(z.trim(), z.minLength(2), z.maxLength(SEARCH_LENGTH)), limit, offset }),
  response: cursorPage(message),
  errors: ['NOT_FOUND'],
});
export const SHARED_KINDS = ['image', 'video', 'audio', 'document'] as const;
/** For the drawer: messages with files of that kind, newest first. */
export const sharedMedia = route({
  method: 'GET',
  path: '/message/shared-media/:id',
  summary: 'Files in a conversation',
  auth: 'session',
  team: ['chat'],
  rate: 'read',
  params: onConversation,
  query: z.object({ kind: z._default(z.enum(SHARED_KINDS), 'image'), limit, offset }),
  response: cursorPage(message),
  errors: ['NOT_FOUND'],
});

/** Row C5: chat media that the fan bought. The purchase outlives the conversation, the creator's deletion and unsending. */
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
  summary: 'Bought chat media, newest first',
  auth: 'customer',
  rate: 'read',
  query: z.object({ limit, offset, kind: z.optional(z.enum(SHARED_KINDS)) }),
  response: pageOf(purchasedChatMedia),
});
/** `id` is the message's. */
export const hidePurchasedChatMedia = route({
  method: 'DELETE',
  path: '/customer/chat-media/:id',
  summary: 'Hide bought chat media from the list; the purchase stands',
  auth: 'customer',
  rate: 'write',
  params: z.object({ id: messageId }),
  response: done,
  errors: ['NOT_FOUND'],
});

export const restorePurchasedChatMedia = route({
  method: 'POST',
  path: '/customer/chat-media/:id',
  summary: 'Show hidden bought chat media in the list again',
  auth: 'customer',
  rate: 'write',
  params: z.object({ id: messageId }),
  response: done,
  errors: ['NOT_FOUND'],
});
