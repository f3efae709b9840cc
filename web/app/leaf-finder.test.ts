import { matchRoutes, type RouteObject } from 'react-router';
import { expect, test } from 'vitest';
import { leafFinder } from './leaf-finder.ts';

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
const find = leafFinder(leaves);

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
  const wanted = matchRoutes(leaves, pathname)?.at(-1)?.route;
  expect(find(pathname)).toBe(wanted);
  expect(find(pathname)).toBe(wanted);
  find('/fan');
  expect(find(pathname)).toBe(wanted);
});

test('an address that no route matches has no leaf', () => {
  expect(leafFinder(leaves.filter(({ path }) => path !== '/*'))('/nowhere')).toBeUndefined();
});
