/** Push notifications on this device: support, turning them on and off. Only this module requests the permission. */
import { pushKey, subscribeToPush, unsubscribeFromPush } from '@stagedoor/contract/push.ts';
import { whenReachable } from '../../../kernel/lazy-part.ts';
import { api } from '../../../kernel/mutation.ts';
import { PUSH_SCOPE, PUSH_WORKER } from '../../../workers/shared.ts';

/**
 * `install`: an iPhone or iPad supports push only for apps on the Home Screen. `none`: the browser has no push.
 * `denied`: the user declined and can change that only in the browser's settings.
 */
export type PushState = 'on' | 'off' | 'denied' | 'install' | 'none';

/** Stored per account, because several accounts on one device may have different preferences. */
const wishKey = (userId: string) => `push:${userId}`;
type Wish = 'on' | 'off' | 'asked';
/**
 * The endpoint that this page has registered with the server. A device belongs to a session, and a new login loads a
 * new page.
 */
let told: { userId: string; endpoint: string } | undefined;
const isTold = (userId: string, endpoint: string) => told?.userId === userId && told.endpoint === endpoint;

export function wishOf(userId: string): Wish | undefined {
  try {
    const wish = localStorage.getItem(wishKey(userId));
    return wish === 'on' || wish === 'off' || wish === 'asked' ? wish : undefined;
  } catch {
    return 'asked';
  }
}

export function keepWish(userId: string, wish: Wish): void {
  try {
    localStorage.setItem(wishKey(userId), wish);
  } catch {}
}

const isAppleTouch = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

/** Safari on a Mac has its own prompt (row I3). */
export const isDesktopSafari = () =>
  /Macintosh.*Version\/[\d.]+.* Safari\//.test(navigator.userAgent) &&
  !/Chrome|Chromium|Edg|Firefox/.test(navigator.userAgent) &&
  navigator.maxTouchPoints === 0;

const olderSafari = () =>
  'safari' in window ? whenReachable(() => import('./older-safari.ts')) : Promise.resolve(undefined);

const canPush = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

async function subscriptionHere(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(PUSH_SCOPE);
  // Without a push worker the browser returns the app's worker, which has a wider scope.
  if (!registration?.scope.endsWith(PUSH_SCOPE)) return null;
  return registration.pushManager.getSubscription();
}

async function stateWithoutWorker(userId: string): Promise<PushState> {
  const allowed = await (await olderSafari())?.permissionHere().catch(() => undefined);
  if (!allowed) return isAppleTouch() ? 'install' : 'none';
  if (allowed.permission === 'denied') return 'denied';
  return allowed.permission === 'granted' && wishOf(userId) === 'on' ? 'on' : 'off';
}

export async function pushState(userId: string): Promise<PushState> {
  if (!canPush()) return stateWithoutWorker(userId);
  if (Notification.permission === 'denied') return 'denied';
  if (Notification.permission !== 'granted' || wishOf(userId) !== 'on') return 'off';
  return (await subscriptionHere()) ? 'on' : 'off';
}

/** Registers the push worker and waits until it is active, because a subscription needs an active worker. */
async function activeWorker(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(PUSH_WORKER, { scope: PUSH_SCOPE });
  const coming = registration.installing ?? registration.waiting;
  if (registration.active || !coming) return registration;
  await new Promise<void>((resolve, reject) => {
    coming.addEventListener('statechange', () => {
      if (coming.state === 'activated') resolve();
      if (coming.state === 'redundant') reject(new Error('the worker of pushes could not be installed'));
    });
  });
  return registration;
}

async function tell(userId: string, subscription: PushSubscription, isRenewal = false): Promise<boolean> {
  const { endpoint, keys } = subscription.toJSON();
  const { p256dh, auth } = keys ?? {};
  if (!endpoint || !p256dh || !auth) return false;
  const { success } = await api(
    subscribeToPush,
    { body: { endpoint, keys: { p256dh, auth }, ...(isRenewal && { isRenewal }) } },
    { showErrorMessage: false },
  );
  if (success) told = { userId, endpoint };
  return success;
}

async function subscribe(userId: string, isRenewal = false): Promise<boolean> {
  const registration = await activeWorker();
  const { publicKey } = await api(pushKey, {}, { showErrorMessage: false });
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  try {
    return await tell(userId, await registration.pushManager.subscribe(options), isRenewal);
  } catch (error) {
    // The existing subscription uses an earlier key of the server.
    const known = await registration.pushManager.getSubscription();
    if (!known) throw error;
    await known.unsubscribe();
    return tell(userId, await registration.pushManager.subscribe(options), isRenewal);
  }
}

async function turnOnOlderSafari(userId: string): Promise<PushState> {
  const safari = await olderSafari();
  const answer = await safari?.askSafari().catch(() => undefined);
  if (!safari || !answer) return pushState(userId);
  const token = answer.permission === 'granted' && answer.deviceToken;
  const isOn = token ? await safari.tellToken(token).catch(() => false) : false;
  if (isOn && token) told = { userId, endpoint: token };
  keepWish(userId, isOn ? 'on' : answer.permission === 'granted' ? 'asked' : 'off');
  return pushState(userId);
}

async function renewOlderSafari(userId: string): Promise<void> {
  const safari = await olderSafari();
  const token = (await safari?.permissionHere())?.deviceToken;
  if (!safari || !token || isTold(userId, token)) return;
  if (await safari.tellToken(token, true)) told = { userId, endpoint: token };
  else keepWish(userId, 'off');
}

/**
 * Must be called from a user action, because browsers otherwise do not ask for permission. Returns the new state.
 * Errors are silent (row I3).
 */
export async function turnOnPush(userId: string): Promise<PushState> {
  if (!canPush()) return turnOnOlderSafari(userId);
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') {
    keepWish(userId, 'off');
    return permission === 'denied' ? 'denied' : 'off';
  }
  const isOn = await subscribe(userId).catch(() => false);
  keepWish(userId, isOn ? 'on' : 'asked');
  return isOn ? 'on' : 'off';
}

export async function turnOffPush(userId: string): Promise<PushState> {
  keepWish(userId, 'off');
  const subscription = canPush() ? await subscriptionHere().catch(() => null) : null;
  told = undefined;
  if (!canPush()) await (await olderSafari())?.forgetToken().catch(() => undefined);
  if (subscription) {
    const { endpoint } = subscription;
    await api(unsubscribeFromPush, { body: { endpoint } }, { showErrorMessage: false }).catch(() => undefined);
    await subscription.unsubscribe().catch(() => false);
  }
  return pushState(userId);
}

/**
 * Registers the device again after a login, once per page and only if the user wants push here, because a device
 * belongs to a session.
 */
export async function renewPush(userId: string): Promise<void> {
  if (!canPush()) return (await pushState(userId)) === 'on' ? renewOlderSafari(userId) : undefined;
  if (Notification.permission !== 'granted' || wishOf(userId) !== 'on') return;
  const subscription = await subscriptionHere();
  if (subscription && isTold(userId, subscription.endpoint)) return;
  // A subscription that was removed elsewhere stays off until the user turns it on here. One that the browser dropped
  // is created again.
  const isOn = subscription ? await tell(userId, subscription, true) : await subscribe(userId, true);
  if (!isOn) keepWish(userId, 'off');
}
