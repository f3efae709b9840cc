/** What is used again stays, the rest goes, and it never holds more than it may. */
import { expect, test } from 'vitest';
import { createRecent } from './recent.ts';

test('what is asked for again and again stays, whatever comes by', () => {
  const recent = createRecent<number>(100);
  recent.put('often', 1, 10);
  for (let n = 0; n < 50; n += 1) {
    recent.put(`passing ${n}`, n, 10);
    expect(recent.get('often')).toBe(1);
  }
  expect(recent.get('passing 0')).toBeUndefined();
});

test('it holds no more than it may, also when the same is put again and again', () => {
  const recent = createRecent<number>(100);
  for (let n = 0; n < 30; n += 1) recent.put(String(n), n, 10);
  const left = Array.from({ length: 30 }, (_, n) => recent.get(String(n))).filter((value) => value !== undefined);
  expect(left.length).toBeLessThanOrEqual(11);
  const same = createRecent<number>(100);
  same.put('other', 0, 10);
  for (let n = 0; n < 30; n += 1) same.put('one', n, 10);
  expect([same.get('one'), same.get('other')]).toEqual([29, 0]);
});
