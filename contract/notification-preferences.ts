/** Notification preferences (row I2). */
import * as z from 'zod/mini';
import { route } from './atoms/route.ts';

export const FAN_PREFERENCES = ['newPost', 'chatApprove', 'creatorOnline', 'newMessage'] as const;
export const CREATOR_PREFERENCES = [
  'incomingVideoCall',
  'chatRequest',
  'tip',
  'unlockChatMedia',
  'unlockPost',
] as const;
export const PREFERENCES = [...FAN_PREFERENCES, ...CREATOR_PREFERENCES] as const;
export type PreferenceKey = (typeof PREFERENCES)[number];

const ways = { push: z.boolean(), email: z.boolean(), inApp: z.boolean() };
export type Ways = { push: boolean; email: boolean; inApp: boolean };
export const DEFAULT_WAYS: Ways = { push: true, email: false, inApp: true };

export const notificationPreference = z.object({ key: z.enum(PREFERENCES), ...ways });
const list = z.object({ data: z.array(notificationPreference) });

export const notificationPreferences = route({
  method: 'GET',
  path: '/customer/notification-preferences',
  summary: 'Retrieve the notification preferences for the caller’s role',
  auth: 'session',
  rate: 'read',
  response: list,
  errors: ['FORBIDDEN'],
});

/** An object changes the channels it names. `true`: push and in-app. `false`: none. */
const wish = z.optional(
  z.union([
    z.boolean(),
    z.strictObject({ push: z.optional(ways.push), email: z.optional(ways.email), inApp: z.optional(ways.inApp) }),
  ]),
);
export const changeNotificationPreference = route({
  method: 'PUT',
  path: '/customer/update-notification-preferences',
  summary: 'Update one notification preference of the caller’s role',
  auth: 'session',
  rate: 'write',
  body: z
    .strictObject({
      ...{ newPost: wish, chatApprove: wish, creatorOnline: wish, newMessage: wish },
      ...{ incomingVideoCall: wish, chatRequest: wish, tip: wish, unlockChatMedia: wish, unlockPost: wish },
    })
    .check(
      z.refine((pairs) => Object.values(pairs).filter((value) => value !== undefined).length === 1, {
        error: 'Send one preference at a time',
      }),
    ),
  response: list,
  errors: ['FORBIDDEN'],
});
