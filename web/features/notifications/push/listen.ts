/**
 * Starts push on every page: renews the subscription after a login and shows the prompt on a suitable occasion, or at
 * the second visit.
 */
import type { Viewer } from '@stagedoor/contract/accounts.ts';
import { setCallAvailability } from '@stagedoor/contract/calls.ts';
import { follow } from '@stagedoor/contract/follows.ts';
import type { NotificationLine } from '@stagedoor/contract/notifications.ts';
import { ALERT_PARAM } from '@stagedoor/contract/push.ts';
import type { QueryClient } from '@tanstack/react-query';
import { whenReachable } from '../../../kernel/lazy-part.ts';
import { routeKey } from '../../../kernel/query.ts';
import { readAlert } from '../queries.ts';
import { pushState, renewPush, wishOf } from './device.ts';

type Who = Pick<Viewer, 'id'> & { type: 'customer' | 'creator' };

const REASONS = {
  customer: { route: follow, word: 'isFollowed' },
  creator: { route: setCallAvailability, word: 'isAvailable' },
} as const;

function isReason(type: Who['type'], key: readonly unknown[] | undefined, answer: unknown): boolean {
  const { route, word } = REASONS[type];
  return (
    key?.[0] === routeKey(route)[0] &&
    typeof answer === 'object' &&
    answer !== null &&
    Reflect.get(answer, word) === true
  );
}

/** Only checks the format. The server decides whether the notification exists. */
const isAlertId = (text: string | null): text is NotificationLine['id'] => text?.length === 36;

/** Handles a notification that was opened without our worker: marks it as read and removes its id from the address. */
function readOpened(client: QueryClient): void {
  const url = new URL(location.href);
  const id = url.searchParams.get(ALERT_PARAM);
  if (id === null) return;
  url.searchParams.delete(ALERT_PARAM);
  history.replaceState(history.state, '', url);
  if (isAlertId(id)) void readAlert(client, id).catch(() => undefined);
}

/** The minimum time between two visits. A second tab is not a new visit. */
const VISIT_MS = 6 * 3_600_000;

/** Whether this account visited earlier on this device. False without storage. */
function hasComeAgain(id: string): boolean {
  const key = `pushFirstVisit:${id}`;
  try {
    const first = Number(localStorage.getItem(key));
    if (first > 0) return Date.now() - first >= VISIT_MS;
    localStorage.setItem(key, String(Date.now()));
  } catch {}
  return false;
}

const QUESTIONS = 'dialog[open], [role="dialog"], .install-card, .install-banner';

async function isDisturbing(): Promise<boolean> {
  const { isBusy } = await whenReachable(() => import('../../../kernel/busy.ts'));
  return isBusy() || document.querySelector(QUESTIONS) !== null;
}

/**
 * Returns the function that stops it.
 * @param onHowTo Shows the Home Screen instructions where push requires them.
 */
export function beginPush(client: QueryClient, { id, type }: Who, onHowTo: () => void): () => void {
  void renewPush(id).catch(() => undefined);
  readOpened(client);
  const ask = async () => {
    // Without a registered service worker there is no push to offer.
    if (!(await navigator.serviceWorker.getRegistration('/'))) return;
    const state = await pushState(id);
    if (wishOf(id) !== undefined || (state !== 'off' && state !== 'install')) return;
    const { askForPush } = await whenReachable(() => import('./ask.tsx'));
    askForPush({ type, userId: id, state, onHowTo });
  };
  const askAgain = async () => {
    if (!(await isDisturbing())) await ask();
  };
  if (wishOf(id) === undefined && hasComeAgain(id)) void askAgain().catch(() => undefined);
  return client.getMutationCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || wishOf(id) !== undefined) return;
    if (isReason(type, event.mutation.options.mutationKey, event.action.data)) void ask().catch(() => undefined);
  });
}
