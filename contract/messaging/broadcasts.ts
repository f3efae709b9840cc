/**
 * A message to many fans, each in their own conversation; for the creator under the key `broadcast` (row E8). It is
 * stored once, and a fan's copy is created when the fan next opens the chat.
 */
import * as z from 'zod/mini';
import { SUBSCRIBER_SEGMENTS } from '../content/subscriptions.ts';
import { event } from '../shared/event.ts';
import { broadcastId, conversationId, instant, mediaId, subscriptionTierId } from '../shared/ids.ts';
import { CHAT_LIMITS } from '../shared/module-limits.ts';
import { usd } from '../shared/money.ts';
import { limit, offset } from '../shared/paging.ts';
import { route } from '../shared/route.ts';
import { clientId, message, messageCaption, messagePrice, messageText } from './messages.ts';

/**
 * `buyers`: bought from this creator before. `active`: wrote, tipped, bought or followed in the last 30 days.
 * `notBought`: followers who own none of these media. `topSpenders`: who paid most in the latest sales. Groups of
 * subscribers, and top spenders, are those of the moment of sending.
 */
export const BROADCAST_AUDIENCES = [
  'chosen',
  'followers',
  'buyers',
  'active',
  'notBought',
  ...SUBSCRIBER_SEGMENTS,
  'topSpenders',
] as const;
export type BroadcastAudience = (typeof BROADCAST_AUDIENCES)[number];
/** `unsent` broadcasts were removed for all fans who had not read or bought them. */
export const BROADCAST_STATES = ['scheduled', 'sent', 'cancelled', 'unsent'] as const;

export const broadcast = z.object({
  id: broadcastId,
  message,
  audience: z.enum(BROADCAST_AUDIENCES),
  /** The name of the tier of the audience `tier`. */
  tierName: z.nullable(z.string()),
  excludeBuyers: z.boolean(),
  status: z.enum(BROADCAST_STATES),
  createdAt: instant,
  scheduledAt: z.nullable(instant),
  sentAt: z.nullable(instant),
  /** Null until the recipients are counted. */
  recipientCount: z.nullable(z.number()),
  deliveredCount: z.number(),
  readCount: z.number(),
  purchasedCount: z.number(),
  /** USD after the platform's fee. */
  earned: usd,
});
export type Broadcast = z.infer<typeof broadcast>;

const targetFields = {
  audience: z._default(z.enum(BROADCAST_AUDIENCES), 'chosen'),
  conversationIds: z._default(
    z
      .array(conversationId)
      .check(z.maxLength(CHAT_LIMITS.broadcastTargets, `At most ${CHAT_LIMITS.broadcastTargets} conversations`)),
    [],
  ),
  excludeBuyers: z._default(z.boolean(), false),
  /** Only for the audience `tier`. */
  tierId: z.optional(subscriptionTierId),
  scheduledAt: z.optional(instant),
  clientId: z.optional(clientId),
};
/** The message has the key `broadcast` (row E8). */
const broadcastResponse = z.object({ messageList: z.array(message), data: broadcast });

export const broadcastText = route({
  method: 'POST',
  path: '/message/broadcast-text',
  summary: 'Broadcast a text message',
  auth: 'creator',
  team: ['chat'],
  activity: 'chat',
  rate: 'write',
  idempotent: true,
  body: z.object({ ...targetFields, text: messageText }),
  response: broadcastResponse,
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN'],
});
/** Fields as in `broadcastMedia` (`conversationIds` as a JSON array), then files as in `sendMediaMessage` (row E8). */
export const broadcastMediaMessage = route({
  method: 'POST',
  path: '/message/broadcast-media-message',
  summary: 'Broadcast files',
  auth: 'creator',
  team: ['chat'],
  activity: 'chat',
  rate: 'upload',
  multipart: true,
  idempotent: true,
  response: broadcastResponse,
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'TOO_LARGE', 'UNSUPPORTED_TYPE', 'NOT_VERIFIED'],
});
export const broadcastMedia = route({
  method: 'POST',
  path: '/message/broadcast-media',
  summary: 'Broadcast uploaded media',
  auth: 'creator',
  team: ['chat'],
  activity: 'chat',
  rate: 'write',
  idempotent: true,
  body: z.object({
    ...targetFields,
    text: z._default(messageCaption, ''),
    price: z._default(messagePrice, 0),
    isViewOnce: z._default(z.boolean(), false),
    mediaIds: z
      .array(mediaId)
      .check(z.minLength(1, 'Add a file'), z.maxLength(CHAT_LIMITS.files, `At most ${CHAT_LIMITS.files} files`)),
  }),
  response: broadcastResponse,
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'NOT_VERIFIED'],
});

/** Returns the current size of each audience. `mediaIds` (comma-separated) defines `notBought`, `tierId` defines `tier`. */
export const listBroadcastAudiences = route({
  method: 'GET',
  path: '/message/broadcast-audiences',
  summary: 'List broadcast audiences with their sizes',
  auth: 'creator',
  team: ['chat'],
  rate: 'read',
  query: z.object({
    mediaIds: z._default(z.string().check(z.maxLength(400)), ''),
    tierId: z.optional(subscriptionTierId),
  }),
  response: z.object({ data: z.array(z.object({ audience: z.enum(BROADCAST_AUDIENCES), count: z.number() })) }),
});
export const listBroadcasts = route({
  method: 'GET',
  path: '/message/broadcasts',
  summary: 'List broadcasts with statistics; sent ones newest first, scheduled ones soonest first',
  auth: 'creator',
  team: ['chat'],
  rate: 'read',
  query: z.object({ limit, offset, status: z._default(z.enum(['sent', 'scheduled']), 'sent') }),
  response: z.object({ data: z.array(broadcast), limit: z.number(), nextOffset: z.optional(z.string()) }),
});
const broadcastParams = z.object({ id: broadcastId });
export const getBroadcast = route({
  method: 'GET',
  path: '/message/broadcasts/:id',
  summary: 'Retrieve a broadcast with statistics',
  auth: 'creator',
  team: ['chat'],
  rate: 'read',
  params: broadcastParams,
  response: broadcast,
  errors: ['NOT_FOUND'],
});
export const unsendBroadcast = route({
  method: 'DELETE',
  path: '/message/broadcasts/:id',
  summary: 'Cancel a broadcast, or delete it for fans who have not read or unlocked it',
  auth: 'creator',
  team: ['chat'],
  allowedInMaintenance: true,
  rate: 'write',
  params: broadcastParams,
  response: broadcast,
  errors: ['NOT_FOUND'],
});
/** `null` sends it now. CONFLICT if it was sent already. */
export const rescheduleBroadcast = route({
  method: 'PATCH',
  path: '/message/broadcasts/:id',
  summary: 'Reschedule a scheduled broadcast, or send it now',
  auth: 'creator',
  team: ['chat'],
  activity: 'chat',
  rate: 'write',
  params: broadcastParams,
  body: z.object({ scheduledAt: z.nullable(instant) }),
  response: broadcast,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

/** The event is not in the specification. It is emitted at most every 2 s per broadcast. */
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
