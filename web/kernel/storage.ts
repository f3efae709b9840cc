/**
 * Data that the browser stores for a user (rows A8, A10, A11). If storage is forbidden or full, nothing is stored and
 * nothing breaks.
 */
import type { Viewer } from '@stagedoor/contract/accounts.ts';
import { ROUTE_HISTORY } from '@stagedoor/contract/atoms/limits.ts';

export interface Store {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface ListedStore extends Store {
  readonly length: number;
  key(index: number): string | null;
}

export const STORED = {
  user: 'user',
  type: 'type',
  /** The owner of the drafts while no user is logged in. */
  writer: 'unsentOf',
  referralCode: 'referralCode',
  registered: 'registered',
  device: 'deviceSessionId',
  visited: 'visitedRoutes',
  previous: 'previousUrl',
} as const;

export const CHAT_DATABASE = 'stagedoor-chat';
export const DRAFT_PREFIX = 'draft:';

function read(store: Store, key: string): string | undefined {
  try {
    return store.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function write(store: Store, key: string, value: string | undefined): void {
  try {
    if (value === undefined) store.removeItem(key);
    else store.setItem(key, value);
  } catch {
    // Private windows and full disks refuse access. The page works without storage.
  }
}

let pageUser: string | undefined;

/**
 * Whether another account has logged in in another tab since this page was loaded. Its requests would be sent by that
 * account.
 */
export function isAnothers(local: Store): boolean {
  const present = userIdIn(local);
  return pageUser !== undefined && present !== undefined && present !== pageUser;
}

/** Stores who is logged in, or removes it except for the owner of the drafts. */
export function keepUser(local: Store, user: Viewer | null): void {
  pageUser ??= user?.id;
  write(local, STORED.writer, user ? undefined : (userIdIn(local) ?? read(local, STORED.writer)));
  write(local, STORED.user, user ? JSON.stringify(user) : undefined);
  write(local, STORED.type, user?.type);
}

function keysOf(store: ListedStore): string[] {
  try {
    return Array.from({ length: store.length }, (_, index) => store.key(index)).filter((key) => key !== null);
  } catch {
    return [];
  }
}

function userIdIn(local: Store): string | undefined {
  try {
    const user: unknown = JSON.parse(read(local, STORED.user) ?? 'null');
    return typeof user === 'object' && user !== null && 'id' in user && typeof user.id === 'string'
      ? user.id
      : undefined;
  } catch {
    return undefined;
  }
}

function forgetOutbox(): void {
  try {
    if (typeof indexedDB !== 'undefined') indexedDB.deleteDatabase(CHAT_DATABASE);
  } catch {
    // IndexedDB may be forbidden, then there is no outbox.
  }
}

/**
 * Deletes the drafts and outboxes of everyone except `viewerId`. It must be called before {@link keepUser}, because the
 * stored user tells whose outbox it is.
 */
export function forgetUnsent(local: ListedStore, viewerId?: string): void {
  for (const key of keysOf(local))
    if (key.startsWith(DRAFT_PREFIX) && !(viewerId && key.startsWith(`${DRAFT_PREFIX}${viewerId}:`)))
      write(local, key, undefined);
  const before = userIdIn(local) ?? read(local, STORED.writer);
  if (viewerId === undefined || (before !== undefined && before !== viewerId)) forgetOutbox();
  if (viewerId === undefined) write(local, STORED.writer, undefined);
}

/** Whether a logout, here or in another tab, has removed the user's data from the device. */
export function isLoggedOut(local: Store): boolean {
  return userIdIn(local) === undefined && read(local, STORED.writer) === undefined;
}

/** Stores the referral code until a registration succeeds. The link's cookie holds it too. */
export function keepReferralCode(local: Store, code: string | undefined): void {
  write(local, STORED.referralCode, code);
}

export function referralCode(local: Store): string {
  return read(local, STORED.referralCode) ?? '';
}

export function keepRegistered(session: Store, text: string | undefined): void {
  write(session, STORED.registered, text);
}

export function registeredText(session: Store): string {
  return read(session, STORED.registered) ?? '';
}

export function deviceSessionId(session: Store, makeId: () => string = () => crypto.randomUUID()): string {
  const known = read(session, STORED.device);
  if (known) return known;
  const id = makeId();
  write(session, STORED.device, id);
  return id;
}

export function visitedRoutes(session: Store): string[] {
  try {
    const list: unknown = JSON.parse(read(session, STORED.visited) ?? '[]');
    return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string').slice(0, ROUTE_HISTORY) : [];
  } catch {
    return [];
  }
}

/** Removes the tokens of mailed links, because they give access to an account. */
function withoutToken(route: string): string {
  return route.replace(/([?&])token=[^&#]*&?/g, '$1').replace(/[?&]$/, '');
}

/** Stores a visit. The route before it becomes the previous URL. A repeated visit to the same route changes nothing. */
export function noteVisit(session: Store, visited: string): void {
  const route = withoutToken(visited);
  const before = visitedRoutes(session);
  if (before[0] === route) return;
  write(session, STORED.visited, JSON.stringify([route, ...before].slice(0, ROUTE_HISTORY)));
  if (before[0] !== undefined) write(session, STORED.previous, before[0]);
}

export function previousUrl(session: Store): string | undefined {
  return read(session, STORED.previous);
}
