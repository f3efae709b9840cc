/** When somebody is asked to install Stagedoor, and how (row I5). */

/**
 * `banner`: Safari on an iPhone or iPad; `safari`: another browser there, which cannot; `prompt`: a browser that installs by itself;
 * `menu`: Firefox on a phone, which does so by its menu alone.
 */
export type Way = 'banner' | 'safari' | 'prompt' | 'menu';

const HOUR_MS = 60 * 60_000;
/** After Maybe Later. */
export const LATER_MS = 24 * HOUR_MS;
/** After the banner was closed. */
export const CLOSED_MS = 30 * 24 * HOUR_MS;
const KEY = 'installAsked';

type Device = { userAgent: string; maxTouchPoints: number; isStandalone: boolean; hasOffer: boolean };

/** An iPad says that it is a Mac, which has no touch. */
export function isApplePhone({ userAgent, maxTouchPoints }: Pick<Device, 'userAgent' | 'maxTouchPoints'>): boolean {
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}

/** Safari itself names its version, which browsers and windows of other apps on the same engine do not, or beside a name of their own. */
export function isSafari({ userAgent }: Pick<Device, 'userAgent'>): boolean {
  return (
    /Version\/[\d.]+.* Safari\//.test(userAgent) &&
    !/(?:CriOS|FxiOS|EdgiOS|OPT|OPiOS|DuckDuckGo|Brave|GSA|YaBrowser|Chrome|Chromium|Edg|Android)\b/.test(userAgent)
  );
}

/** Undefined: installed, or there is no way. */
export function wayOf(device: Device): Way | undefined {
  if (device.isStandalone) return undefined;
  if (isApplePhone(device)) return isSafari(device) ? 'banner' : 'safari';
  if (/Android.*Firefox\//.test(device.userAgent)) return 'menu';
  return device.hasOffer && !isSafari(device) ? 'prompt' : undefined;
}

type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** Whether a no still holds. */
export function isHidden(store: Store, now: number): boolean {
  try {
    const until = Number(store.getItem(KEY));
    // A clock that was wrong once hides it for no longer than a no does.
    return now < until && until - now <= CLOSED_MS;
  } catch {
    return true;
  }
}

export function hideFor(store: Store, ms: number, now: number): void {
  try {
    store.setItem(KEY, String(now + ms));
  } catch {
    // Where nothing can be kept nobody is asked.
  }
}

export function isStandalone(): boolean {
  return (
    matchMedia('(display-mode: standalone)').matches || ('standalone' in navigator && navigator.standalone === true)
  );
}

export const thisDevice = (hasOffer: boolean): Device => ({
  userAgent: navigator.userAgent,
  maxTouchPoints: navigator.maxTouchPoints,
  isStandalone: isStandalone(),
  hasOffer,
});
