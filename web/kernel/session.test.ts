/** Covers rows A8, A10 and A11. */
import { viewer } from '@stagedoor/contract/accounts.ts';
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { afterLogin } from './after-login.ts';
import { ApiError, networkError } from './api-error.ts';
import { cookieLine, cookieOf } from './cookies.ts';
import { createOperations } from './operations.ts';
import { createQueryClient } from './query.ts';
import { changeViewer, mayBeLoggedIn, ownDestination, takeBalance, viewerQuery } from './session.ts';
import {
  deviceSessionId,
  forgetUnsent,
  isAnothers,
  isLoggedOut,
  keepReferralCode,
  keepUser,
  type ListedStore,
  noteVisit,
  previousUrl,
  referralCode,
  visitedRoutes,
} from './storage.ts';

const ORIGIN = 'https://stagedoor.example';

test.each([
  ['loggedIn=true', true],
  ['theme=dark; loggedIn=true', true],
  ['loggedIn=false', false],
  ['theme=dark', false],
  ['', false],
])('with the cookies %j the browser requests the viewer: %j (row A5)', (cookie, isAsked) => {
  vi.stubGlobal('document', { cookie });
  expect(mayBeLoggedIn()).toBe(isAsked);
  vi.unstubAllGlobals();
});

test('the server always requests the viewer', () => expect(mayBeLoggedIn()).toBe(true));

function memory(): ListedStore & { all: Map<string, string> } {
  const all = new Map<string, string>();
  return {
    all,
    get length() {
      return all.size;
    },
    key: (index) => [...all.keys()][index] ?? null,
    getItem: (key) => all.get(key) ?? null,
    setItem: (key, value) => void all.set(key, value),
    removeItem: (key) => void all.delete(key),
  };
}
const forbidden: ListedStore = {
  get length(): number {
    throw new DOMException('denied', 'SecurityError');
  },
  key: () => null,
  getItem: () => {
    throw new DOMException('denied', 'SecurityError');
  },
  setItem: () => {
    throw new DOMException('full', 'QuotaExceededError');
  },
  removeItem: () => {
    throw new DOMException('denied', 'SecurityError');
  },
};

test.each([
  ['/fan/wallet?tab=1#x', '/fan/wallet?tab=1#x'],
  ['https://stagedoor.example/post/1', '/post/1'],
  ['HTTPS://STAGEDOOR.EXAMPLE/post/1', '/post/1'],
])('%s is an internal destination', (value, path) => expect(ownDestination(value, ORIGIN)?.path).toBe(path));

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
])('%s is refused as a destination', (value) => expect(ownDestination(value, ORIGIN)).toBeUndefined());

test('`next` takes precedence over the saved address, which takes precedence over the home page', () => {
  expect(afterLogin('/a', '/b', 'customer', ORIGIN)).toBe('/a');
  expect(afterLogin('//evil.example', '/b', 'customer', ORIGIN)).toBe('/b');
  expect(afterLogin(null, 'https://evil.example', 'customer', ORIGIN)).toBe('/fan/feed');
  expect(afterLogin(null, undefined, 'creator', ORIGIN)).toBe('/creator');
  expect(afterLogin(null, null, 'operator', ORIGIN)).toBe('/admin');
});

test('the last four routes are stored, newest first, and the second is the previous one', () => {
  const store = memory();
  for (const route of ['/1', '/2', '/2', '/3', '/4', '/5']) noteVisit(store, route);
  expect(visitedRoutes(store)).toEqual(['/5', '/4', '/3', '/2']);
  expect(previousUrl(store)).toBe('/4');
});

test('tokens of mailed links are not stored', () => {
  const store = memory();
  noteVisit(store, '/confirm-mail?token=secret');
  noteVisit(store, '/forgot-password?a=1&token=secret&b=2');
  expect(visitedRoutes(store)).toEqual(['/forgot-password?a=1&b=2', '/confirm-mail']);
});

test('a corrupt route list is read as empty', () => {
  const store = memory();
  store.setItem('visitedRoutes', '{"a":');
  expect(visitedRoutes(store)).toEqual([]);
  store.setItem('visitedRoutes', '[1,"/a",null]');
  expect(visitedRoutes(store)).toEqual(['/a']);
});

test('the device id is created once per tab session', () => {
  const store = memory();
  expect(deviceSessionId(store, () => 'one')).toBe('one');
  expect(deviceSessionId(store, () => 'two')).toBe('one');
});

test('the referral code is stored until it is used', () => {
  const store = memory();
  expect(referralCode(store)).toBe('');
  keepReferralCode(store, 'abc');
  expect(referralCode(store)).toBe('abc');
  keepReferralCode(store, undefined);
  expect(store.all.size).toBe(0);
});

