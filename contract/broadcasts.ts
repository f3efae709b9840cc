/**
 * Broadcasts (row E8): one message to many fans, each of whom gets an ordinary message in their own conversation. In the creator's
 * view they live under the key `broadcast`. A broadcast is stored once; a fan's message of it is made when they next look.
 */
import * as z from 'zod/mini';
import { event } from './atoms/event.ts';
import { broadcastId, conversationId, instant, mediaId } from './atoms/ids.ts';
import { usd } from './atoms/money.ts';
import { limit, offset } from './atoms/paging.ts';
import { CHAT_LIMITS } from './atoms/room-limits.ts';
import { route } from './atoms/route.ts';
import { clientId, message, messageCaption, messagePrice, messageText } from './messages.ts';

/**
 * `chosen`: the conversations selected. `followers`: all who follow at that moment. `buyers`: who bought something of this creator
 * before. `active`: who wrote, tipped, bought or followed in the last 30 days. `notBought`: followers who have none of these media.
 */
export const AUDIENCES = ['chosen', 'followers', 'buyers', 'active', 'notBought'] as const;
export type BroadcastAudience = (typeof AUDIENCES)[number];
/** `scheduled` may be changed or cancelled until it is `sent`. `unsent`: taken back from all who had not read or bought it. */
export const BROADCAST_STATES = ['scheduled', 'sent', 'cancelled', 'unsent'] as const;

export const broadcast = z.object({
  id: broadcastId,
  /** As the creator sees it; `conversationId` is `broadcast`. */
  message,
  audience: z.enum(AUDIENCES),
  /** Those who own one of its media already are left out. */
  excludeBuyers: z.boolean(),
  status: z.enum(BROADCAST_STATES),
  createdAt: instant,
  scheduledAt: z.nullable(instant),
  sentAt: z.nullable(instant),
  /** How many it is for; null until it was counted, moments after sending. */
  recipientCount: z.nullable(z.number()),
  /** Whose inbox has it by now, who read it, who bought it. */
  deliveredCount: z.number(),
  readCount: z.number(),
  purchasedCount: z.number(),
  /** USD after the platform's fee. */
  earned: usd,
});
export type Broadcast = z.infer<typeof broadcast>;

const targets = {
  audience: z._default(z.enum(AUDIENCES), 'chosen'),
  /** For `chosen`. */
  conversationIds: z._default(
    z
      .array(conversationId)
      .check(z.maxLength(CHAT_LIMITS.broadcastTargets, `At most ${CHAT_LIMITS.broadcastTargets} conversations`)),
    [],
  ),
  excludeBuyers: z._default(z.boolean(), false),
  /** In the future; absent is now. */
  scheduledAt: z.optional(instant),
  clientId: z.optional(clientId),
};
/** `messageList` is row E8's: the message as it stands under the key `broadcast`. */
const answer = z.object({ messageList: z.array(message), data: broadcast });

export const broadcastText = route({
  method: 'POST',
  path: '/message/broadcast-text',
  summary: 'Send a text to many',
  auth: 'creator',
  team: ['chat'],
  activity: 'chat',
  rate: 'write',
  idempotent: true,
  body: z.object({ ...targets, text: messageText }),
  response: answer,
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN'],
});
/** Row E8, multipart: fields as in `broadcastMedia` (`conversationIds` a JSON array), then files as in `sendMediaMessage`. */
export const broadcastMediaMessage = route({
  method: 'POST',
  path: '/message/broadcast-media-message',
  summary: 'Send files to many',
  auth: 'creator',
  team: ['chat'],
  activity: 'chat',
  rate: 'upload',
  multipart: true,
  idempotent: true,
  response: answer,
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'TOO_LARGE', 'UNSUPPORTED_TYPE', 'NOT_VERIFIED'],
});
/** Media uploaded by tus at `/files`. */
export const broadcastMedia = route({
  method: 'POST',
  path: '/message/broadcast-media',
  summary: 'Send uploaded media to many',
  auth: 'creator',
  team: ['chat'],
  activity: 'chat',
  rate: 'write',
  idempotent: true,
  body: z.object({
    ...targets,
    text: z._default(messageCaption, ''),
    price: z._default(messagePrice, 0),
    isViewOnce: z._default(z.boolean(), false),
    mediaIds: z
      .array(mediaId)
      .check(z.minLength(1, 'Please add a file'), z.maxLength(CHAT_LIMITS.files, `At most ${CHAT_LIMITS.files} files`)),
  }),
  response: answer,
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'NOT_VERIFIED'],
});

/** The composer's choice, with how many each reaches now. `mediaIds` (comma-separated) names what `notBought` is about. */
export const broadcastGroups = route({
  method: 'GET',
  path: '/message/broadcast-groups',
  summary: 'Groups to broadcast to, with their sizes',
  auth: 'creator',
  team: ['chat'],
  rate: 'read',
  query: z.object({ mediaIds: z._default(z.string().check(z.maxLength(400)), '') }),
  response: z.object({ data: z.array(z.object({ audience: z.enum(AUDIENCES), count: z.number() })) }),
});
export const listBroadcasts = route({
  method: 'GET',
  path: '/message/broadcasts',
  summary: 'Own broadcasts with their progress and numbers, newest first; scheduled ones by their time, soonest first',
  auth: 'creator',
  team: ['chat'],
  rate: 'read',
  query: z.object({ limit, offset, status: z._default(z.enum(['sent', 'scheduled']), 'sent') }),
  response: z.object({ data: z.array(broadcast), limit: z.number(), nextOffset: z.optional(z.string()) }),
});
const onBroadcast = z.object({ id: broadcastId });
export const getBroadcast = route({
  method: 'GET',
  path: '/message/broadcasts/:id',
  summary: 'One broadcast with its progress and numbers',
  auth: 'creator',
  team: ['chat'],
  rate: 'read',
  params: onBroadcast,
  response: broadcast,
  errors: ['NOT_FOUND'],
});
/** Scheduled: cancelled. Sent: taken back from everyone who has neither read nor bought it. */
export const unsendBroadcast = route({
  method: 'DELETE',
  path: '/message/broadcasts/:id',
  summary: 'Cancel or unsend a broadcast',
  auth: 'creator',
  team: ['chat'],
  goesOn: true,
  rate: 'write',
  params: onBroadcast,
  response: broadcast,
  errors: ['NOT_FOUND'],
});
/** Another time, or `null`: now. CONFLICT once it was sent. */
export const rescheduleBroadcast = route({
  method: 'PATCH',
  path: '/message/broadcasts/:id',
  summary: 'Send a scheduled broadcast at another time, or now',
  auth: 'creator',
  team: ['chat'],
  activity: 'chat',
  rate: 'write',
  params: onBroadcast,
  body: z.object({ scheduledAt: z.nullable(instant) }),
  response: broadcast,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

/** Beside the specification's: a broadcast was sent, or its numbers changed. To the creator's devices, at most every 2 s each. */
export const broadcastProgress = event({
  name: 'BROADCAST_PROGRESS',
  audience: 'user',
  team: 'chat',
  payload: z.object({
    id: broadcastId,
    status: z.enum(BROADCAST_STATES),
    recipientCount: z.nullable(z.number()),
    deliveredCount: z.number(),
    readCount: z.number(),
    purchasedCount: z.number(),
    earned: usd,
  }),
});
