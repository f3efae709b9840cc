/** Covers rows A8, A10 and A11. */

import { viewer } from '@stagedoor/contract/identity/accounts.ts';
import { parseDestination } from '@stagedoor/contract/shared/destinations.ts';
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { ApiError, createNetworkError } from './api-error.ts';
import { createSafeStore, type ListableStore } from './browser-storage.ts';
import { formatCookie, parseCookie } from './cookies.ts';
import { getLoginDestination } from './login-destination.ts';
import { createOperationIds } from './operation-ids.ts';
import { createQueryClient } from './query.ts';
import { changeViewer, mayBeLoggedIn, updateBalance, viewerQuery } from './session.ts';
import {
  deleteUnsent,
  findPreviousUrl,
  getDeviceSessionId,
  isLoggedOut,
  isOtherAccount,
  listVisitedRoutes,
  readReferralCode,
  saveReferralCode,
  saveUser,
  saveVisit,
} from './storage.ts';

const ORIGIN = 'https://stagedoor.example';

test.each([
  ['loggedIn=true', true],
  ['theme=dark; loggedIn=true', true],
  ['loggedIn=false', false],
  ['theme=dark', false],
  ['', false],
])('with the cookies %j the browser requests the viewer: %j (row A5)', (cookie, isRequested) => {
  vi.stubGlobal('document', { cookie });
  expect(mayBeLoggedIn()).toBe(isRequested);
  vi.unstubAllGlobals();
});

test('the server always requests the viewer', () => expect(mayBeLoggedIn()).toBe(true));

function createMemoryStore(): ListableStore & { all: Map<string, string> } {
  const all = new Map<string, string>();
  return {
    all,
    listKeys: () => [...all.keys()],
    getItem: (key) => all.get(key) ?? null,
    setItem: (key, value) => void all.set(key, value),
    removeItem: (key) => void all.delete(key),
  };
}
const forbidden = createSafeStore(() => {
  throw new DOMException('denied', 'SecurityError');
});

test.each([
  ['/fan/wallet?tab=1#x', '/fan/wallet?tab=1#x'],
  ['https://stagedoor.example/post/1', '/post/1'],
  ['HTTPS://STAGEDOOR.EXAMPLE/post/1', '/post/1'],
])('%s is an internal destination', (value, path) => expect(parseDestination(value, ORIGIN)?.path).toBe(path));

test.each([
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  'https://evil.example/',
  'https://stagedoor.example.evil.example/',
  'https://stagedoor.example@evil.example/',
  'http://stagedoor.example/',
  'javascript:alert(1)',
  'fan/wallet',
  '/\n/evil.example',
  '/..//evil.example',
  '/a/..//evil.example',
  '/%2e%2e//evil.example',
  'https://stagedoor.example//evil.example',
  '',
  null,
  undefined,
  `/${'x'.repeat(3000)}`,
])('%s is refused as a destination', (value) => expect(parseDestination(value, ORIGIN)).toBeUndefined());

test('`next` takes precedence over the saved address, which takes precedence over the home page', () => {
  expect(getLoginDestination('/a', '/b', 'customer', ORIGIN)).toBe('/a');
  expect(getLoginDestination('//evil.example', '/b', 'customer', ORIGIN)).toBe('/b');
  expect(getLoginDestination(null, 'https://evil.example', 'customer', ORIGIN)).toBe('/fan/feed');
  expect(getLoginDestination(null, undefined, 'creator', ORIGIN)).toBe('/creator');
  expect(getLoginDestination(null, null, 'operator', ORIGIN)).toBe('/admin');
});

test('the last four routes are stored, newest first, and the second is the previous one', () => {
  const store = createMemoryStore();
  for (const route of ['/1', '/2', '/2', '/3', '/4', '/5']) saveVisit(store, route);
  expect(listVisitedRoutes(store)).toEqual(['/5', '/4', '/3', '/2']);
  expect(findPreviousUrl(store)).toBe('/4');
});