test('unsent messages are deleted at logout, and those of other accounts at login', () => {
  const deleteDatabase = vi.fn();
  vi.stubGlobal('indexedDB', { deleteDatabase });
  const store = memory();
  const written = () => {
    store.setItem('user', '{"id":"ann"}');
    store.setItem('draft:ann:1', 'Dear');
    store.setItem('draft:ben:1', 'Hello');
    store.setItem('theme', 'dark');
  };
  written();
  forgetUnsent(store, 'ann');
  expect([...store.all.keys()]).toEqual(['user', 'draft:ann:1', 'theme']);
  expect(deleteDatabase).not.toHaveBeenCalled();
  written();
  forgetUnsent(store, 'ben');
  expect([...store.all.keys()]).toEqual(['user', 'theme', 'draft:ben:1']);
  expect(deleteDatabase).toHaveBeenCalledExactlyOnceWith('stagedoor-chat');
  forgetUnsent(store);
  expect([...store.all.keys()]).toEqual(['user', 'theme']);
  expect(deleteDatabase).toHaveBeenCalledTimes(2);
  // An expired session keeps the drafts, but only for the same user.
  written();
  keepUser(store, null);
  expect(isLoggedOut(store)).toBe(false);
  expect(store.all.has('draft:ann:1')).toBe(true);
  forgetUnsent(store, 'ann');
  expect(deleteDatabase).toHaveBeenCalledTimes(2);
  forgetUnsent(store, 'ben');
  expect(deleteDatabase).toHaveBeenCalledTimes(3);
  forgetUnsent(store);
  expect(isLoggedOut(store)).toBe(true);
  // If the previous user is unknown, the outbox may be the viewer's own.
  store.removeItem('user');
  forgetUnsent(store, 'ben');
  expect(deleteDatabase).toHaveBeenCalledTimes(4);
  vi.unstubAllGlobals();
});

test('a page detects that another account has logged in in another tab, and when its own is back', () => {
  const store = memory();
  const ann = viewerAt(1);
  expect(isAnothers(store)).toBe(false);
  keepUser(store, ann);
  expect(isAnothers(store)).toBe(false);
  store.setItem('user', JSON.stringify({ id: 'ben' }));
  expect(isAnothers(store)).toBe(true);
  store.removeItem('user');
  expect(isAnothers(store)).toBe(false);
  store.setItem('user', JSON.stringify({ id: ann.id }));
  expect([isAnothers(store), isAnothers(forbidden)]).toEqual([false, false]);
  store.setItem('user', JSON.stringify({ id: 'ben' }));
  keepUser(store, viewerAt(2, '01890000-0000-7000-8000-000000000001'));
  expect(isAnothers(store)).toBe(true);
});

test('refused storage access breaks nothing', () => {
  forgetUnsent(forbidden);
  keepUser(forbidden, null);
  noteVisit(forbidden, '/a');
  expect(visitedRoutes(forbidden)).toEqual([]);
  expect(deviceSessionId(forbidden, () => 'id')).toBe('id');
});

test('cookies are read, decoded and written for the whole site', () => {
  expect(cookieOf('a=1; theme=dark;  b=x%20y', 'theme')).toBe('dark');
  expect(cookieOf('a=1; b=x%20y', 'b')).toBe('x y');
  expect(cookieOf('b=%E0%A4', 'b')).toBeUndefined();
  expect(cookieOf('bb=1', 'b')).toBeUndefined();
  expect(cookieLine('a', 'x;y', 10, true)).toBe('a=x%3By; Path=/; Max-Age=10; SameSite=Lax; Secure');
});

test('an operation id is reused until the result is known', () => {
  let made = 0;
  const operations = createOperations(() => `id-${++made}`);
  const tip = { body: { amount: 5 } };
  expect(operations.idFor(tip)).toBe('id-1');
  expect(operations.idFor({ body: { amount: 5 } })).toBe('id-1');
  expect(operations.idFor({ body: { amount: 6 } })).toBe('id-2');
  operations.failed(tip, networkError());
  expect(operations.idFor(tip)).toBe('id-1');
  operations.failed(tip, new ApiError('UPSTREAM', 'x', { status: 502 }));
  operations.failed(tip, new ApiError('CONFLICT', 'x', { status: 409 }));
  operations.failed(tip, new TypeError('a bug'));
  expect(operations.idFor(tip)).toBe('id-1');
  operations.failed(tip, new ApiError('INSUFFICIENT_FUNDS', 'x', { status: 402 }));
  expect(operations.idFor(tip)).toBe('id-3');
  operations.succeeded(tip);
  expect(operations.idFor(tip)).toBe('id-4');
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
  const telling = fc.record({ revision: fc.integer({ min: 0, max: 12 }), how: fc.constantFrom('event', 'refetch') });
  await fc.assert(
    fc.asyncProperty(fc.array(telling, { minLength: 1, maxLength: 20 }), async (tellings) => {
      let answered = 0;
      const client = createQueryClient(async () => ({ status: 200, body: viewerAt(answered) }));
      client.setQueryData(viewerQuery().queryKey, viewerAt(0));
      let most = 0;
      for (const { revision, how } of tellings) {
        answered = revision;
        if (how === 'event') takeBalance(client, balanceAt(revision));
        else await client.fetchQuery({ ...viewerQuery(), staleTime: 0 });
        most = Math.max(most, revision);
        expect(client.getQueryData(viewerQuery().queryKey)).toEqual(viewerAt(most));
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
