/**
 * Push notifications in older Safari versions: their own permission prompt (row I3) and the device token of Apple's
 * push service.
 */

import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { subscribeToPush, unsubscribeFromPush } from '@stagedoor/contract/push.ts';
import { safariPush } from '@stagedoor/contract/safari-push.ts';
import { api } from '../../../kernel/mutation.ts';

type Permission = { permission: 'default' | 'granted' | 'denied'; deviceToken?: string | null };
type Asking = {
  permission(websitePushId: string): Permission;
  requestPermission(
    webServiceUrl: string,
    websitePushId: string,
    userInfo: Readonly<Record<string, string>>,
    answered: (permission: Permission) => void,
  ): void;
};
declare global {
  interface Window {
    safari?: { pushNotification?: Asking };
  }
}

/** Shorter than the 15 minutes for which a ticket is valid. */
const FRESH_MS = 10 * 60_000;

type Means = ResponseOf<typeof safariPush>;
let known: { means: Means; at: number } | undefined;

/** Cached so that a press can open the prompt immediately. Safari shows it only directly after a user action. */
async function meansOf(): Promise<Means> {
  if (known && Date.now() - known.at < FRESH_MS) return known.means;
  const means = await api(safariPush, {}, { showErrorMessage: false });
  known = { means, at: Date.now() };
  return means;
}

/** Returns Safari's permission, or undefined if the browser or the server does not support it. */
export async function permissionHere(): Promise<Permission | undefined> {
  const asking = window.safari?.pushNotification;
  if (!asking) return undefined;
  const { websitePushId } = await meansOf();
  return websitePushId === null ? undefined : asking.permission(websitePushId);
}

export async function askSafari(): Promise<Permission | undefined> {
  const asking = window.safari?.pushNotification;
  const { websitePushId, webServiceUrl, ticket } = await meansOf();
  if (!asking || websitePushId === null) return undefined;
  return new Promise((resolve) => asking.requestPermission(webServiceUrl, websitePushId, { ticket }, resolve));
}

export async function tellToken(deviceToken: string, isRenewal = false): Promise<boolean> {
  const body = { deviceToken, ...(isRenewal && { isRenewal }) };
  return (await api(subscribeToPush, { body }, { showErrorMessage: false })).success;
}

/** Only removes the token from the server. The permission can be revoked only by the user in Safari. */
export async function forgetToken(): Promise<void> {
  const deviceToken = (await permissionHere())?.deviceToken;
  if (deviceToken) await api(unsubscribeFromPush, { body: { deviceToken } }, { showErrorMessage: false });
}
