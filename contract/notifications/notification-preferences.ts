/** Notification preferences (row I2). */
import * as z from 'zod/mini';
import { route } from '../shared/route.ts';

export const FAN_PREFERENCES = ['newPost', 'chatApprove', 'creatorOnline', 'newMessage'] as const;
export const CREATOR_PREFERENCES = [
  'incomingVideoCall',
  'chatRequest',
  'tip',
  'unlockChatMedia',
  'unlockPost',
  'newSubscriber',
  'subscriberLeft',
] as const;
export const PREFERENCE_KEYS = [...FAN_PREFERENCES, ...CREATOR_PREFERENCES] as const;
export type PreferenceKey = (typeof PREFERENCE_KEYS)[number];

const channels = { push: z.boolean(), email: z.boolean(), inApp: z.boolean() };
export type NotificationChannels = { push: boolean; email: boolean; inApp: boolean };
export const DEFAULT_CHANNELS: NotificationChannels = { push: true, email: false, inApp: true };

export const notificationPreference = z.object({ key: z.enum(PREFERENCE_KEYS), ...channels });
const preferencesResponse = z.object({ data: z.array(notificationPreference) });

export const getNotificationPreferences = route({
  method: 'GET',
  path: '/customer/notification-preferences',
  summary: 'Retrieve the notification preferences for the caller’s role',
  auth: 'session',
  rate: 'read',
  response: preferencesResponse,
  errors: ['FORBIDDEN'],
});

/** An object changes the channels it names. `true`: push and in-app. `false`: none. */
const channelChange = z.optional(
  z.union([
    z.boolean(),
    z.strictObject({
      push: z.optional(channels.push),
      email: z.optional(channels.email),
      inApp: z.optional(channels.inApp),
    }),
  ]),
);
export const updateNotificationPreference = route({
  method: 'PUT',
  path: '/customer/update-notification-preferences',
  summary: 'Update one notification preference of the caller’s role',
  auth: 'session',
  rate: 'write',
  body: z
    .strictObject({
      ...{
        newPost: channelChange,
        chatApprove: channelChange,
        creatorOnline: channelChange,
        newMessage: channelChange,
      },
      ...{
        incomingVideoCall: channelChange,
        chatRequest: channelChange,
        tip: channelChange,
        unlockChatMedia: channelChange,
        unlockPost: channelChange,
        newSubscriber: channelChange,
        subscriberLeft: channelChange,
      },
    })
    .check(
      z.refine((pairs) => Object.values(pairs).filter((value) => value !== undefined).length === 1, {
        error: 'Send one preference at a time',
      }),
    ),
  response: preferencesResponse,
  errors: ['FORBIDDEN'],
});