test('tokens of mailed links are not stored', () => {
  const store = createMemoryStore();
  saveVisit(store, '/confirm-mail?token=secret');
  saveVisit(store, '/forgot-password?a=1&token=secret&b=2');
  expect(listVisitedRoutes(store)).toEqual(['/forgot-password?a=1&b=2', '/confirm-mail']);
});

test('a corrupt route list is read as empty', () => {
  const store = createMemoryStore();
  store.setItem('visitedRoutes', '{"a":');
  expect(listVisitedRoutes(store)).toEqual([]);
  store.setItem('visitedRoutes', '[1,"/a",null]');
  expect(listVisitedRoutes(store)).toEqual(['/a']);
});

test('the device id is created once per tab session', () => {
  const store = createMemoryStore();
  expect(getDeviceSessionId(store, () => 'one')).toBe('one');
  expect(getDeviceSessionId(store, () => 'two')).toBe('one');
});

test('the referral code is stored until it is used', () => {
  const store = createMemoryStore();
  expect(readReferralCode(store)).toBe('');
  saveReferralCode(store, 'abc');
  expect(readReferralCode(store)).toBe('abc');
  saveReferralCode(store, undefined);
  expect(store.all.size).toBe(0);
});

test('unsent messages are deleted at logout, and those of other accounts at login', () => {
  const deleteDatabase = vi.fn();
  vi.stubGlobal('indexedDB', { deleteDatabase });
  const store = createMemoryStore();
  const writeDrafts = () => {
    store.setItem('user', '{"id":"ann"}');
    store.setItem('draft:ann:1', 'Dear');
    store.setItem('draft:ben:1', 'Hello');
    store.setItem('theme', 'dark');
  };
  writeDrafts();
  deleteUnsent(store, 'ann');
  expect([...store.all.keys()]).toEqual(['user', 'draft:ann:1', 'theme']);
  expect(deleteDatabase).not.toHaveBeenCalled();
  writeDrafts();
  deleteUnsent(store, 'ben');
  expect([...store.all.keys()]).toEqual(['user', 'theme', 'draft:ben:1']);
  expect(deleteDatabase).toHaveBeenCalledExactlyOnceWith('stagedoor-chat');
  deleteUnsent(store);
  expect([...store.all.keys()]).toEqual(['user', 'theme']);
  expect(deleteDatabase).toHaveBeenCalledTimes(2);
  // An expired session keeps the drafts, but only for the same user.
  writeDrafts();
  saveUser(store, null);
  expect(isLoggedOut(store)).toBe(false);
  expect(store.all.has('draft:ann:1')).toBe(true);
  deleteUnsent(store, 'ann');
  expect(deleteDatabase).toHaveBeenCalledTimes(2);
  deleteUnsent(store, 'ben');
  expect(deleteDatabase).toHaveBeenCalledTimes(3);
  deleteUnsent(store);
  expect(isLoggedOut(store)).toBe(true);
  // If the previous user is unknown, the outbox may be the viewer's own.
  store.removeItem('user');
  deleteUnsent(store, 'ben');
  expect(deleteDatabase).toHaveBeenCalledTimes(4);
  vi.unstubAllGlobals();
});

test('a page detects that another account has logged in in another tab, and when its own is back', () => {
  const store = createMemoryStore();
  const ann = viewerAt(1);
  expect(isOtherAccount(store)).toBe(false);
  saveUser(store, ann);
  expect(isOtherAccount(store)).toBe(false);
  store.setItem('user', JSON.stringify({ id: 'ben' }));
  expect(isOtherAccount(store)).toBe(true);
  store.removeItem('user');
  expect(isOtherAccount(store)).toBe(false);
  store.setItem('user', JSON.stringify({ id: ann.id }));
  expect([isOtherAccount(store), isOtherAccount(forbidden)]).toEqual([false, false]);
  store.setItem('user', JSON.stringify({ id: 'ben' }));
  saveUser(store, viewerAt(2, '01890000-0000-7000-8000-000000000001'));
  expect(isOtherAccount(store)).toBe(true);
});

