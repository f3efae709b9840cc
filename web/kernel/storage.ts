/** What the browser keeps of a person (rows A8, A10, A11). Storage may be forbidden or full: then nothing is kept and nothing breaks. */
import type { Viewer } from '@stagedoor/contract/accounts.ts';
import { ROUTE_HISTORY } from '@stagedoor/contract/atoms/limits.ts';

/** The part of the web's Storage that is used; tests pass a map. */
export interface Store {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** One that can be looked through. */
export interface ListedStore extends Store {
  readonly length: number;
  key(index: number): string | null;
}

export const STORED = {
  user: 'user',
  type: 'type',
  /** Whose unsent words are here, while nobody is logged in. */
  writer: 'unsentOf',
  referralCode: 'referralCode',
  registered: 'registered',
  device: 'deviceSessionId',
  visited: 'visitedRoutes',
  previous: 'previousUrl',
} as const;

/** The browser's database of messages that wait to be sent. */
export const CHAT_DATABASE = 'stagedoor-chat';
/** Before the writer's id, a colon and a conversation's id: what was written there and not sent. */
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
    // Private windows and full disks refuse: the page works without.
  }
}

/** Whose page this is; it is loaded anew for anybody else. */
let pageUser: string | undefined;

/** Whether somebody else has logged in in another tab since this page knew who is here: what it sends would be theirs. */
export function isAnothers(local: Store): boolean {
  const present = userIdIn(local);
  return pageUser !== undefined && present !== undefined && present !== pageUser;
}

/** Keeps who is logged in and as what, or forgets both but for whose unsent words are here. */
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
    // Where databases are forbidden there is none.
  }
}

/**
 * Takes from the device what was written in chat and not sent, by everybody but `viewerId`. To be asked before the viewer is kept:
 * whoever was kept before tells whose outbox it is.
 */
export function forgetUnsent(local: ListedStore, viewerId?: string): void {
  for (const key of keysOf(local))
    if (key.startsWith(DRAFT_PREFIX) && !(viewerId && key.startsWith(`${DRAFT_PREFIX}${viewerId}:`)))
      write(local, key, undefined);
  const before = userIdIn(local) ?? read(local, STORED.writer);
  if (viewerId === undefined || (before !== undefined && before !== viewerId)) forgetOutbox();
  if (viewerId === undefined) write(local, STORED.writer, undefined);
}

/** Whether a log-out, here or in another tab, has taken the person off the device. */
export function isLoggedOut(local: Store): boolean {
  return userIdIn(local) === undefined && read(local, STORED.writer) === undefined;
}

/** A referral code waits here, and in the link's cookie, until a registration succeeds. */
export function keepReferralCode(local: Store, code: string | undefined): void {
  write(local, STORED.referralCode, code);
}

export function referralCode(local: Store): string {
  return read(local, STORED.referralCode) ?? '';
}

/** Who signed up in this tab waits here until somebody is logged in. */
export function keepRegistered(session: Store, text: string | undefined): void {
  write(session, STORED.registered, text);
}

export function registeredText(session: Store): string {
  return read(session, STORED.registered) ?? '';
}

/** A random id of this tab's session, made once. */
export function deviceSessionId(session: Store, makeId: () => string = () => crypto.randomUUID()): string {
  const known = read(session, STORED.device);
  if (known) return known;
  const id = makeId();
  write(session, STORED.device, id);
  return id;
}

/** The last four visited routes, newest first. */
export function visitedRoutes(session: Store): string[] {
  try {
    const list: unknown = JSON.parse(read(session, STORED.visited) ?? '[]');
    return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string').slice(0, ROUTE_HISTORY) : [];
  } catch {
    return [];
  }
}

/** A route without what opens an account: tokens of mailed links are not kept. */
function withoutToken(route: string): string {
  return route.replace(/([?&])token=[^&#]*&?/g, '$1').replace(/[?&]$/, '');
}

/** Notes a visit; the route before it becomes the previous URL. Visiting the same route again changes nothing. */
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
