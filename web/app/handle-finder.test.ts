/** The finder answers what the router's own matcher answers over the whole table, for every shape of address. */
import { matchRoutes, type RouteObject } from 'react-router';
import { expect, test } from 'vitest';
import type { PageHandle } from '../kernel/page.ts';
import { handleFinder } from './handle-finder.ts';

const handleNamed = (name: string): PageHandle => ({ nav: name });
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
].map((path) => ({ id: path, path, handle: handleNamed(path) }));
const find = handleFinder(leaves);

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
])('%s', (pathname) => {
  expect(find(pathname)).toEqual(matchRoutes(leaves, pathname)?.at(-1)?.route.handle);
});

test('what nothing matches has no handle', () => {
  expect(handleFinder(leaves.filter(({ path }) => path !== '/*'))('/nowhere')).toBeUndefined();
});
