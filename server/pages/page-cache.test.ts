import { expect, test, vi } from 'vitest';
import { restrictScripts, toBody } from './encoding.ts';
import { findCacheKey } from './frame.ts';
import { type CachedPage, canCache, createPageCache, isVisibleAt, toVaryKey } from './page-cache.ts';
import { collectTags, hasRefusedCode } from './tags.ts';

function page(name: string, tags: string[] = [], bytes = 100): CachedPage {
  const body = toBody(Buffer.from(name));
  return { body, compressed: new Map(), etag: name, tags: new Set(tags), bytes, headers: new Map() };
}

function open(options: { maxBytes?: number; now?: () => number } = {}) {
  return createPageCache({ maxBytes: 1_000, maxAgeMs: 60_000, now: () => 0, ...options });
}

test('a cached page is found until it expires', async () => {
  let now = 0;
  const cache = open({ now: () => now });
  await cache.renderOnce('a', async () => ({ page: page('a') }));
  now = 59_999;
  expect(cache.get('a')?.etag).toBe('a');
  now = 60_000;
  expect(cache.get('a')).toBeUndefined();
  expect(cache.size).toEqual({ pages: 0, bytes: 0 });
});

test('the least recently used page is evicted first, and a huge page is not cached', async () => {
  const cache = open();
  for (const name of ['a', 'b', 'c', 'd']) await cache.renderOnce(name, async () => ({ page: page(name, [], 250) }));
  cache.get('a');
  await cache.renderOnce('e', async () => ({ page: page('e', [], 250) }));
  expect(['a', 'b', 'c', 'd', 'e'].filter((name) => cache.get(name))).toEqual(['a', 'c', 'd', 'e']);
  await cache.renderOnce('huge', async () => ({ page: page('huge', [], 251) }));
  expect(cache.get('huge')).toBeUndefined();
  expect(cache.size.bytes).toBeLessThanOrEqual(1_000);
});

test('concurrent requests render a page once', async () => {
  const cache = open();
  const make = vi.fn(async () => ({ page: page('a') }));
  const all = await Promise.all(Array.from({ length: 50 }, () => cache.renderOnce('a', make)));
  expect(make).toHaveBeenCalledTimes(1);
  expect(new Set(all.map(({ page }) => page)).size).toBe(1);
});

test('a failed rendering is not cached, and the next request tries again', async () => {
  const cache = open();
  await expect(cache.renderOnce('a', async () => Promise.reject(new Error('x')))).rejects.toThrow('x');
  await cache.renderOnce('a', async () => ({ page: page('a') }));
  expect(cache.get('a')?.etag).toBe('a');
});

test('a purge removes only pages with the tag', async () => {
  const cache = open();
  await cache.renderOnce('a', async () => ({ page: page('a', ['user:1']) }));
  await cache.renderOnce('b', async () => ({ page: page('b', ['user:2']) }));
  cache.purge(['user:1', 'post:9']);
  expect(cache.get('a')).toBeUndefined();
  expect(cache.get('b')?.etag).toBe('b');
});

test('a page rendered during a purge is returned but neither cached nor shared afterwards', async () => {
  const cache = open();
  const gate = Promise.withResolvers<void>();
  const old = cache.renderOnce('a', async () => {
    await gate.promise;
    return { page: page('old', ['user:1']) };
  });
  cache.purge(['user:1']);
  const fresh = cache.renderOnce('a', async () => ({ page: page('new', ['user:1']) }));
  expect((await fresh).page?.etag).toBe('new');
  gate.resolve();
  expect((await old).page?.etag).toBe('old');
  expect(cache.get('a')?.etag).toBe('new');
});

test('only complete HTML pages without cookies are cached', () => {
  const answer = (type: string, more: Record<string, string> = {}) => ({
    status: 200,
    headers: new Headers({ 'content-type': type, ...more }),
  });
  const html = answer('text/html; charset=utf-8');
  expect(canCache(html, [200, 200])).toBe(true);
  expect(canCache(html, [200, 429])).toBe(false);
  expect(canCache({ ...html, status: 404 }, [])).toBe(false);
  expect(canCache(answer('text/x-script'), [200])).toBe(false);
  expect(canCache(answer('text/html', { 'set-cookie': 'a=b' }), [200])).toBe(false);
});

