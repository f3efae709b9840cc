/** The viewer in the query cache, and where a login leads (rows A5, A9, A10). */

import { getCurrentUser, type UserType, type Viewer } from '@stagedoor/contract/identity/accounts.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { DepositBalance } from '@stagedoor/contract/shared/money.ts';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouteLoaderData } from 'react-router';
import { localStore } from './browser-storage.ts';
import { readCookie, writeCookie } from './cookies.ts';
import { showToast } from './feedback.ts';
import { blockInput, isLeaving, openDocument } from './page-exit.ts';
import { apiQuery } from './query.ts';
import { emitSignal } from './signals.ts';
import { deleteUnsent, isLoggedOut, saveReferralCode, saveUser } from './storage.ts';
import * as texts from './texts.ts';
import { hasUnsavedChanges } from './unsaved.ts';

/** The page that a visitor was redirected from. It is opened once after the login (row A10). */
export const REFERRAL_URL_COOKIE = 'referralUrl';
export const REFERRAL_URL_SECONDS = 3_600;
/** The code of a referral link, for the sign-up form. */
export const REFERRAL_CODE_COOKIE = 'referralCode';
export const REFERRAL_CODE_SECONDS = 30 * 86_400;
/**
 * Deletes the referral code after a registration, because the next registration on this device has not used the link.
 */
export function deleteReferralCode(): void {
  saveReferralCode(localStore, undefined);
  writeCookie(REFERRAL_CODE_COOKIE, '', 0);
}
export const AGE_COOKIE = 'age';
export const AGE_SECONDS = 400 * 86_400;

/** Keeps the cached balance if it is newer, because responses and events may overtake each other. */
function mergeBalance<T extends DepositBalance>(received: T, cached: DepositBalance | undefined): T {
  if (!cached || cached.depositRevision <= received.depositRevision) return received;
  return { ...received, deposit: cached.deposit, depositRevision: cached.depositRevision };
}

const VIEWER_KEY = apiQuery(getCurrentUser, {}).queryKey;
/**
 * A page never switches to another account that logged in in another tab, because pending input would then be sent by
 * that account.
 */
export const viewerQuery = () =>
  apiQuery(getCurrentUser, {}, (received, client) => {
    const cached = client.getQueryData(VIEWER_KEY);
    if (!cached || cached.id === received.id) return mergeBalance(received, cached);
    emitSignal('unauthorized');
    return cached;
  });

/** A marker cookie for scripts. The session cookie itself is not readable (row A5). */
const LOGGED_IN_COOKIE = 'loggedIn';

/** Whether the browser has a session. The server knows by other means and always returns true. */
export function mayBeLoggedIn(): boolean {
  return typeof document === 'undefined' || readCookie(LOGGED_IN_COOKIE) === 'true';
}

function useSignedIn(): boolean {
  const root = useRouteLoaderData('root');
  return typeof root === 'object' && root !== null && 'isSignedIn' in root && root.isSignedIn === true;
}

function useViewerLive(): Viewer | null {
  const isSignedIn = useSignedIn();
  return useQuery({ ...viewerQuery(), enabled: () => isSignedIn && mayBeLoggedIn() }).data ?? null;
}

function useViewerOnce(): Viewer | null {
  const client = useQueryClient();
  return (useSignedIn() && client.getQueryData(viewerQuery().queryKey)) || null;
}

/** Returns null for visitors. On the server dozens of components read it, so it is read without a subscription. */
export const useViewer: () => Viewer | null = typeof window === 'undefined' ? useViewerOnce : useViewerLive;

/** Changes the viewer in the cache. The balance is changed by {@link updateBalance}. */
export function changeViewer(client: QueryClient, change: Partial<Omit<Viewer, keyof DepositBalance>>): void {
  client.setQueryData(viewerQuery().queryKey, (viewer) => viewer && { ...viewer, ...change });
}

/** Updates the viewer's balance. An older revision is ignored. */
export function updateBalance(client: QueryClient, { deposit, depositRevision }: DepositBalance): void {
  client.setQueryData(
    viewerQuery().queryKey,
    (viewer) => viewer && mergeBalance({ ...viewer, deposit, depositRevision }, viewer),
  );
}

export function getHomePath(type: UserType | undefined): string {
  if (type === 'customer') return PATHS.fanDashboard;
  if (type === 'operator') return PATHS.admin;
  return type === 'creator' ? PATHS.creatorDashboard : '/';
}

/**
 * A login in another tab ends this session shortly before its own cookie arrives. A page requested in between would get
 * the response that its session has ended, which would delete the cookies of the new login.
 */
const NEW_COOKIE_MS = 500;
const SESSION_ENDED_MESSAGE = texts.sessionExpiredError;

/**
 * Called when the session has ended (row A12): opens the front page and saves this address for the next login (row
 * A10). Drafts stay for the same user, unless the logout happened in another tab. A page with unsaved changes stays,
 * because they can be saved after a login in another tab.
 */
export function leaveEndedSession(client: QueryClient): void {
  if (isLeaving()) return;
  if (hasUnsavedChanges())
    return void showToast(SESSION_ENDED_MESSAGE, 'error', {
      action: { label: texts.logInInNewTab, onClick: () => void window.open(PATHS.login, '_blank', 'noopener') },
    });
  blockInput();
  writeCookie(REFERRAL_URL_COOKIE, location.pathname + location.search, REFERRAL_URL_SECONDS);
  setTimeout(() => leaveSession(client, isLoggedOut(localStore)), NEW_COOKIE_MS);
}

/** Removes the user's data from the device and loads the front page. With `isLogout` this includes unsent messages. */
export function leaveSession(client: QueryClient, isLogout: boolean): void {
  if (isLogout) emitSignal('leaving');
  saveUser(localStore, null);
  if (isLogout) deleteUnsent(localStore);
  client.clear();
  openDocument('/');
}
