/** Push notifications on this device: support, turning them on and off. Only this module requests the permission. */

import { getPushKey, subscribeToPush, unsubscribeFromPush } from '@stagedoor/contract/notifications/push.ts';
import { localStore } from '../../../platform/browser-storage.ts';
import { loadWhenReachable } from '../../../platform/lazy-part.ts';
import { api } from '../../../platform/mutation.ts';
import { PUSH_SCOPE, PUSH_WORKER } from '../../../workers/shared.ts';

/**
 * `install`: an iPhone or iPad supports push only for apps on the Home Screen. `none`: the browser has no push.
 * `denied`: the user declined and can change that only in the browser's settings.
 */
export type PushState = 'on' | 'off' | 'denied' | 'install' | 'none';

/** Stored per account, because several accounts on one device may have different preferences. */
const preferenceKey = (userId: string) => `push:${userId}`;
type PushPreference = 'on' | 'off' | 'prompted';
/**
 * The endpoint that this page has registered with the server. A device belongs to a session, and a new login loads a
 * new page.
 */
let registered: { userId: string; endpoint: string } | undefined;
const isRegistered = (userId: string, endpoint: string) =>
  registered?.userId === userId && registered.endpoint === endpoint;

export function findPushPreference(userId: string): PushPreference | undefined {
  const preference = localStore.getItem(preferenceKey(userId));
  if (preference === 'on' || preference === 'off' || preference === 'prompted') return preference;
  // Without storage the prompt would return on each page.
  return localStore.isPersistent() ? undefined : 'prompted';
}

export function savePushPreference(userId: string, preference: PushPreference): void {
  localStore.setItem(preferenceKey(userId), preference);
}

const isAppleTouch = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

/** Safari on a Mac has its own prompt (row I3). */
export const isDesktopSafari = () =>
  /Macintosh.*Version\/[\d.]+.* Safari\//.test(navigator.userAgent) &&
  !/Chrome|Chromium|Edg|Firefox/.test(navigator.userAgent) &&
  navigator.maxTouchPoints === 0;

const loadOlderSafari = () =>
  'safari' in window ? loadWhenReachable(() => import('./older-safari.ts')) : Promise.resolve(undefined);

const canPush = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(PUSH_SCOPE);
  // Without a push worker the browser returns the app's worker, which has a wider scope.
  if (!registration?.scope.endsWith(PUSH_SCOPE)) return null;
  return registration.pushManager.getSubscription();
}

async function getStateWithoutWorker(userId: string): Promise<PushState> {
  const safariPermission = await (await loadOlderSafari())?.findSafariPermission().catch(() => undefined);
  if (!safariPermission) return isAppleTouch() ? 'install' : 'none';
  if (safariPermission.permission === 'denied') return 'denied';
  return safariPermission.permission === 'granted' && findPushPreference(userId) === 'on' ? 'on' : 'off';
}

export async function getPushState(userId: string): Promise<PushState> {
  if (!canPush()) return getStateWithoutWorker(userId);
  if (Notification.permission === 'denied') return 'denied';
  if (Notification.permission !== 'granted' || findPushPreference(userId) !== 'on') return 'off';
  return (await findSubscription()) ? 'on' : 'off';
}

/** Registers the push worker and waits until it is active, because a subscription needs an active worker. */
async function activateWorker(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(PUSH_WORKER, { scope: PUSH_SCOPE });
  const pendingWorker = registration.installing ?? registration.waiting;
  if (registration.active || !pendingWorker) return registration;
  await new Promise<void>((resolve, reject) => {
    pendingWorker.addEventListener('statechange', () => {
      if (pendingWorker.state === 'activated') resolve();
      if (pendingWorker.state === 'redundant') reject(new Error('the worker of pushes could not be installed'));
    });
  });
  return registration;
}

