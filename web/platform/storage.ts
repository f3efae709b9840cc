/** Data that the browser stores for a user (rows A8, A10, A11). */
import type { Viewer } from '@stagedoor/contract/identity/accounts.ts';
import { ROUTE_HISTORY } from '@stagedoor/contract/shared/limits.ts';
import type { KeyValueStore, ListableStore } from './browser-storage.ts';

export const STORAGE_KEYS = {
  user: 'user',
  type: 'type',
  /** The owner of the drafts while no user is logged in. */
  draftOwner: 'unsentOf',
  referralCode: 'referralCode',
  registered: 'registered',
  device: 'deviceSessionId',
  visited: 'visitedRoutes',
  previous: 'previousUrl',
} as const;

export const CHAT_DATABASE = 'stagedoor-chat';
export const DRAFT_PREFIX = 'draft:';

function read(store: KeyValueStore, key: string): string | undefined {
  return store.getItem(key) ?? undefined;
}

function write(store: KeyValueStore, key: string, value: string | undefined): void {
  if (value === undefined) store.removeItem(key);
  else store.setItem(key, value);
}

let pageUser: string | undefined;

/**
 * Whether another account has logged in in another tab since this page was loaded. Its requests would be sent by that
 * account.
 */
export function isOtherAccount(local: KeyValueStore): boolean {
  const present = findStoredUserId(local);
  return pageUser !== undefined && present !== undefined && present !== pageUser;
}

/** Stores who is logged in, or removes it except for the owner of the drafts. */
export function saveUser(local: KeyValueStore, user: Viewer | null): void {
  pageUser ??= user?.id;
  write(
    local,
    STORAGE_KEYS.draftOwner,
    user ? undefined : (findStoredUserId(local) ?? read(local, STORAGE_KEYS.draftOwner)),
  );
  write(local, STORAGE_KEYS.user, user ? JSON.stringify(user) : undefined);
  write(local, STORAGE_KEYS.type, user?.type);
}

function findStoredUserId(local: KeyValueStore): string | undefined {
  try {
    const user: unknown = JSON.parse(read(local, STORAGE_KEYS.user) ?? 'null');
    return typeof user === 'object' && user !== null && 'id' in user && typeof user.id === 'string'
      ? user.id
      : undefined;
  } catch {
    return undefined;
  }
}

function deleteOutbox(): void {
  try {
    if (typeof indexedDB !== 'undefined') indexedDB.deleteDatabase(CHAT_DATABASE);
  } catch {
    // IndexedDB may be forbidden, then there is no outbox.
  }
}

/**
 * Deletes the drafts and outboxes of everyone except `viewerId`. It must be called before {@link saveUser}, because the
 * stored user is the owner of the outbox.
 */
export function deleteUnsent(local: ListableStore, viewerId?: string): void {
  for (const key of local.listKeys())
    if (key.startsWith(DRAFT_PREFIX) && !(viewerId && key.startsWith(`${DRAFT_PREFIX}${viewerId}:`)))
      write(local, key, undefined);
  const before = findStoredUserId(local) ?? read(local, STORAGE_KEYS.draftOwner);
  if (viewerId === undefined || (before !== undefined && before !== viewerId)) deleteOutbox();
  if (viewerId === undefined) write(local, STORAGE_KEYS.draftOwner, undefined);
}

/** Whether a logout, here or in another tab, has removed the user's data from the device. */
export function isLoggedOut(local: KeyValueStore): boolean {
  return findStoredUserId(local) === undefined && read(local, STORAGE_KEYS.draftOwner) === undefined;
}

/** Stores the referral code until a registration succeeds. The link's cookie holds it too. */
export function saveReferralCode(local: KeyValueStore, code: string | undefined): void {
  write(local, STORAGE_KEYS.referralCode, code);
}

export function readReferralCode(local: KeyValueStore): string {
  return read(local, STORAGE_KEYS.referralCode) ?? '';
}

export function saveRegisteredText(session: KeyValueStore, text: string | undefined): void {
  write(session, STORAGE_KEYS.registered, text);
}

export function readRegisteredText(session: KeyValueStore): string {
  return read(session, STORAGE_KEYS.registered) ?? '';
}

export function getDeviceSessionId(session: KeyValueStore, createId: () => string = () => crypto.randomUUID()): string {
  const known = read(session, STORAGE_KEYS.device);
  if (known) return known;
  const id = createId();
  write(session, STORAGE_KEYS.device, id);
  return id;
}

export function listVisitedRoutes(session: KeyValueStore): string[] {
  try {
    const list: unknown = JSON.parse(read(session, STORAGE_KEYS.visited) ?? '[]');
    return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string').slice(0, ROUTE_HISTORY) : [];
  } catch {
    return [];
  }
}

/** Removes the tokens of mailed links, because they give access to an account. */
function removeToken(route: string): string {
  return route.replace(/([?&])token=[^&#]*&?/g, '$1').replace(/[?&]$/, '');
}

/** Stores a visit. The route before it becomes the previous URL. A repeated visit to the same route changes nothing. */
export function saveVisit(session: KeyValueStore, visited: string): void {
  const route = removeToken(visited);
  const before = listVisitedRoutes(session);
  if (before[0] === route) return;
  write(session, STORAGE_KEYS.visited, JSON.stringify([route, ...before].slice(0, ROUTE_HISTORY)));
  if (before[0] !== undefined) write(session, STORAGE_KEYS.previous, before[0]);
}

export function findPreviousUrl(session: KeyValueStore): string | undefined {
  return read(session, STORAGE_KEYS.previous);
}
