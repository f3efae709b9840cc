/** Requests, blocking, muting, who may start a conversation, and private notes (row E6). */
import * as z from 'zod/mini';
import { conversationId, subscriptionTierId, userId } from '../shared/ids.ts';
import { CHAT_LIMITS } from '../shared/module-limits.ts';
import { offset } from '../shared/paging.ts';
import { route } from '../shared/route.ts';
import { conversation } from './messages.ts';

const conversationParams = z.object({ id: conversationId });

/** Accepting emits `chatApprove` to the fan. Declining is silent, and the fan may ask again after 30 days (row E6). */
export const respondToChatRequest = route({
  method: 'POST',
  path: '/message/conversation-response/:customerId',
  summary: 'Accept or decline a message request',
  auth: 'creator',
  team: ['chat'],
  rate: 'write',
  params: z.object({ customerId: userId }),
  body: z.object({ status: z.enum(['accept', 'decline']) }),
  response: z.object({ success: z.boolean(), data: conversation }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
});
const blocking = z.object({ isBlocked: z.boolean() });
/** Without a body the block is toggled. It stops messages, chat tips and broadcasts between both sides. */
export const blockUnblockCustomer = route({
  method: 'POST',
  path: '/message/block-unblock-customer/:customerId',
  summary: 'Block or unblock a fan',
  auth: 'creator',
  allowedInMaintenance: true,
  rate: 'write',
  params: z.object({ customerId: userId }),
  body: z.optional(z.object({ isBlocked: z.optional(z.boolean()) })),
  response: z.object({ ...blocking.shape, success: z.boolean() }),
  errors: ['NOT_FOUND'],
});
export const blockUnblockCreator = route({
  method: 'POST',
  path: '/message/block-unblock-creator/:creatorId',
  summary: 'Block or unblock a creator',
  auth: 'customer',
  allowedInMaintenance: true,
  rate: 'write',
  params: z.object({ creatorId: userId }),
  body: z.optional(z.object({ isBlocked: z.optional(z.boolean()) })),
  response: z.object({ ...blocking.shape, success: z.boolean() }),
  errors: ['NOT_FOUND'],
});
/** `id` is the conversation's. Muted: no sound, push or badge animation. Messages still count. */
export const muteUnmuteConversation = route({
  method: 'POST',
  path: '/message/mute-unmute/:id',
  summary: 'Mute or unmute a conversation',
  auth: 'session',
  team: ['chat'],
  rate: 'write',
  params: conversationParams,
  body: z.object({ isMuted: z.boolean() }),
  response: z.object({ success: z.boolean(), isMuted: z.boolean() }),
  errors: ['NOT_FOUND'],
});
/** Only the author sees the note. An empty text removes it. */
export const saveConversationNote = route({
  method: 'PUT',
  path: '/message/note/:id',
  summary: 'Save a private note about a user',
  auth: 'session',
  team: ['chat'],
  rate: 'write',
  params: conversationParams,
  body: z.object({
    note: z
      .string()
      .check(z.trim(), z.maxLength(CHAT_LIMITS.noteLength, `At most ${CHAT_LIMITS.noteLength} characters`)),
  }),
  response: z.object({ success: z.boolean(), note: z.string() }),
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});

export const CHAT_RULES = ['open', 'request', 'followers', 'subscribers'] as const;
const settings = z.object({
  rule: z.enum(CHAT_RULES),
  /** With the rule `subscribers`: those of this tier and higher ones. Null for all subscribers. */
  tierId: z.nullable(subscriptionTierId),
});
export type ChatSettings = z.infer<typeof settings>;
export const getChatSettings = route({
  method: 'GET',
  path: '/message/settings',
  summary: 'Retrieve who can start a conversation',
  auth: 'creator',
  team: ['chat'],
  rate: 'read',
  response: settings,
});
export const updateChatSettings = route({
  method: 'PUT',
  path: '/message/settings',
  summary: 'Set who can start a conversation',
  auth: 'creator',
  rate: 'write',
  body: z.extend(settings, { tierId: z._default(settings.shape.tierId, null) }),
  response: settings,
});

export const BLOCKED_PAGE_SIZE = 50;
export const listBlockedUsers = route({
  method: 'GET',
  path: '/message/blocked',
  summary: 'List blocked users',
  auth: 'session',
  rate: 'read',
  query: z.object({ offset }),
  response: z.object({
    data: z.array(z.object({ id: userId, username: z.string(), name: z.string(), avatarUrl: z.nullable(z.string()) })),
    nextOffset: z.optional(z.string()),
  }),
  errors: ['FORBIDDEN'],
});
