import { expect, test } from 'vitest';
import { createRecent } from './recent.ts';

test('a frequently used entry stays in the cache while others pass through', () => {
  const recent = createRecent<number>(100);
  recent.put('often', 1, 10);
  for (let n = 0; n < 50; n += 1) {
    recent.put(`passing ${n}`, n, 10);
    expect(recent.get('often')).toBe(1);
  }
  expect(recent.get('passing 0')).toBeUndefined();
});

test('the cache never exceeds its limit, even if one key is replaced repeatedly', () => {
  const recent = createRecent<number>(100);
  for (let n = 0; n < 30; n += 1) recent.put(String(n), n, 10);
  const left = Array.from({ length: 30 }, (_, n) => recent.get(String(n))).filter((value) => value !== undefined);
  expect(left.length).toBeLessThanOrEqual(11);
  const same = createRecent<number>(100);
  same.put('other', 0, 10);
  for (let n = 0; n < 30; n += 1) same.put('one', n, 10);
  expect([same.get('one'), same.get('other')]).toEqual([29, 0]);
});
