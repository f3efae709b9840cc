/** The service worker for push (scope `/push/`, which contains no page, docs/adr/0011). */
import type { markNotificationsRead } from '@stagedoor/contract/notifications/notifications.ts';
import type { ALERT_PARAM, getPushKey, PushMessage, subscribeToPush } from '@stagedoor/contract/notifications/push.ts';
import type { OpenNote } from './shared.ts';

declare const self: ServiceWorkerGlobalScope;

const KEY: `/api${(typeof getPushKey)['path']}` = '/api/web-notify/vapidPublicKey';
const SUBSCRIBE: `/api${(typeof subscribeToPush)['path']}` = '/api/web-notify/subscribe';
const READ: `/api${(typeof markNotificationsRead)['path']}` = '/api/notifications/read';
const JSON_HEADERS = { 'content-type': 'application/json' };
const ALERT: typeof ALERT_PARAM = 'alert';
/** How long an open page may take to accept a navigation. */
const RESPONSE_MS = 500;

type ShownNotification = PushMessage['notification'];
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function isPush(value: unknown): value is PushMessage {
  if (!isObject(value) || !('notification' in value) || !isObject(value.notification)) return false;
  const { notification } = value;
  return (
    'title' in notification &&
    typeof notification.title === 'string' &&
    'navigate' in notification &&
    typeof notification.navigate === 'string' &&
    'tag' in notification &&
    typeof notification.tag === 'string'
  );
}

/**
 * An invalid message is shown with a default text, because browsers revoke the permission after a push without a
 * notification.
 */
function parseMessage(data: PushMessageData | null): PushMessage {
  const fallback: ShownNotification = {
    title: 'Stagedoor',
    body: 'Something new for you',
    navigate: `${self.location.origin}/`,
    tag: 'stagedoor',
    lang: 'en',
    dir: 'ltr',
    icon: '/icon-192.png',
    badge: '/badge-96.png',
  };
  try {
    const payload: unknown = data?.json();
    if (isPush(payload)) return payload;
  } catch {}
  return { web_push: 8030, notification: fallback };
}

async function show({ notification, app_badge: badge }: PushMessage): Promise<void> {
  const {
    title,
    navigate,
    data,
    body = '',
    silent = false,
    requireInteraction = false,
    renotify = false,
    ...rest
  } = notification;
  const options = { ...rest, body, silent, requireInteraction, renotify, data: { navigate } };
  await self.registration.showNotification(title, options);
  if (data?.close) {
    const outdated = await self.registration.getNotifications({ tag: notification.tag });
    for (const one of outdated) one.close();
  }
  if (badge !== undefined && 'setAppBadge' in self.navigator) await self.navigator.setAppBadge(badge);
}

function requestOpen(client: Client, url: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), RESPONSE_MS);
    port1.onmessage = ({ data }) => {
      clearTimeout(timer);
      resolve(data === true);
    };
    const note: OpenNote = { kind: 'open', url };
    client.postMessage(note, [port2]);
  });
}

/**
 * Restricts the address to our own origin and separates the notification id, which is only for pages that open without
 * a worker.
 */
function toOwnUrl(data: unknown): { href: string; alert: string | null } {
  const requested = isObject(data) && 'navigate' in data && typeof data.navigate === 'string' ? data.navigate : '/';
  const url = new URL(requested, self.location.origin);
  if (url.origin !== self.location.origin) return { href: `${self.location.origin}/`, alert: null };
  const alert = url.searchParams.get(ALERT);
  url.searchParams.delete(ALERT);
  return { href: url.href, alert };
}

/** Some browsers refuse to focus a window. The page is opened anyway. */
async function focus(client: WindowClient): Promise<void> {
  await client.focus().catch(() => undefined);
}

async function markRead(alert: string): Promise<void> {
  const body = JSON.stringify({ upTo: alert, group: { firstId: alert } });
  await fetch(READ, { method: 'POST', credentials: 'same-origin', headers: JSON_HEADERS, body }).catch(() => undefined);
}

async function openNotification(data: unknown): Promise<void> {
  const { href: url, alert } = toOwnUrl(data);
  const isRead = alert === null ? undefined : markRead(alert);
  await goTo(url);
  await isRead;
}

async function goTo(url: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const existing = windows.find((one) => one.url === url);
  if (existing) return focus(existing);
  for (const one of windows.toSorted((a, b) => Number(b.focused) - Number(a.focused)))
    if (await requestOpen(one, url)) return focus(one);
  await self.clients.openWindow(url);
}

/**
 * The browser dropped or replaced the subscription, so the server receives the new one. Without an old subscription
 * nothing is sent, because another account may be logged in or the user may have declined.
 */
async function renew({ oldSubscription, newSubscription }: PushSubscriptionChangeEvent): Promise<void> {
  if (!oldSubscription) return;
  const credentials = 'same-origin' as const;
  let subscription = newSubscription;
  if (!subscription) {
    const response = await fetch(KEY, { credentials });
    const payload: unknown = response.ok ? await response.json() : undefined;
    if (!isObject(payload) || !('publicKey' in payload) || typeof payload.publicKey !== 'string') return;
    const applicationServerKey = payload.publicKey;
    subscription = await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  }
  await fetch(SUBSCRIBE, {
    method: 'POST',
    credentials,
    headers: JSON_HEADERS,
    body: JSON.stringify({ ...subscription.toJSON(), isRenewal: true, replaces: oldSubscription.endpoint }),
  });
}

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('push', (event) => event.waitUntil(show(parseMessage(event.data))));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openNotification(event.notification.data));
});
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)));
