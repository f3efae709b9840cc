/**
 * Push (row I3): devices that are told while no page is open, when they are not, and whose bell is off. What a push carries is the
 * declarative form of {@link pushMessage}, which browsers that know it show without script.
 */
import * as z from 'zod/mini';
import { instant, pushDeviceId, userId } from './atoms/ids.ts';
import { route } from './atoms/route.ts';
import { timeZone } from './atoms/time-zone.ts';

/** Devices of an account: with one more the oldest goes. */
export const DEVICES_MOST = 20;

export const pushKey = route({
  method: 'GET',
  path: '/web-notify/vapidPublicKey',
  summary: 'The key that subscriptions are made with: the point of a P-256 key, base64url',
  auth: 'session',
  rate: 'read',
  response: z.object({ publicKey: z.string() }),
});

/** A browser's `PushSubscription` as JSON, or the `deviceToken` of Safari. */
const subscription = z
  .object({
    endpoint: z.optional(z.string().check(z.minLength(1), z.maxLength(2_000))),
    expirationTime: z.optional(z.nullable(z.number())),
    keys: z.optional(
      z.object({ p256dh: z.string().check(z.maxLength(200)), auth: z.string().check(z.maxLength(200)) }),
    ),
    deviceToken: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
    /** The browser says so by itself: a device that its person removed stays removed. */
    isRenewal: z.optional(z.boolean()),
    /** Of a browser that asks with no page open: the endpoint that it had. It is taken for who has that device, and nobody else. */
    replaces: z.optional(z.string().check(z.minLength(1), z.maxLength(2_000))),
  })
  .check(
    z.refine(({ endpoint, keys, deviceToken }) => deviceToken !== undefined || (endpoint && keys) !== undefined, {
      error: 'Please send a subscription',
    }),
  );

/** It lasts as long as the session; another account's becomes that of whoever is logged in there now. What cannot be used is answered by false. */
export const subscribeToPush = route({
  method: 'POST',
  path: '/web-notify/subscribe',
  summary: 'Tell this device: by its subscription, or by the `deviceToken` of Safari',
  auth: 'session',
  rate: 'write',
  body: subscription,
  response: z.object({ success: z.boolean() }),
});

export const unsubscribeFromPush = route({
  method: 'POST',
  path: '/web-notify/unsubscribe',
  summary: 'Tell this device no more; false if it was none of the actor’s',
  auth: 'session',
  goesOn: true,
  rate: 'write',
  body: z
    .object({
      endpoint: z.optional(z.string().check(z.minLength(1), z.maxLength(2_000))),
      deviceToken: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
    })
    .check(
      z.refine(({ endpoint, deviceToken }) => (endpoint ?? deviceToken) !== undefined, {
        error: 'Please say which device',
      }),
    ),
  response: z.object({ success: z.boolean() }),
});

const devices = z.object({
  data: z.array(
    z.object({
      id: pushDeviceId,
      /** “Chrome on Android”. */
      name: z.string(),
      since: instant,
      /** When something last went there. */
      toldAt: z.nullable(instant),
      /** Of the session that asks. */
      isThis: z.boolean(),
    }),
  ),
});
export const listPushDevices = route({
  method: 'GET',
  path: '/notifications/devices',
  summary: 'The actor’s devices that are pushed to, the newest first',
  auth: 'session',
  rate: 'read',
  response: devices,
});
export const removePushDevice = route({
  method: 'DELETE',
  path: '/notifications/devices/:deviceId',
  summary: 'Push no more to a device, until its person turns it on there again; answers those that are left',
  auth: 'session',
  goesOn: true,
  rate: 'write',
  params: z.object({ deviceId: pushDeviceId }),
  response: devices,
  errors: ['NOT_FOUND'],
});
export const removeOtherPushDevices = route({
  method: 'DELETE',
  path: '/notifications/devices',
  summary: 'The same for all but those of the session that asks',
  auth: 'session',
  goesOn: true,
  rate: 'write',
  response: devices,
});

const timeOfDay = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Please enter a time such as 22:00'));

/** Of quiet hours that end when they begin, which could be all day or never. */
export const SAME_TIME = 'Please choose another time: this is when they begin';

export const pushSettings = z.object({
  /** From then until then nothing pushes but what rings and what protects the account; of their own day, over midnight too. */
  quietFrom: z.nullable(timeOfDay),
  quietUntil: z.nullable(timeOfDay),
  /** Of the quiet hours. */
  timeZone,
  /** Pushes an hour at most; what rings and what protects the account comes beyond. */
  pushesPerHour: z.number().check(z.int(), z.gte(1), z.lte(60)),
  /** What lies on the lock screen names nobody and nothing. */
  isDiscreet: z.boolean(),
});
export type PushSettings = z.infer<typeof pushSettings>;
/** Until somebody says otherwise. */
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
  summary: 'When the actor is not pushed, how often at most, and how much a push says',
  auth: 'session',
  rate: 'read',
  response: pushSettings,
});
export const changePushSettings = route({
  method: 'PUT',
  path: '/notifications/settings',
  summary: 'Change those of the settings that are sent',
  auth: 'session',
  rate: 'write',
  body: z.partial(pushSettings),
  response: pushSettings,
});

export const listBells = route({
  method: 'GET',
  path: '/notifications/bells',
  summary: 'Creators whose bell is off: their posts and their coming online do not push',
  auth: 'customer',
  rate: 'read',
  response: z.object({ creatorIds: z.array(userId) }),
});
export const changeBell = route({
  method: 'PUT',
  path: '/notifications/bells/:creatorId',
  summary: 'Turn a creator’s bell on or off',
  auth: 'customer',
  rate: 'write',
  params: z.object({ creatorId: userId }),
  body: z.object({ isOn: z.boolean() }),
  response: z.object({ creatorIds: z.array(userId) }),
  errors: ['NOT_FOUND'],
});

/** In the address of a push's page: the alert that is read once it is open. */
export const ALERT_PARAM = 'alert';

/** What stands on the app's icon, whether a push or a page says so: alerts that are unread, and messages of conversations that are not muted. */
export const badgeOf = ({ alerts, messages }: { alerts: number; messages: number }): number => alerts + messages;

/** What a push carries, as JSON. */
export const pushMessage = z.object({
  web_push: z.literal(8030),
  notification: z.object({
    title: z.string(),
    body: z.optional(z.string()),
    /** The absolute address of its page. */
    navigate: z.string(),
    /** What comes later under the same tag takes its place: a call's id, `chat-` and a conversation's id, or a kind and the id of what it is about. */
    tag: z.string(),
    lang: z.literal('en'),
    dir: z.literal('ltr'),
    silent: z.optional(z.boolean()),
    requireInteraction: z.optional(z.boolean()),
    /** It makes itself heard also where it takes the place of another. */
    renotify: z.optional(z.boolean()),
    icon: z.string(),
    badge: z.string(),
    /** What was shown under this tag is over: it is to be taken away. */
    data: z.optional(z.object({ close: z.literal(true) })),
  }),
  /** See {@link badgeOf}. A number, as the Push API's draft has it. */
  app_badge: z.optional(z.number()),
});
export type PushMessage = z.infer<typeof pushMessage>;
