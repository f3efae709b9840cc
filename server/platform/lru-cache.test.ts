import { expect, test } from 'vitest';
import { createLruCache } from './lru-cache.ts';

test('a frequently used entry stays in the cache while others pass through', () => {
  const cache = createLruCache<number>(100);
  cache.set('often', 1, 10);
  for (let n = 0; n < 50; n += 1) {
    cache.set(`passing ${n}`, n, 10);
    expect(cache.get('often')).toBe(1);
  }
  expect(cache.get('passing 0')).toBeUndefined();
});

test('the cache never exceeds its limit, even if one key is replaced repeatedly', () => {
  const cache = createLruCache<number>(100);
  for (let n = 0; n < 30; n += 1) cache.set(String(n), n, 10);
  const remaining = Array.from({ length: 30 }, (_, n) => cache.get(String(n))).filter((value) => value !== undefined);
  expect(remaining.length).toBeLessThanOrEqual(11);
  const replaced = createLruCache<number>(100);
  replaced.set('other', 0, 10);
  for (let n = 0; n < 30; n += 1) replaced.set('one', n, 10);
  expect([replaced.get('one'), replaced.get('other')]).toEqual([29, 0]);
});
