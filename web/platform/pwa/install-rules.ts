/** The rules for when and how the app offers to be installed (row I5). */

import type { SafeStore } from '../browser-storage.ts';

/**
 * `banner`: Safari on an iPhone or iPad. `safari`: another browser there, which cannot install. `prompt`: a browser
 * that installs by itself. `menu`: Firefox on a phone, which installs only through its menu.
 */
export type InstallMethod = 'banner' | 'safari' | 'prompt' | 'menu';

const HOUR_MS = 60 * 60_000;
export const POSTPONED_MS = 24 * HOUR_MS;
export const DISMISSED_MS = 30 * 24 * HOUR_MS;
const HIDDEN_UNTIL_KEY = 'installAsked';

type InstallDevice = { userAgent: string; maxTouchPoints: number; isStandalone: boolean; hasOffer: boolean };

/** iPads identify as Macs, but Macs have no touch screen. */
export function isAppleTouchDevice({
  userAgent,
  maxTouchPoints,
}: Pick<InstallDevice, 'userAgent' | 'maxTouchPoints'>): boolean {
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}

/**
 * Only Safari states its version without another browser name. Other browsers and in-app browsers on the same engine do
 * not.
 */
export function isSafari({ userAgent }: Pick<InstallDevice, 'userAgent'>): boolean {
  return (
    /Version\/[\d.]+.* Safari\//.test(userAgent) &&
    !/(?:CriOS|FxiOS|EdgiOS|OPT|OPiOS|DuckDuckGo|Brave|GSA|YaBrowser|Chrome|Chromium|Edg|Android)\b/.test(userAgent)
  );
}

/** Undefined if the app is installed or the browser cannot install it. */
export function findInstallMethod(device: InstallDevice): InstallMethod | undefined {
  if (device.isStandalone) return undefined;
  if (isAppleTouchDevice(device)) return isSafari(device) ? 'banner' : 'safari';
  if (/Android.*Firefox\//.test(device.userAgent)) return 'menu';
  return device.hasOffer && !isSafari(device) ? 'prompt' : undefined;
}

/** Without storage the prompt is always hidden, because it would return on each page. */
export function isPromptHidden(store: Pick<SafeStore, 'getItem' | 'isPersistent'>, now: number): boolean {
  const until = Number(store.getItem(HIDDEN_UNTIL_KEY));
  // A wrong clock may have stored a far date, so the prompt is hidden no longer than the maximum.
  return !store.isPersistent() || (now < until && until - now <= DISMISSED_MS);
}

export function hidePrompt(store: Pick<SafeStore, 'setItem'>, ms: number, now: number): void {
  store.setItem(HIDDEN_UNTIL_KEY, String(now + ms));
}

export function isStandalone(): boolean {
  return (
    matchMedia('(display-mode: standalone)').matches || ('standalone' in navigator && navigator.standalone === true)
  );
}

export const getDevice = (hasOffer: boolean): InstallDevice => ({
  userAgent: navigator.userAgent,
  maxTouchPoints: navigator.maxTouchPoints,
  isStandalone: isStandalone(),
  hasOffer,
});
