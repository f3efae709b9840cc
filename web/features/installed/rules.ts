/** The rules for when and how the app offers to be installed (row I5). */

/**
 * `banner`: Safari on an iPhone or iPad. `safari`: another browser there, which cannot install. `prompt`: a browser
 * that installs by itself. `menu`: Firefox on a phone, which installs only through its menu.
 */
export type Way = 'banner' | 'safari' | 'prompt' | 'menu';

const HOUR_MS = 60 * 60_000;
export const LATER_MS = 24 * HOUR_MS;
export const CLOSED_MS = 30 * 24 * HOUR_MS;
const KEY = 'installAsked';

type Device = { userAgent: string; maxTouchPoints: number; isStandalone: boolean; hasOffer: boolean };

/** iPads identify as Macs, but Macs have no touch screen. */
export function isApplePhone({ userAgent, maxTouchPoints }: Pick<Device, 'userAgent' | 'maxTouchPoints'>): boolean {
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}

/**
 * Only Safari states its version without another browser name. Other browsers and in-app browsers on the same engine do
 * not.
 */
export function isSafari({ userAgent }: Pick<Device, 'userAgent'>): boolean {
  return (
    /Version\/[\d.]+.* Safari\//.test(userAgent) &&
    !/(?:CriOS|FxiOS|EdgiOS|OPT|OPiOS|DuckDuckGo|Brave|GSA|YaBrowser|Chrome|Chromium|Edg|Android)\b/.test(userAgent)
  );
}

/** Undefined if the app is installed or the browser cannot install it. */
export function wayOf(device: Device): Way | undefined {
  if (device.isStandalone) return undefined;
  if (isApplePhone(device)) return isSafari(device) ? 'banner' : 'safari';
  if (/Android.*Firefox\//.test(device.userAgent)) return 'menu';
  return device.hasOffer && !isSafari(device) ? 'prompt' : undefined;
}

type Store = Pick<Storage, 'getItem' | 'setItem'>;

export function isHidden(store: Store, now: number): boolean {
  try {
    const until = Number(store.getItem(KEY));
    // A wrong clock may have stored a far date, so the prompt is hidden no longer than the maximum.
    return now < until && until - now <= CLOSED_MS;
  } catch {
    return true;
  }
}

export function hideFor(store: Store, ms: number, now: number): void {
  try {
    store.setItem(KEY, String(now + ms));
  } catch {
    // Without storage the prompt is never shown.
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
