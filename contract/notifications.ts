/** What people are told of what happened (section I of the rows): the list, how much of it is unread, and what they wish to be told. */
import * as z from 'zod/mini';
import { event } from './atoms/event.ts';
import { instant, notificationId } from './atoms/ids.ts';
import { offset } from './atoms/paging.ts';
import { route } from './atoms/route.ts';

/** Below it, in a mail's head, the link that ends those mails by one click (RFC 8058). */
export const UNSUBSCRIBE_PATH = '/api/notifications/unsubscribe';

/** What a line shows where it shows nobody's face. */
export const NOTIFICATION_ICONS = [
  'card',
  'chat',
  'download',
  'key',
  'lock',
  'phone',
  'tip',
  'undo',
  'wallet',
] as const;

/** What is said in one line: one thing, or all of a kind on one day (UTC). */
export const notificationLine = z.object({
  /** Of the newest thing in it. */
  id: notificationId,
  /** Of the oldest. */
  firstId: notificationId,
  kind: z.string(),
  icon: z.enum(NOTIFICATION_ICONS),
  /** When the newest of it happened. */
  at: instant,
  isUnread: z.boolean(),
  /** Who did it, the latest first: at most three of `peopleCount`. Their names begin the line. */
  people: z.array(z.object({ name: z.string(), avatarUrl: z.nullable(z.string()) })),
  peopleCount: z.number(),
  /** After the names, or by itself: "published “Moon jar”". */
  text: z.string(),
  detail: z.string(),
  /** The page of it. */
  href: z.string(),
});
export type NotificationLine = z.infer<typeof notificationLine>;

export const listNotifications = route({
  method: 'GET',
  path: '/notifications',
  summary: 'What happened, newest first: whole days, each kind of a day in one line',
  auth: 'session',
  rate: 'read',
  query: z.object({ offset, tab: z._default(z.enum(['all', 'unread']), 'all') }),
  response: z.object({ data: z.array(notificationLine), nextOffset: z.optional(z.string()) }),
});

export const countNotifications = route({
  method: 'GET',
  path: '/notifications/unread',
  summary: 'How many lines are unread; beyond 500 things, those of the newest 500',
  auth: 'session',
  rate: 'read',
  response: z.object({ count: z.number() }),
});

export const readNotifications = route({
  method: 'POST',
  path: '/notifications/read',
  summary: 'Mark as read: a line (without `kind` all from its `firstId`), or without `line` everything up to `upTo`',
  auth: 'session',
  rate: 'write',
  body: z.object({
    upTo: notificationId,
    line: z.optional(z.object({ kind: z.optional(z.string().check(z.maxLength(40))), firstId: notificationId })),
  }),
  response: z.object({ count: z.number() }),
});

/** To all devices of a person: something came, or was read elsewhere. What is shown is asked for anew. */
export const notificationsChanged = event({ name: 'NOTIFICATIONS_CHANGED', audience: 'user', payload: z.object({}) });
