/** Notifications (section I of the specification). */
import * as z from 'zod/mini';
import { event } from './atoms/event.ts';
import { instant, notificationId } from './atoms/ids.ts';
import { offset } from './atoms/paging.ts';
import { route } from './atoms/route.ts';

/** One-click unsubscribe link in mail headers (RFC 8058). */
export const UNSUBSCRIBE_PATH = '/api/notifications/unsubscribe';

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

/** A single notification, or all of a kind on one day (UTC). */
export const notificationLine = z.object({
  /** Of the newest. `firstId` is the oldest. */
  id: notificationId,
  firstId: notificationId,
  kind: z.string(),
  icon: z.enum(NOTIFICATION_ICONS),
  at: instant,
  isUnread: z.boolean(),
  /** At most three, newest first. Their names start the row. */
  people: z.array(z.object({ name: z.string(), avatarUrl: z.nullable(z.string()) })),
  peopleCount: z.number(),
  text: z.string(),
  detail: z.string(),
  href: z.string(),
});
export type NotificationLine = z.infer<typeof notificationLine>;

export const listNotifications = route({
  method: 'GET',
  path: '/notifications',
  summary: 'List notifications by day, newest first, with each kind grouped per day',
  auth: 'session',
  rate: 'read',
  query: z.object({ offset, tab: z._default(z.enum(['all', 'unread']), 'all') }),
  response: z.object({ data: z.array(notificationLine), nextOffset: z.optional(z.string()) }),
});

export const countNotifications = route({
  method: 'GET',
  path: '/notifications/unread',
  summary: 'Count unread notification rows among the newest 500 unread notifications',
  auth: 'session',
  rate: 'read',
  response: z.object({ count: z.number() }),
});

export const readNotifications = route({
  method: 'POST',
  path: '/notifications/read',
  summary: 'Mark one notification row as read, or everything up to `upTo` if `line` is omitted',
  auth: 'session',
  rate: 'write',
  body: z.object({
    upTo: notificationId,
    line: z.optional(z.object({ kind: z.optional(z.string().check(z.maxLength(40))), firstId: notificationId })),
  }),
  response: z.object({ count: z.number() }),
});

/** A notification was created, or read elsewhere. Clients refetch. */
export const notificationsChanged = event({ name: 'NOTIFICATIONS_CHANGED', audience: 'user', payload: z.object({}) });