test('unknown cookie values create no cache entry', () => {
  expect(toVaryKey({ theme: 'dark', age: '1' })).toBe('dark|1|');
  expect(toVaryKey({ theme: '|/profile/x', age: 'y'.repeat(1_000) })).toBe(toVaryKey({}));
});

test('tags are derived from the responses that a page shows', () => {
  const tags = new Set<string>();
  collectTags(
    {
      data: [
        {
          id: 'p1',
          postUri: ['/post/p1'],
          author: { id: 'u1', username: 'x' },
          media: [{ id: 'm1', isLocked: false }],
        },
      ],
      limit: 10,
    },
    tags,
  );
  expect([...tags].sort()).toEqual(['media:m1', 'post:p1', 'user:u1']);
  collectTags({ data: [], totalCount: 0 }, tags);
  expect(tags).toContain('users');
  const users = new Set<string>();
  collectTags({ data: [{ id: 'u2', username: 'y', cover: null }] }, users);
  expect([...users].sort()).toEqual(['user:u2', 'users']);
  const works = new Set<string>();
  collectTags(
    { dependsOnAllPosts: true, data: [{ id: 'p1', postUri: ['/post/p1'], author: { id: 'u3', username: 'z' } }] },
    works,
  );
  expect([...works].sort()).toEqual(['post:p1', 'user:u3', 'users']);
});

test('the cache key contains only the parameters that a page reads, in one order', () => {
  const rule = (pathname: string) =>
    pathname === '/' ? { query: ['category', 'sort'], codes: ['offer'], freeText: ['search'] } : undefined;
  expect(findCacheKey('/', rule)).toBe('/');
  expect(findCacheKey('/?utm_source=x', rule)).toBe('/');
  expect(findCacheKey('/?sort=new&utm=1&category=Paper+%26+print', rule)).toBe('/?category=Paper+%26+print&sort=new');
  expect(findCacheKey('/?search=anna', rule)).toBeUndefined();
  expect(findCacheKey('/?search=&sort=new', rule)).toBe('/?sort=new');
  expect(findCacheKey('/login', rule)).toBeUndefined();
});

test('a code has one cache key however it is written, and what cannot be a code has none', () => {
  const rule = () => ({ query: ['tier'], codes: ['offer'], freeText: [] });
  expect(findCacheKey('/profile/x?offer=sPring20&tier=1', rule)).toBe('/profile/x?tier=1&offer=SPRING20');
  expect(findCacheKey('/profile/x?tier=1&offer=+SPRING20+', rule)).toBe('/profile/x?tier=1&offer=SPRING20');
  expect(findCacheKey('/profile/x?offer=', rule)).toBe('/profile/x');
  for (const code of ['A-B', 'A%00', 'é', 'A'.repeat(21)])
    expect(findCacheKey(`/profile/x?offer=${code}`, rule)).toBeUndefined();
});

test('the policy of a page without scripts permits none', () => {
  expect(restrictScripts("default-src 'self'; script-src 'nonce-abc' 'strict-dynamic'; style-src 'self'")).toBe(
    "default-src 'self'; script-src 'none'; style-src 'self'",
  );
  expect(restrictScripts("default-src 'self'; script-src 'nonce-abc'; style-src 'self'", "'sha256-x$&='")).toBe(
    "default-src 'self'; script-src 'sha256-x$&='; style-src 'self'",
  );
});

test('a shared page is served only where no user on it is hidden', () => {
  const shown = page('home', ['user:1', 'post:2', 'users']);
  expect(isVisibleAt(shown, undefined)).toBe(true);
  expect(isVisibleAt(shown, { blockedIds: new Set(['2']) })).toBe(true);
  expect(isVisibleAt(shown, { blockedIds: new Set(['2', '1']) })).toBe(false);
});

test('a refused code is found in the response that a page shows', () => {
  expect(hasRefusedCode({ tiers: [], offer: null, offerRefusal: 'This code doesn’t work.' })).toBe(true);
  expect(hasRefusedCode({ tiers: [], offer: null, offerRefusal: null })).toBe(false);
  expect(hasRefusedCode({ data: [] })).toBe(false);
  expect(hasRefusedCode(undefined)).toBe(false);
});
