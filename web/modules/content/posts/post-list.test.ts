/** Tests the validation of live posts (row C3). */
import { expect, test } from 'vitest';
import { insertSorted, isWellFormed, removeById } from './post-list.ts';

const toPost = (id: string, createdAt: string) => ({ id, createdAt });
const old = toPost('a', '2026-11-01T00:00:00.000Z');
const recent = toPost('b', '2026-11-20T00:00:00.000Z');

test('a live post is added once, newest first', () => {
  expect(insertSorted([old], recent)).toEqual([recent, old]);
  expect(insertSorted([recent], old)).toEqual([recent, old]);
  expect(insertSorted(insertSorted([old], recent), recent)).toEqual([recent, old]);
});

test('a removed post is dropped and an unknown one is ignored', () => {
  expect(removeById([recent, old], 'b')).toEqual([old]);
  expect(removeById([recent, old], 'x')).toEqual([recent, old]);
});

test('only an event with an ID and an array of URIs is valid', () => {
  expect(isWellFormed({ id: 'a', postUri: ['/post/a'] })).toBe(true);
  expect(isWellFormed({ postUri: ['/post/a'] })).toBe(false);
  expect(isWellFormed({ id: 'a', postUri: '/post/a' })).toBe(false);
  expect(isWellFormed(undefined)).toBe(false);
});
