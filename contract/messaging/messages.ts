/** Messages and conversations as one of the two sides sees them (rows E2 to E7). */
import * as z from 'zod/mini';
import { postMedia } from '../content/pictures.ts';
import { presence } from '../identity/presence.ts';
import { broadcastId, conversationId, instant, messageId, transactionId, userId } from '../shared/ids.ts';
import { CHAT_LIMITS } from '../shared/module-limits.ts';
import { inputUsd, usd } from '../shared/money.ts';
import { CALL_END_REASONS } from './call-states.ts';

export type ChatSide = 'creator' | 'fan';

/** The types of row E3 and `audio`. A message with several files has the type of the first. */
export const MESSAGE_TYPES = ['text', 'image', 'document', 'video', 'audio', 'tipInfo', 'videoCallInfo'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];
/** `failed` is set by the client (row E4). */
export const MESSAGE_STATUSES = ['sent', 'delivered', 'read', 'failed'] as const;
export const messageStatus = z.enum(MESSAGE_STATUSES);
export const OWNER_TYPES = ['customer', 'creator'] as const;

/** `conversationId` of broadcasts in the creator's view (row E8). */
export const BROADCAST_KEY = 'broadcast';

/** Sent as attachments with a harmless media type, so that browsers do not open them. */
export const chatDocument = z.object({
  id: z.string(),
  fileName: z.string(),
  byteSize: z.number(),
  /** Null while it is locked. */
  url: z.nullable(z.string()),
});
export const chatVoice = z.object({
  id: z.string(),
  fileType: z.string(),
  byteSize: z.number(),
  durationSeconds: z.number(),
  /** 0 to 1, at most 100 values, measured by the sender's device. */
  waveform: z.array(z.number()),
  url: z.nullable(z.string()),
});

/** Of two versions, the one with the higher revision is newer. */
export const revision = z.number();

const messageTip = z.nullable(z.object({ amount: usd, note: z.string(), transactionId }));

/** A finished call (row F4). To the fan a declined call looks busy. `reason` is null for calls of earlier versions. */
const messageCall = z.nullable(
  z.object({
    callLogId: z.string(),
    kind: z.enum(['video', 'audio']),
    status: z.string(),
    reason: z.nullable(z.enum(CALL_END_REASONS)),
    durationSeconds: z.number(),
    /** USD: what the fan paid for the call, or the creator's share of it. Without tips. */
    amount: usd,
  }),
);

export const message = z.object({
  id: messageId,
  revision,
  conversationId: z.union([conversationId, z.literal(BROADCAST_KEY)]),
  /** Made by the sender, so that sending again is idempotent. */
  clientId: z.string(),
  seq: z
    .number()
    .check(
      z.describe(
        'Position in the conversation, ascending, with gaps. Defines the message order and is the value for `after`.',
      ),
    ),
  ownerType: z.enum(OWNER_TYPES),
  ownerId: userId,
  createdAt: instant,
  /** Only increases. Not part of the revision, because marks are emitted separately. */
  status: messageStatus,
  type: z.enum(MESSAGE_TYPES),
  /** Plain text without markup. */
  text: z.string(),
  /** `tblType` of private URLs is `chat`. */
  media: z.array(postMedia),
  documents: z.array(chatDocument),
  voice: z.nullable(chatVoice),
  /** CHAT_MEDIA_READY is emitted when they are available. */
  pendingMedia: z.number(),
  price: usd,
  /** Whether this fan bought it. Always false for free messages. */
  isPurchased: z.boolean(),
  purchasedAt: z.nullable(instant),
  isViewOnce: z.boolean(),
  /** When the buyer first opened it, or the receiver of a view-once message. */
  viewedAt: z.nullable(instant),
  /** The view-once files were removed. The message stays. */
  isRemoved: z.boolean(),
  tip: messageTip,
  call: messageCall,
  broadcastId: z.nullable(broadcastId),
  /** Present if the creator's team wrote it: the name that the fan sees, and for the creator also the member. */
  teamAuthor: z.optional(z.object({ name: z.string(), member: z.nullable(z.string()) })),
});
export type Message = z.infer<typeof message>;

const chatUser = {
  id: userId,
  username: z.string(),
  name: z.string(),
  avatarUrl: z.nullable(z.string()),
  status: presence,
};

/** The fan never sees `decline`, but still `requested` (row E6). */
export const REQUEST_STATES = ['requested', 'accept', 'decline'] as const;

/**
 * `waiting`: unanswered request; tips are still possible. `followers`: the creator accepts messages only from
 * followers. `blocked`: by one of the two. `gone`: the account no longer exists.
 */
export const SEND_REFUSALS = ['waiting', 'followers', 'subscribers', 'blocked', 'gone'] as const;

export const conversation = z.object({
  id: conversationId,
  revision,
  /** This version covers all messages up to it. */
  lastSeq: z.number(),
  user: z.object({ ...chatUser, isVerified: z.boolean() }),
  customer: z.object(chatUser),
  info: z.object({
    isBlocked: z.boolean(),
    isBlockedByMe: z.boolean(),
    request: z.enum(REQUEST_STATES),
    canSend: z.boolean(),
    refusal: z.nullable(z.enum(SEND_REFUSALS)),
  }),
  /** Only the viewer's own flag; the other side's is private and always false. */
  isMutedCreator: z.boolean(),
  isMutedCustomer: z.boolean(),
  isBlocked: z.boolean(),
  lastMessageCreatedAt: z.nullable(instant),
  /** At most 200 characters. Null if no message is left. */
  lastMessage: z.nullable(
    z.object({
      id: messageId,
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
      tip: messageTip,
      call: messageCall,
    }),
  ),
  unreadCount: z.number(),
  /** The viewer's messages up to here are `delivered` or `read`. */
  deliveredSeq: z.number(),
  readSeq: z.number(),
  ownReadSeq: z.number(),
});
export type Conversation = z.infer<typeof conversation>;

const TEXT_RULE = `At most ${CHAT_LIMITS.textLength} characters`;
export const messageText = z.string('Enter a message').check(
  z.trim(),
  z.minLength(1, 'Enter a message'),
  z.maxLength(CHAT_LIMITS.textLength, TEXT_RULE),
  z.refine((text) => /[^\p{Z}\p{C}]/u.test(text), 'Enter a message'),
);
export const messageCaption = z.string().check(z.trim(), z.maxLength(CHAT_LIMITS.textLength, TEXT_RULE));
/** USD; 0 is free. Only creators may set a price. The server checks the limits in force. */
export const messagePrice = inputUsd;
/** A UUID that is reused for retries and after reloads. */
export const clientId = z
  .string()
  .check(z.regex(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/, 'Must be a lower-case UUID'));
/** File extensions. Files whose content does not match are refused. */
export const CHAT_DOCUMENT_TYPES = [
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

export const messageMarks = z.object({
  conversationId,
  msgIds: z.array(messageId).check(z.minLength(1), z.maxLength(CHAT_LIMITS.statusIdsMax)),
  status: z.enum(['delivered', 'read']),
});
