/** Notifications (section I of the specification). */
import * as z from 'zod/mini';
import { event } from '../shared/event.ts';
import { instant, notificationId } from '../shared/ids.ts';
import { offset } from '../shared/paging.ts';
import { route } from '../shared/route.ts';

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
export const notificationGroup = z.object({
  /** Of the newest. `firstId` is the oldest. */
  id: notificationId,
  firstId: notificationId,
  kind: z.string(),
  icon: z.enum(NOTIFICATION_ICONS),
  at: instant,
  isUnread: z.boolean(),
  /** At most three, newest first. Their names start the row. */
  users: z.array(z.object({ name: z.string(), avatarUrl: z.nullable(z.string()) })),
  userCount: z.number(),
  text: z.string(),
  detail: z.string(),
  href: z.string(),
});
export type NotificationGroup = z.infer<typeof notificationGroup>;

export const listNotifications = route({
  method: 'GET',
  path: '/notifications',
  summary: 'List notifications by day, newest first, with each kind grouped per day',
  auth: 'session',
  rate: 'read',
  query: z.object({ offset, tab: z._default(z.enum(['all', 'unread']), 'all') }),
  response: z.object({ data: z.array(notificationGroup), nextOffset: z.optional(z.string()) }),
});

export const countUnreadNotifications = route({
  method: 'GET',
  path: '/notifications/unread',
  summary: 'Count unread notification rows among the newest 500 unread notifications',
  auth: 'session',
  rate: 'read',
  response: z.object({ count: z.number() }),
});

export const markNotificationsRead = route({
  method: 'POST',
  path: '/notifications/read',
  summary: 'Mark one notification row as read, or everything up to `upTo` if `group` is omitted',
  auth: 'session',
  rate: 'write',
  body: z.object({
    upTo: notificationId,
    group: z.optional(z.object({ kind: z.optional(z.string().check(z.maxLength(40))), firstId: notificationId })),
  }),
  response: z.object({ count: z.number() }),
});

/** A notification was created, or read elsewhere. Clients refetch. */
export const notificationsChanged = event({ name: 'NOTIFICATIONS_CHANGED', audience: 'user', payload: z.object({}) });
