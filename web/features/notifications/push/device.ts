/** Pushes on this device: whether it can have them, and turning them on and off. The permission is asked for here alone. */
import { pushKey, subscribeToPush, unsubscribeFromPush } from '@stagedoor/contract/push.ts';
import { whenReachable } from '../../../kernel/lazy-part.ts';
import { api } from '../../../kernel/mutation.ts';
import { PUSH_SCOPE, PUSH_WORKER } from '../../../workers/shared.ts';

/**
 * `install`: an iPhone or iPad pushes only to what is on its Home Screen. `none`: this browser has no push. `denied`: its person said
 * no, and only they can change that, in the browser's own settings.
 */
export type PushState = 'on' | 'off' | 'denied' | 'install' | 'none';

/** Kept for each account: another one on this device has its own wish. */
const wishKey = (userId: string) => `push:${userId}`;
type Wish = 'on' | 'off' | 'asked';
/** The endpoint that the server was told by this page. A device goes with its session: who logs in again has another page. */
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
  } catch {
    // Where nothing can be kept nobody is asked.
  }
}

const isAppleTouch = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

/** Row I3: Safari on a Mac has a question of its own. */
export const isDesktopSafari = () =>
  /Macintosh.*Version\/[\d.]+.* Safari\//.test(navigator.userAgent) &&
  !/Chrome|Chromium|Edg|Firefox/.test(navigator.userAgent) &&
  navigator.maxTouchPoints === 0;

/** What a Safari without {@link canPush} may have; loaded there alone. */
const olderSafari = () =>
  'safari' in window ? whenReachable(() => import('./older-safari.ts')) : Promise.resolve(undefined);

const canPush = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

async function subscriptionHere(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(PUSH_SCOPE);
  // Without one of its own the browser answers the worker of the whole app.
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

/** Its worker, once it runs: a subscription needs one that does. */
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

/** The server is told; false for what it cannot push to. */
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
    // Subscribed with a key that the server had before.
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

/** From a press: browsers ask nobody otherwise. Answers how it is then; a failure is silent (row I3). */
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

/** A device goes with its session: after the next log-in it is told anew, once in a page, to whoever wants it here. */
export async function renewPush(userId: string): Promise<void> {
  if (!canPush()) return (await pushState(userId)) === 'on' ? renewOlderSafari(userId) : undefined;
  if (Notification.permission !== 'granted' || wishOf(userId) !== 'on') return;
  const subscription = await subscriptionHere();
  if (subscription && isTold(userId, subscription.endpoint)) return;
  // Removed from elsewhere: it stays off until somebody turns it on here. One that the browser gave up is made anew.
  const isOn = subscription ? await tell(userId, subscription, true) : await subscribe(userId, true);
  if (!isOn) keepWish(userId, 'off');
}
