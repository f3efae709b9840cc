import { matchRoutes, type RouteObject } from 'react-router';
import { expect, test } from 'vitest';
import { createRouteMatcher } from './route-matcher.ts';

const leaves: RouteObject[] = [
  '',
  '/profile/:id',
  '/post/:id',
  '/post/add',
  '/post/:id/edit',
  '/fan',
  '/fan/feed',
  '/:first/wallet',
  '/r/:id',
  '/*',
].map((path) => ({ id: path, path }));
const find = createRouteMatcher(leaves);

test.each([
  '/',
  '//',
  '/profile/anna',
  '/Profile/anna',
  '/profile/anna/',
  '/profile',
  '/profile/a%2Fb',
  '/profile/a/b',
  '/post/add',
  '/POST/ADD',
  '/post/0190',
  '/post/0190/edit',
  '/fan',
  '/fan/',
  '/fan/wallet',
  '/fan/feed',
  '/%66an/feed',
  '/else/wallet',
  '/nowhere',
  '/__proto__/x',
  '/constructor',
])("%s leads to the same leaf as in the router's own matcher", (pathname) => {
  const expected = matchRoutes(leaves, pathname)?.at(-1)?.route;
  expect(find(pathname)).toBe(expected);
  expect(find(pathname)).toBe(expected);
  find('/fan');
  expect(find(pathname)).toBe(expected);
});

test('an address that no route matches has no leaf', () => {
  expect(createRouteMatcher(leaves.filter(({ path }) => path !== '/*'))('/nowhere')).toBeUndefined();
});
