import { expect, test, vi } from 'vitest';
import { wholeBody, withoutScript } from './encoding.ts';
import { keptPath } from './frame.ts';
import { createKept, isForAll, type KeptPage, lookOf, mayKeep } from './kept.ts';
import { tagsOf } from './tags.ts';

function page(name: string, tags: string[] = [], bytes = 100): KeptPage {
  const body = wholeBody(Buffer.from(name));
  return { body, compressed: new Map(), etag: name, tags: new Set(tags), bytes, headers: new Map() };
}

function open(options: { maxBytes?: number; now?: () => number } = {}) {
  return createKept({ maxBytes: 1_000, maxAgeMs: 60_000, now: () => 0, ...options });
}

test('a cached page is found until it expires', async () => {
  let now = 0;
  const kept = open({ now: () => now });
  await kept.once('a', async () => ({ page: page('a') }));
  now = 59_999;
  expect(kept.get('a')?.etag).toBe('a');
  now = 60_000;
  expect(kept.get('a')).toBeUndefined();
  expect(kept.size).toEqual({ pages: 0, bytes: 0 });
});

test('the least recently used page is evicted first, and a huge page is not cached', async () => {
  const kept = open();
  for (const name of ['a', 'b', 'c', 'd']) await kept.once(name, async () => ({ page: page(name, [], 250) }));
  kept.get('a');
  await kept.once('e', async () => ({ page: page('e', [], 250) }));
  expect(['a', 'b', 'c', 'd', 'e'].filter((name) => kept.get(name))).toEqual(['a', 'c', 'd', 'e']);
  await kept.once('huge', async () => ({ page: page('huge', [], 251) }));
  expect(kept.get('huge')).toBeUndefined();
  expect(kept.size.bytes).toBeLessThanOrEqual(1_000);
});

test('concurrent requests render a page once', async () => {
  const kept = open();
  const make = vi.fn(async () => ({ page: page('a') }));
  const all = await Promise.all(Array.from({ length: 50 }, () => kept.once('a', make)));
  expect(make).toHaveBeenCalledTimes(1);
  expect(new Set(all.map(({ page }) => page)).size).toBe(1);
});

test('a failed rendering is not cached, and the next request tries again', async () => {
  const kept = open();
  await expect(kept.once('a', async () => Promise.reject(new Error('x')))).rejects.toThrow('x');
  await kept.once('a', async () => ({ page: page('a') }));
  expect(kept.get('a')?.etag).toBe('a');
});

test('a purge removes only pages with the tag', async () => {
  const kept = open();
  await kept.once('a', async () => ({ page: page('a', ['person:1']) }));
  await kept.once('b', async () => ({ page: page('b', ['person:2']) }));
  kept.purge(['person:1', 'post:9']);
  expect(kept.get('a')).toBeUndefined();
  expect(kept.get('b')?.etag).toBe('b');
});

test('a page rendered during a purge is returned but neither cached nor shared afterwards', async () => {
  const kept = open();
  const gate = Promise.withResolvers<void>();
  const old = kept.once('a', async () => {
    await gate.promise;
    return { page: page('old', ['person:1']) };
  });
  kept.purge(['person:1']);
  const fresh = kept.once('a', async () => ({ page: page('new', ['person:1']) }));
  expect((await fresh).page?.etag).toBe('new');
  gate.resolve();
  expect((await old).page?.etag).toBe('old');
  expect(kept.get('a')?.etag).toBe('new');
});

test('only complete HTML pages without cookies are cached', () => {
  const answer = (type: string, more: Record<string, string> = {}) => ({
    status: 200,
    headers: new Headers({ 'content-type': type, ...more }),
  });
  const html = answer('text/html; charset=utf-8');
  expect(mayKeep(html, [200, 200])).toBe(true);
  expect(mayKeep(html, [200, 429])).toBe(false);
  expect(mayKeep({ ...html, status: 404 }, [])).toBe(false);
  expect(mayKeep(answer('text/x-script'), [200])).toBe(false);
  expect(mayKeep(answer('text/html', { 'set-cookie': 'a=b' }), [200])).toBe(false);
});

test('unknown cookie values create no cache entry', () => {
  expect(lookOf({ theme: 'dark', age: '1' })).toBe('dark|1|');
  expect(lookOf({ theme: '|/profile/x', age: 'y'.repeat(1_000) })).toBe(lookOf({}));
});

test('tags are derived from the responses that a page shows', () => {
  const tags = new Set<string>();
  tagsOf(
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
  expect([...tags].sort()).toEqual(['media:m1', 'person:u1', 'post:p1']);
  tagsOf({ data: [], totalCount: 0 }, tags);
  expect(tags).toContain('people');
  const people = new Set<string>();
  tagsOf({ data: [{ id: 'u2', username: 'y', cover: null }] }, people);
  expect([...people].sort()).toEqual(['people', 'person:u2']);
  const works = new Set<string>();
  tagsOf(
    { isEverybodys: true, data: [{ id: 'p1', postUri: ['/post/p1'], author: { id: 'u3', username: 'z' } }] },
    works,
  );
  expect([...works].sort()).toEqual(['people', 'person:u3', 'post:p1']);
});

test('the cache key contains only the parameters that a page reads, in one order', () => {
  const rule = (pathname: string) =>
    pathname === '/' ? { query: ['category', 'sort'], freeText: ['search'] } : undefined;
  expect(keptPath('/', rule)).toBe('/');
  expect(keptPath('/?utm_source=x', rule)).toBe('/');
  expect(keptPath('/?sort=new&utm=1&category=Paper+%26+print', rule)).toBe('/?category=Paper+%26+print&sort=new');
  expect(keptPath('/?search=anna', rule)).toBeUndefined();
  expect(keptPath('/?search=&sort=new', rule)).toBe('/?sort=new');
  expect(keptPath('/login', rule)).toBeUndefined();
});

test('the policy of a page without scripts permits none', () => {
  expect(withoutScript("default-src 'self'; script-src 'nonce-abc' 'strict-dynamic'; style-src 'self'")).toBe(
    "default-src 'self'; script-src 'none'; style-src 'self'",
  );
  expect(withoutScript("default-src 'self'; script-src 'nonce-abc'; style-src 'self'", "'sha256-x$&='")).toBe(
    "default-src 'self'; script-src 'sha256-x$&='; style-src 'self'",
  );
});

test('a shared page is served only where no user on it is hidden', () => {
  const shown = page('home', ['person:1', 'post:2', 'people']);
  expect(isForAll(shown, undefined)).toBe(true);
  expect(isForAll(shown, { hidden: new Set(['2']) })).toBe(true);
  expect(isForAll(shown, { hidden: new Set(['2', '1']) })).toBe(false);
});
