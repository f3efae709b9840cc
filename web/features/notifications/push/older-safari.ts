/** Pushes in a Safari that has no others: its own question (row I3), and the token by which Apple reaches it. */

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

/** Before a ticket is over, which is good for fifteen minutes. */
const FRESH_MS = 10 * 60_000;

type Means = ResponseOf<typeof safariPush>;
let known: { means: Means; at: number } | undefined;

/** Kept, so that a press leads to the question at once: Safari asks nobody who did not press. */
async function meansOf(): Promise<Means> {
  if (known && Date.now() - known.at < FRESH_MS) return known.means;
  const means = await api(safariPush, {}, { showErrorMessage: false });
  known = { means, at: Date.now() };
  return means;
}

/** What Safari says of it; undefined where it has no such push, or we have none. */
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

/** The server is told whose it is; false for what it cannot push to. */
export async function tellToken(deviceToken: string, isRenewal = false): Promise<boolean> {
  const body = { deviceToken, ...(isRenewal && { isRenewal }) };
  return (await api(subscribeToPush, { body }, { showErrorMessage: false })).success;
}

/** Safari keeps its permission: only its person takes that back. */
export async function forgetToken(): Promise<void> {
  const deviceToken = (await permissionHere())?.deviceToken;
  if (deviceToken) await api(unsubscribeFromPush, { body: { deviceToken } }, { showErrorMessage: false });
}
