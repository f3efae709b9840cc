/**
 * Web push (row I3), in the declarative format of {@link pushMessage}, which supporting browsers show without a script.
 */
import * as z from 'zod/mini';
import { instant, pushDeviceId, userId } from '../shared/ids.ts';
import { route } from '../shared/route.ts';
import { timeZone } from '../shared/time-zone.ts';

/** One more replaces the oldest. */
export const PUSH_DEVICES_MAX = 20;

export const getPushKey = route({
  method: 'GET',
  path: '/web-notify/vapidPublicKey',
  summary: 'Retrieve the VAPID public key for push subscriptions (P-256, base64url)',
  auth: 'session',
  rate: 'read',
  response: z.object({ publicKey: z.string() }),
});

/** A `PushSubscription` as JSON, or the `deviceToken` of Safari. */
const subscription = z
  .object({
    endpoint: z.optional(z.string().check(z.minLength(1), z.maxLength(2_000))),
    expirationTime: z.optional(z.nullable(z.number())),
    keys: z.optional(
      z.object({ p256dh: z.string().check(z.maxLength(200)), auth: z.string().check(z.maxLength(200)) }),
    ),
    deviceToken: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
    /** The browser sends it without a user action. A device that the user removed stays removed. */
    isRenewal: z.optional(z.boolean()),
    /** The previous endpoint, renewed without an open page. The subscription goes to the owner of that device only. */
    replaces: z.optional(z.string().check(z.minLength(1), z.maxLength(2_000))),
  })
  .check(
    z.refine(({ endpoint, keys, deviceToken }) => deviceToken !== undefined || (endpoint && keys) !== undefined, {
      error: 'Subscription missing',
    }),
  );

/**
 * The subscription lasts as long as the session. A device of another account is moved to the current user. Returns
 * false if it is not usable.
 */
export const subscribeToPush = route({
  method: 'POST',
  path: '/web-notify/subscribe',
  summary: 'Subscribe a device to push notifications, by its subscription or Safari `deviceToken`',
  auth: 'session',
  rate: 'write',
  body: subscription,
  response: z.object({ success: z.boolean() }),
});

export const unsubscribeFromPush = route({
  method: 'POST',
  path: '/web-notify/unsubscribe',
  summary: 'Unsubscribe a device from push notifications. Returns false if it isn’t the user’s device',
  auth: 'session',
  allowedInMaintenance: true,
  rate: 'write',
  body: z
    .object({
      endpoint: z.optional(z.string().check(z.minLength(1), z.maxLength(2_000))),
      deviceToken: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
    })
    .check(
      z.refine(({ endpoint, deviceToken }) => (endpoint ?? deviceToken) !== undefined, {
        error: 'Device missing',
      }),
    ),
  response: z.object({ success: z.boolean() }),
});

const pushDevicesResponse = z.object({
  data: z.array(
    z.object({
      id: pushDeviceId,
      name: z.string(),
      since: instant,
      lastPushedAt: z.nullable(instant),
      isCurrent: z.boolean(),
    }),
  ),
});
export const listPushDevices = route({
  method: 'GET',
  path: '/notifications/devices',
  summary: 'List the user’s push devices, newest first',
  auth: 'session',
  rate: 'read',
  response: pushDevicesResponse,
});
export const removePushDevice = route({
  method: 'DELETE',
  path: '/notifications/devices/:deviceId',
  summary: 'Remove a push device and return the remaining ones',
  auth: 'session',
  allowedInMaintenance: true,
  rate: 'write',
  params: z.object({ deviceId: pushDeviceId }),
  response: pushDevicesResponse,
  errors: ['NOT_FOUND'],
});
export const removeOtherPushDevices = route({
  method: 'DELETE',
  path: '/notifications/devices',
  summary: 'Remove all push devices except those of the current session',
  auth: 'session',
  allowedInMaintenance: true,
  rate: 'write',
  response: pushDevicesResponse,
});

const timeOfDay = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Enter a time such as 22:00'));

/** Equal start and end could mean all day or never. */
export const SAME_TIME_MESSAGE = 'End time must differ from start time';

export const pushSettings = z.object({
  /** Only calls and security alerts are pushed then. The hours may span midnight. */
  quietFrom: z.nullable(timeOfDay),
  quietUntil: z.nullable(timeOfDay),
  timeZone,
  /** Calls and security alerts are pushed in addition. */
  pushesPerHour: z.number().check(z.int(), z.gte(1), z.lte(60)),
  /** Pushes contain no names or details, because they appear on the lock screen. */
  isDiscreet: z.boolean(),
});
export type PushSettings = z.infer<typeof pushSettings>;
export const DEFAULT_PUSH_SETTINGS: PushSettings = {
  quietFrom: null,
  quietUntil: null,
  timeZone: 'UTC',
  pushesPerHour: 10,
  isDiscreet: true,
};

export const getPushSettings = route({
  method: 'GET',
  path: '/notifications/settings',
  summary: 'Retrieve quiet hours, the hourly limit and the privacy of push notifications',
  auth: 'session',
  rate: 'read',
  response: pushSettings,
});
export const updatePushSettings = route({
  method: 'PUT',
  path: '/notifications/settings',
  summary: 'Update the given push settings',
  auth: 'session',
  rate: 'write',
  body: z.partial(pushSettings),
  response: pushSettings,
});

export const listMutedCreators = route({
  method: 'GET',
  path: '/notifications/muted-creators',
  summary: 'List creators whose posts and online status don’t send push notifications',
  auth: 'customer',
  rate: 'read',
  response: z.object({ creatorIds: z.array(userId) }),
});
export const updateMutedCreator = route({
  method: 'PUT',
  path: '/notifications/muted-creators/:creatorId',
  summary: 'Turn push notifications for a creator’s posts and online status on or off',
  auth: 'customer',
  rate: 'write',
  params: z.object({ creatorId: userId }),
  body: z.object({ isPushEnabled: z.boolean() }),
  response: z.object({ creatorIds: z.array(userId) }),
  errors: ['NOT_FOUND'],
});

/** Query parameter: the notification to mark as read. */
export const ALERT_PARAM = 'alert';

/** For the app icon. `messages` excludes muted conversations. */
export const toBadgeCount = ({ alerts, messages }: { alerts: number; messages: number }): number => alerts + messages;

export const pushMessage = z.object({
  web_push: z.literal(8030),
  notification: z.object({
    title: z.string(),
    body: z.optional(z.string()),
    navigate: z.string(),
    /** Replaces an earlier push: a call's id, `chat-` and a conversation's id, or a kind and the id of its subject. */
    tag: z.string(),
    lang: z.literal('en'),
    dir: z.literal('ltr'),
    silent: z.optional(z.boolean()),
    requireInteraction: z.optional(z.boolean()),
    /** Alerts the user even when it replaces another. */
    renotify: z.optional(z.boolean()),
    icon: z.string(),
    badge: z.string(),
    /** Removes the notification with this tag. */
    data: z.optional(z.object({ close: z.literal(true) })),
  }),
  /** See {@link toBadgeCount}. A number, as in the draft of the Push API. */
  app_badge: z.optional(z.number()),
});
export type PushMessage = z.infer<typeof pushMessage>;
