/**
 * Starts push on every page: renews the subscription after a login and shows the prompt on a suitable occasion, or at
 * the second visit.
 */

import { followCreator } from '@stagedoor/contract/content/follows.ts';
import type { Viewer } from '@stagedoor/contract/identity/accounts.ts';
import { setCallAvailability } from '@stagedoor/contract/messaging/calls.ts';
import type { NotificationGroup } from '@stagedoor/contract/notifications/notifications.ts';
import { ALERT_PARAM } from '@stagedoor/contract/notifications/push.ts';
import type { QueryClient } from '@tanstack/react-query';
import { localStore } from '../../../platform/browser-storage.ts';
import { loadWhenReachable } from '../../../platform/lazy-part.ts';
import { routeKey } from '../../../platform/query.ts';
import { findPushPreference, getPushState, renewPush } from './device.ts';

type PushViewer = Pick<Viewer, 'id'> & { type: 'customer' | 'creator' };

export type PushActions = {
  markAsRead: (id: NotificationGroup['id']) => Promise<void>;
  /** Shows the Home Screen instructions where push requires them. */
  onShowInstructions: () => void;
};

const OCCASIONS = {
  customer: { route: followCreator, field: 'isFollowed' },
  creator: { route: setCallAvailability, field: 'isAvailable' },
} as const;

function isOccasion(type: PushViewer['type'], key: readonly unknown[] | undefined, response: unknown): boolean {
  const { route, field } = OCCASIONS[type];
  return (
    key?.[0] === routeKey(route)[0] &&
    typeof response === 'object' &&
    response !== null &&
    Reflect.get(response, field) === true
  );
}

/** Only checks the format. The server decides whether the notification exists. */
const isAlertId = (text: string | null): text is NotificationGroup['id'] => text?.length === 36;

/** Handles a notification that was opened without our worker: marks it as read and removes its id from the address. */
function markOpenedAsRead(markAsRead: PushActions['markAsRead']): void {
  const url = new URL(location.href);
  const id = url.searchParams.get(ALERT_PARAM);
  if (id === null) return;
  url.searchParams.delete(ALERT_PARAM);
  history.replaceState(history.state, '', url);
  if (isAlertId(id)) void markAsRead(id).catch(() => undefined);
}

/** The minimum time between two visits. A second tab is not a new visit. */
const VISIT_MS = 6 * 3_600_000;

/** Whether this account visited earlier on this device. False without storage. */
function isReturningVisit(id: string): boolean {
  const key = `pushFirstVisit:${id}`;
  const first = Number(localStore.getItem(key));
  if (first > 0) return Date.now() - first >= VISIT_MS;
  localStore.setItem(key, String(Date.now()));
  return false;
}

const OPEN_DIALOGS = 'dialog[open], [role="dialog"], .install-card, .install-banner';

async function isInterrupting(): Promise<boolean> {
  const { isReloadBlocked } = await loadWhenReachable(() => import('../../../platform/reload-guard.ts'));
  return isReloadBlocked() || document.querySelector(OPEN_DIALOGS) !== null;
}

/** Returns the function that stops it. */
export function startPush(
  client: QueryClient,
  { id, type }: PushViewer,
  { markAsRead, onShowInstructions }: PushActions,
): () => void {
  void renewPush(id).catch(() => undefined);
  markOpenedAsRead(markAsRead);
  const offerPush = async () => {
    // Without a registered service worker there is no push to offer.
    if (!(await navigator.serviceWorker.getRegistration('/'))) return;
    const state = await getPushState(id);
    if (findPushPreference(id) !== undefined || (state !== 'off' && state !== 'install')) return;
    const { showPushPrompt } = await loadWhenReachable(() => import('./push-prompt.tsx'));
    showPushPrompt({ type, userId: id, state, onShowInstructions });
  };
  const offerPushOnReturn = async () => {
    if (!(await isInterrupting())) await offerPush();
  };
  if (findPushPreference(id) === undefined && isReturningVisit(id)) void offerPushOnReturn().catch(() => undefined);
  return client.getMutationCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || findPushPreference(id) !== undefined) return;
    if (isOccasion(type, event.mutation.options.mutationKey, event.action.data))
      void offerPush().catch(() => undefined);
  });
}
