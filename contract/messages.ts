/** What a message and a conversation look like on the wire (rows E2 to E7), as one of the two sides sees them. */
import * as z from 'zod/mini';
import { broadcastId, conversationId, instant, messageId, transactionId, userId } from './atoms/ids.ts';
import { askedUsd, usd } from './atoms/money.ts';
import { CHAT_LIMITS } from './atoms/room-limits.ts';
import { postMedia } from './pictures.ts';
import { presence } from './presence.ts';

/** The two sides of a conversation, and of a sale. */
export type Side = 'creator' | 'fan';

/** Row E3, and `audio`: a voice note. A message of several files is named by its first. */
export const MESSAGE_TYPES = ['text', 'image', 'document', 'video', 'audio', 'tipInfo', 'videoCallInfo'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];
/** Row E4. The server says `sent`, `delivered` or `read`; `failed` is the client's own, for what it could not send. */
export const MESSAGE_STATUSES = ['sent', 'delivered', 'read', 'failed'] as const;
export const messageStatus = z.enum(MESSAGE_STATUSES);
export const OWNER_TYPES = ['customer', 'creator'] as const;

/** Where broadcast messages live in the creator's view: their `conversationId` (row E8). */
export const BROADCAST_KEY = 'broadcast';

/** Documents are downloads: they answer as attachments of a harmless type, whatever they are. */
export const chatDocument = z.object({
  id: z.string(),
  fileName: z.string(),
  byteSize: z.number(),
  /** Null while it is locked. */
  url: z.nullable(z.string()),
});
/** A voice note: a plain file with Range. */
export const chatVoice = z.object({
  id: z.string(),
  fileType: z.string(),
  byteSize: z.number(),
  durationSeconds: z.number(),
  /** Loudness over its length, 0 to 1, at most 100 values, as the sender's device measured it. */
  waveform: z.array(z.number()),
  url: z.nullable(z.string()),
});

/** Counts the changes of what the viewer sees of a thing: of two that were told the one with the higher revision is the later. */
export const revision = z.number();

export const message = z.object({
  id: messageId,
  revision,
  /** {@link BROADCAST_KEY} in the creator's view of a broadcast. */
  conversationId: z.union([conversationId, z.literal(BROADCAST_KEY)]),
  /** The sender's own id for it: how a client finds its placeholder, and why sending again sends once. */
  clientId: z.string(),
  seq: z
    .number()
    .check(
      z.describe(
        'Its place in the conversation, ascending, with gaps: messages are in this order, and `after` takes it.',
      ),
    ),
  ownerType: z.enum(OWNER_TYPES),
  ownerId: userId,
  createdAt: instant,
  /** Only rises, and is no part of the revision: marks tell of it. */
  status: messageStatus,
  type: z.enum(MESSAGE_TYPES),
  /** The text, or the caption of files. Plain text: nothing in it is markup. */
  text: z.string(),
  /** Pictures and videos, open or locked as for a post; `tblType` of their private addresses is `chat`. */
  media: z.array(postMedia),
  documents: z.array(chatDocument),
  voice: z.nullable(chatVoice),
  /** Files still being processed; CHAT_MEDIA_READY tells when they can be seen. */
  pendingMedia: z.number(),
  /** USD; 0 is free. */
  price: usd,
  /** A paid one that this fan bought; to the creator: that the fan bought. Free ones are false. */
  isPurchased: z.boolean(),
  purchasedAt: z.nullable(instant),
  isViewOnce: z.boolean(),
  /** When the buyer first opened what was sold; of what opens once, its receiver. */
  viewedAt: z.nullable(instant),
  /** The files are gone: a view-once one was viewed. The bubble stays. */
  isRemoved: z.boolean(),
  tip: z.nullable(z.object({ amount: usd, note: z.string(), transactionId })),
  /** Row F4: a call that ended, as a line in the thread. */
  call: z.nullable(
    z.object({
      callLogId: z.string(),
      kind: z.enum(['video', 'audio']),
      status: z.string(),
      durationSeconds: z.number(),
      amount: usd,
    }),
  ),
  /** To the creator only: the broadcast it came from. */
  broadcastId: z.nullable(broadcastId),
  /** Of one that somebody of the creator's team wrote: whose team it was, as the fan reads it, and, to the creator only, who. */
  by: z.optional(z.object({ name: z.string(), member: z.nullable(z.string()) })),
});
export type Message = z.infer<typeof message>;