test('refused storage access breaks nothing', () => {
  deleteUnsent(forbidden);
  saveUser(forbidden, null);
  saveVisit(forbidden, '/a');
  expect(listVisitedRoutes(forbidden)).toEqual([]);
  expect(getDeviceSessionId(forbidden, () => 'id')).toBe('id');
});

test('cookies are read, decoded and written for the whole site', () => {
  expect(parseCookie('a=1; theme=dark;  b=x%20y', 'theme')).toBe('dark');
  expect(parseCookie('a=1; b=x%20y', 'b')).toBe('x y');
  expect(parseCookie('b=%E0%A4', 'b')).toBeUndefined();
  expect(parseCookie('bb=1', 'b')).toBeUndefined();
  expect(formatCookie('a', 'x;y', 10, true)).toBe('a=x%3By; Path=/; Max-Age=10; SameSite=Lax; Secure');
});

test('an operation id is reused until the result is known', () => {
  let idCount = 0;
  const operations = createOperationIds(() => `id-${++idCount}`);
  const tip = { body: { amount: 5 } };
  expect(operations.getId(tip)).toBe('id-1');
  expect(operations.getId({ body: { amount: 5 } })).toBe('id-1');
  expect(operations.getId({ body: { amount: 6 } })).toBe('id-2');
  operations.markFailed(tip, createNetworkError());
  expect(operations.getId(tip)).toBe('id-1');
  operations.markFailed(tip, new ApiError('UPSTREAM', 'x', { status: 502 }));
  operations.markFailed(tip, new ApiError('CONFLICT', 'x', { status: 409 }));
  operations.markFailed(tip, new TypeError('a bug'));
  expect(operations.getId(tip)).toBe('id-1');
  operations.markFailed(tip, new ApiError('INSUFFICIENT_FUNDS', 'x', { status: 402 }));
  expect(operations.getId(tip)).toBe('id-3');
  operations.markSucceeded(tip);
  expect(operations.getId(tip)).toBe('id-4');
});

const balanceAt = (depositRevision: number) => ({ deposit: (depositRevision * 37) % 101, depositRevision });
const viewerAt = (revision: number, id = '01890000-0000-7000-8000-000000000000') =>
  z.parse(viewer, {
    id,
    username: 'somebody',
    name: 'Somebody',
    email: 'somebody@example.com',
    type: 'customer',
    avatarUrl: null,
    isEmailVerified: true,
    isTwoFactorEnabled: false,
    ...balanceAt(revision),
  });

test('the latest balance stays, in whatever order and however often events and responses arrive', async () => {
  const update = fc.record({ revision: fc.integer({ min: 0, max: 12 }), source: fc.constantFrom('event', 'refetch') });
  await fc.assert(
    fc.asyncProperty(fc.array(update, { minLength: 1, maxLength: 20 }), async (updates) => {
      let responseRevision = 0;
      const client = createQueryClient(async () => ({ status: 200, body: viewerAt(responseRevision) }));
      client.setQueryData(viewerQuery().queryKey, viewerAt(0));
      let latest = 0;
      for (const { revision, source } of updates) {
        responseRevision = revision;
        if (source === 'event') updateBalance(client, balanceAt(revision));
        else await client.fetchQuery({ ...viewerQuery(), staleTime: 0 });
        latest = Math.max(latest, revision);
        expect(client.getQueryData(viewerQuery().queryKey)).toEqual(viewerAt(latest));
      }
    }),
  );
});

test("a refetch updates the viewer's other fields when its balance is older", async () => {
  const client = createQueryClient(async () => ({ status: 200, body: { ...viewerAt(1), name: 'Renamed' } }));
  client.setQueryData(viewerQuery().queryKey, viewerAt(2));
  changeViewer(client, { isTwoFactorEnabled: true });
  await client.fetchQuery({ ...viewerQuery(), staleTime: 0 });
  expect(client.getQueryData(viewerQuery().queryKey)).toEqual({ ...viewerAt(2), name: 'Renamed' });
});
