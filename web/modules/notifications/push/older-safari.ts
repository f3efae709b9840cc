/**
 * Push notifications in older Safari versions: their own permission prompt (row I3) and the device token of Apple's
 * push service.
 */

import { subscribeToPush, unsubscribeFromPush } from '@stagedoor/contract/notifications/push.ts';
import { getSafariPush } from '@stagedoor/contract/notifications/safari-push.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { api } from '../../../platform/mutation.ts';

type Permission = { permission: 'default' | 'granted' | 'denied'; deviceToken?: string | null };
type SafariPush = {
  permission(websitePushId: string): Permission;
  requestPermission(
    webServiceUrl: string,
    websitePushId: string,
    userInfo: Readonly<Record<string, string>>,
    callback: (permission: Permission) => void,
  ): void;
};
declare global {
  interface Window {
    safari?: { pushNotification?: SafariPush };
  }
}

/** Shorter than the 15 minutes for which a ticket is valid. */
const CACHE_TTL_MS = 10 * 60_000;

type SafariPushConfig = ResponseOf<typeof getSafariPush>;
let cached: { config: SafariPushConfig; at: number } | undefined;

/** Cached so that a press can open the prompt immediately. Safari shows it only directly after a user action. */
async function getConfig(): Promise<SafariPushConfig> {
  if (cached && Date.now() - cached.at < CACHE_TTL_MS) return cached.config;
  const config = await api(getSafariPush, {}, { showErrorMessage: false });
  cached = { config, at: Date.now() };
  return config;
}

/** Returns Safari's permission, or undefined if the browser or the server does not support it. */
export async function findSafariPermission(): Promise<Permission | undefined> {
  const pushApi = window.safari?.pushNotification;
  if (!pushApi) return undefined;
  const { websitePushId } = await getConfig();
  return websitePushId === null ? undefined : pushApi.permission(websitePushId);
}

export async function requestSafariPermission(): Promise<Permission | undefined> {
  const pushApi = window.safari?.pushNotification;
  const { websitePushId, webServiceUrl, ticket } = await getConfig();
  if (!pushApi || websitePushId === null) return undefined;
  return new Promise((resolve) => pushApi.requestPermission(webServiceUrl, websitePushId, { ticket }, resolve));
}

export async function registerToken(deviceToken: string, isRenewal = false): Promise<boolean> {
  const body = { deviceToken, ...(isRenewal && { isRenewal }) };
  return (await api(subscribeToPush, { body }, { showErrorMessage: false })).success;
}

/** Only removes the token from the server. The permission can be revoked only by the user in Safari. */
export async function deleteToken(): Promise<void> {
  const deviceToken = (await findSafariPermission())?.deviceToken;
  if (deviceToken) await api(unsubscribeFromPush, { body: { deviceToken } }, { showErrorMessage: false });
}