const side = {
  id: userId,
  username: z.string(),
  name: z.string(),
  avatarUrl: z.nullable(z.string()),
  status: presence,
};

/** Row E6, on the wire. `decline` is never shown to the fan: to them it stays `requested`. */
export const REQUEST_STATES = ['requested', 'accept', 'decline'] as const;

/**
 * Why the viewer may not write now. `waiting`: the request is not answered; a tip may still be given. `followers`: this creator
 * takes messages from followers only. `blocked`: one of the two blocked the other. `gone`: the account is not there any more.
 */
export const SEND_REFUSALS = ['waiting', 'followers', 'blocked', 'gone'] as const;

export const conversation = z.object({
  id: conversationId,
  revision,
  /** The highest `seq` in it: what this tells covers all up to there. */
  lastSeq: z.number(),
  /** The creator's side. */
  user: z.object({ ...side, isVerified: z.boolean() }),
  customer: z.object(side),
  info: z.object({
    isBlocked: z.boolean(),
    /** Whether the viewer did it, and so may undo it. */
    isBlockedByMe: z.boolean(),
    request: z.enum(REQUEST_STATES),
    canSend: z.boolean(),
    refusal: z.nullable(z.enum(SEND_REFUSALS)),
  }),
  /** The viewer's own; the other side's is always false here, as it is not told. */
  isMutedCreator: z.boolean(),
  isMutedCustomer: z.boolean(),
  isBlocked: z.boolean(),
  lastMessageCreatedAt: z.nullable(instant),
  /** For the list's line. Text at most 200 characters; null when there is none left. */
  lastMessage: z.nullable(
    z.object({
      id: messageId,
      /** The message's own. */
      revision,
      seq: z.number(),
      type: z.enum(MESSAGE_TYPES),
      text: z.string(),
      ownerType: z.enum(OWNER_TYPES),
      status: messageStatus,
      createdAt: instant,
      price: usd,
      isPurchased: z.boolean(),
      fileCount: z.number(),
    }),
  ),
  unreadCount: z.number(),
  /** Up to where the other side has received and read: messages of the viewer up to that `seq` are `delivered`, `read`. */
  deliveredSeq: z.number(),
  readSeq: z.number(),
  /** Up to where the viewer has read: where "new messages" begins. */
  ownReadSeq: z.number(),
});
export type Conversation = z.infer<typeof conversation>;

const TEXT_RULE = `At most ${CHAT_LIMITS.textLength} characters`;
/** A text that says something: not white space and invisible signs only. */
export const messageText = z.string('Please write something').check(
  z.trim(),
  z.minLength(1, 'Please write something'),
  z.maxLength(CHAT_LIMITS.textLength, TEXT_RULE),
  z.refine((text) => /[^\p{Z}\p{C}]/u.test(text), 'Please write something'),
);
export const messageCaption = z.string().check(z.trim(), z.maxLength(CHAT_LIMITS.textLength, TEXT_RULE));
/** USD; 0 is free. Only creators may ask for money; the server holds it to the limits in force. */
export const messagePrice = askedUsd;
/** Any UUID the client makes before it sends, kept over retries and reloads. */
export const clientId = z
  .string()
  .check(z.regex(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/, 'Must be a lower-case UUID'));
/** What documents may be, by their ending; others are refused, and those whose bytes are something else. */
export const DOCUMENT_TYPES = [
  'pdf',
  'txt',
  'csv',
  'md',
  'rtf',
  'doc',
  'docx',
  'xls',
  'xlsx',
  'ppt',
  'pptx',
  'odt',
  'ods',
  'odp',
  'epub',
  'zip',
] as const;

/** Delivered and read marks, over the socket or HTTP. */
export const marks = z.object({
  conversationId,
  msgIds: z.array(messageId).check(z.minLength(1), z.maxLength(CHAT_LIMITS.statusIds)),
  status: z.enum(['delivered', 'read']),
});
