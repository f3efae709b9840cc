/** Pushes, on whatever page: what was on stays on after a log-in, and the question comes when there is a reason for it, or with the second visit. */
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

/** A fan now follows somebody; a creator now takes calls. */
const REASONS = {
  customer: { route: follow, word: 'isFollowed' },
  creator: { route: setCallAvailability, word: 'isAvailable' },
} as const;

/** Whether an answered change was that reason: by its route, and by what the server says is so now. */
function isReason(type: Who['type'], key: readonly unknown[] | undefined, answer: unknown): boolean {
  const { route, word } = REASONS[type];
  return (
    key?.[0] === routeKey(route)[0] &&
    typeof answer === 'object' &&
    answer !== null &&
    Reflect.get(answer, word) === true
  );
}

/** What an alert's id looks like; whether there is one the server knows. */
const isAlertId = (text: string | null): text is NotificationLine['id'] => text?.length === 36;

/** A push that no worker of ours opened leads here by its address: its alert is read, and the address says so no more. */
function readOpened(client: QueryClient): void {
  const url = new URL(location.href);
  const id = url.searchParams.get(ALERT_PARAM);
  if (id === null) return;
  url.searchParams.delete(ALERT_PARAM);
  history.replaceState(history.state, '', url);
  if (isAlertId(id)) void readAlert(client, id).catch(() => undefined);
}

/** After so long it is another visit: whoever opens a second tab has not come again. */
const VISIT_MS = 6 * 3_600_000;

/** Whether this account was here before on this device; where nothing can be kept, never. */
function hasComeAgain(id: string): boolean {
  const key = `pushFirstVisit:${id}`;
  try {
    const first = Number(localStorage.getItem(key));
    if (first > 0) return Date.now() - first >= VISIT_MS;
    localStorage.setItem(key, String(Date.now()));
  } catch {
    // As with what is wished.
  }
  return false;
}

/** Dialogs, and whether to install the app: one question at a time. */
const QUESTIONS = 'dialog[open], [role="dialog"], .install-card, .install-banner';

/** Nothing is asked over a call, an upload or another question. */
async function isDisturbing(): Promise<boolean> {
  const { isBusy } = await whenReachable(() => import('../../../kernel/busy.ts'));
  return isBusy() || document.querySelector(QUESTIONS) !== null;
}

/** Answers the function that stops it. `onHowTo` shows how to put it on a Home Screen, where pushes need that. */
export function beginPush(client: QueryClient, { id, type }: Who, onHowTo: () => void): () => void {
  void renewPush(id).catch(() => undefined);
  readOpened(client);
  const ask = async () => {
    // Where the browser keeps no worker of ours there is nothing to ask for.
    if (!(await navigator.serviceWorker.getRegistration('/'))) return;
    const state = await pushState(id);
    if (wishOf(id) !== undefined || (state !== 'off' && state !== 'install')) return;
    const { askForPush } = await whenReachable(() => import('./ask.tsx'));
    askForPush({ type, userId: id, state, onHowTo });
  };
  const askAgain = async () => {
    if (!(await isDisturbing())) await ask();
  };
  // Who never has that reason is asked all the same, once.
  if (wishOf(id) === undefined && hasComeAgain(id)) void askAgain().catch(() => undefined);
  return client.getMutationCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || wishOf(id) !== undefined) return;
    if (isReason(type, event.mutation.options.mutationKey, event.action.data)) void ask().catch(() => undefined);
  });
}