async function registerSubscription(
  userId: string,
  subscription: PushSubscription,
  isRenewal = false,
): Promise<boolean> {
  const { endpoint, keys } = subscription.toJSON();
  const { p256dh, auth } = keys ?? {};
  if (!endpoint || !p256dh || !auth) return false;
  const { success } = await api(
    subscribeToPush,
    { body: { endpoint, keys: { p256dh, auth }, ...(isRenewal && { isRenewal }) } },
    { showErrorMessage: false },
  );
  if (success) registered = { userId, endpoint };
  return success;
}

async function subscribe(userId: string, isRenewal = false): Promise<boolean> {
  const registration = await activateWorker();
  const { publicKey } = await api(getPushKey, {}, { showErrorMessage: false });
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  try {
    return await registerSubscription(userId, await registration.pushManager.subscribe(options), isRenewal);
  } catch (error) {
    // The existing subscription uses an earlier key of the server.
    const existing = await registration.pushManager.getSubscription();
    if (!existing) throw error;
    await existing.unsubscribe();
    return registerSubscription(userId, await registration.pushManager.subscribe(options), isRenewal);
  }
}

async function turnOnOlderSafari(userId: string): Promise<PushState> {
  const safari = await loadOlderSafari();
  const result = await safari?.requestSafariPermission().catch(() => undefined);
  if (!safari || !result) return getPushState(userId);
  const token = result.permission === 'granted' && result.deviceToken;
  const isOn = token ? await safari.registerToken(token).catch(() => false) : false;
  if (isOn && token) registered = { userId, endpoint: token };
  savePushPreference(userId, isOn ? 'on' : result.permission === 'granted' ? 'prompted' : 'off');
  return getPushState(userId);
}

async function renewOlderSafari(userId: string): Promise<void> {
  const safari = await loadOlderSafari();
  const token = (await safari?.findSafariPermission())?.deviceToken;
  if (!safari || !token || isRegistered(userId, token)) return;
  if (await safari.registerToken(token, true)) registered = { userId, endpoint: token };
  else savePushPreference(userId, 'off');
}

/**
 * Must be called from a user action, because browsers otherwise do not ask for permission. Returns the new state.
 * Errors are silent (row I3).
 */
export async function turnOnPush(userId: string): Promise<PushState> {
  if (!canPush()) return turnOnOlderSafari(userId);
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') {
    savePushPreference(userId, 'off');
    return permission === 'denied' ? 'denied' : 'off';
  }
  const isOn = await subscribe(userId).catch(() => false);
  savePushPreference(userId, isOn ? 'on' : 'prompted');
  return isOn ? 'on' : 'off';
}

export async function turnOffPush(userId: string): Promise<PushState> {
  savePushPreference(userId, 'off');
  const subscription = canPush() ? await findSubscription().catch(() => null) : null;
  registered = undefined;
  if (!canPush()) await (await loadOlderSafari())?.deleteToken().catch(() => undefined);
  if (subscription) {
    const { endpoint } = subscription;
    await api(unsubscribeFromPush, { body: { endpoint } }, { showErrorMessage: false }).catch(() => undefined);
    await subscription.unsubscribe().catch(() => false);
  }
  return getPushState(userId);
}

/**
 * Registers the device again after a login, once per page and only if the user wants push here, because a device
 * belongs to a session.
 */
export async function renewPush(userId: string): Promise<void> {
  if (!canPush()) return (await getPushState(userId)) === 'on' ? renewOlderSafari(userId) : undefined;
  if (Notification.permission !== 'granted' || findPushPreference(userId) !== 'on') return;
  const subscription = await findSubscription();
  if (subscription && isRegistered(userId, subscription.endpoint)) return;
  // A subscription that was removed elsewhere stays off until the user turns it on here. One that the browser dropped
  // is created again.
  const isOn = subscription ? await registerSubscription(userId, subscription, true) : await subscribe(userId, true);
  if (!isOn) savePushPreference(userId, 'off');
}
