/** Who is here: the viewer in the cache, and where a log-in leads (rows A5, A9, A10). */

import { currentUser, type UserType, type Viewer } from '@stagedoor/contract/accounts.ts';
import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { Balance } from '@stagedoor/contract/atoms/money.ts';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouteLoaderData } from 'react-router';
import { readCookie, writeCookie } from './cookies.ts';
import { showToast } from './outcome.ts';
import { isLeaving, openDocument, stopInput } from './page-exit.ts';
import { apiQuery } from './query.ts';
import { signal } from './signals.ts';
import { forgetUnsent, isLoggedOut, keepReferralCode, keepUser } from './storage.ts';
import { isUnsaved } from './unsaved.ts';

/** The page a visitor was sent away from, followed once after the log-in (row A10). */
export const REFERRAL_URL_COOKIE = 'referralUrl';
export const REFERRAL_URL_SECONDS = 3_600;
/** The code of a followed referral link, for the sign-up form. */
export const REFERRAL_CODE_COOKIE = 'referralCode';
export const REFERRAL_CODE_SECONDS = 30 * 86_400;
/** The registration has succeeded: whoever registers next on this device was not sent by the same person. */
export function forgetReferralCode(): void {
  keepReferralCode(localStorage, undefined);
  writeCookie(REFERRAL_CODE_COOKIE, '', 0);
}
export const AGE_COOKIE = 'age';
export const AGE_SECONDS = 400 * 86_400;

/** What was told, but with the balance that is kept where that is the later one: answers and events overtake each other. */
function withLaterBalance<T extends Balance>(told: T, kept: Balance | undefined): T {
  if (!kept || kept.depositRevision <= told.depositRevision) return told;
  return { ...told, deposit: kept.deposit, depositRevision: kept.depositRevision };
}

const VIEWER_KEY = apiQuery(currentUser, {}).queryKey;
/** A page never becomes that of somebody else, who logged in in another tab: what was written here would be theirs. */
export const viewerQuery = () =>
  apiQuery(currentUser, {}, (told, client) => {
    const kept = client.getQueryData(VIEWER_KEY);
    if (!kept || kept.id === told.id) return withLaterBalance(told, kept);
    signal('unauthorized');
    return kept;
  });

/** Beside the real session, which script cannot see (row A5). */
const LOGGED_IN_COOKIE = 'loggedIn';

/** Whether the browser holds that somebody is logged in; the server, which knows it otherwise, is always asked. */
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

/**
 * Nobody when null. Whoever is here is asked for by the root's loader; live events keep it true. Without the cookie nobody is
 * asked. On the server a page has dozens of places that ask, and nothing to watch for.
 */
export const useViewer: () => Viewer | null = typeof window === 'undefined' ? useViewerOnce : useViewerLive;

/** Changes what is known of the viewer; their balance comes in by {@link takeBalance}. */
export function changeViewer(client: QueryClient, change: Partial<Omit<Viewer, keyof Balance>>): void {
  client.setQueryData(viewerQuery().queryKey, (viewer) => viewer && { ...viewer, ...change });
}

/** The viewer's balance as an event or an answer tells it; one that is older than what is known changes nothing. */
export function takeBalance(client: QueryClient, { deposit, depositRevision }: Balance): void {
  client.setQueryData(
    viewerQuery().queryKey,
    (viewer) => viewer && withLaterBalance({ ...viewer, deposit, depositRevision }, viewer),
  );
}

/** Each role's own first page. */
export function homeOf(type: UserType | undefined): string {
  if (type === 'customer') return PATHS.fanDashboard;
  if (type === 'operator') return PATHS.admin;
  return type === 'creator' ? PATHS.creatorDashboard : '/';
}

/**
 * Where an address asked for leads, if it is one of ours: an app path, or an absolute http(s) address on our own origin.
 * Anything else could send a person elsewhere in our name, and is nothing.
 */
export function ownDestination(
  value: string | null | undefined,
  origin: string,
): { path: string; isAbsolute: boolean } | undefined {
  if (!value || value.length > 2_000 || /[\\\p{Cc}]/u.test(value)) return undefined;
  const isAbsolute = /^https?:\/\//i.test(value);
  if (!isAbsolute && (!value.startsWith('/') || value.startsWith('//'))) return undefined;
  try {
    const url = new URL(value, origin);
    // `/..//host` is ours to the parser, and leaves as `//host`, which is not.
    if (url.origin !== origin || url.pathname.startsWith('//')) return undefined;
    return { path: url.pathname + url.search + url.hash, isAbsolute };
  } catch {
    return undefined;
  }
}

/**
 * A log-in in another tab ends this session a moment before its own cookie is here. A page asked for by the old one in between
 * would be told that its session has ended, and the answer takes the cookies off: those of the new log-in.
 */
const NEW_COOKIE_MS = 500;
const ENDED_WORDS = 'Your session has ended. Log in again in another tab, then save here.';

/**
 * A call found the session ended (row A12): the front page, and the way back here for after the next log-in (row A10). Every
 * other call that finds it, too, changes nothing. What was written and not sent waits for its writer, unless they logged out in
 * another tab; a page with changes that were not saved stays, as they can be saved after a log-in elsewhere.
 */
export function leaveEnded(client: QueryClient): void {
  if (isLeaving()) return;
  if (isUnsaved()) return void showToast(ENDED_WORDS, 'error');
  stopInput();
  writeCookie(REFERRAL_URL_COOKIE, location.pathname + location.search, REFERRAL_URL_SECONDS);
  setTimeout(() => leave(client, isLoggedOut(localStorage)), NEW_COOKIE_MS);
}

/** Forgets what is known of the person, their unsent words included if `isForGood`, and loads the front page anew. */
export function leave(client: QueryClient, isForGood: boolean): void {
  if (isForGood) signal('leaving');
  keepUser(localStorage, null);
  if (isForGood) forgetUnsent(localStorage);
  client.clear();
  openDocument('/');
}
