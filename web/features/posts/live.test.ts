/** Tests the validation of live posts (row C3). */
import { expect, test } from 'vitest';
import { isWellFormed, withoutPost, withPost } from './live.ts';

const post = (id: string, createdAt: string) => ({ id, createdAt });
const old = post('a', '2026-11-01T00:00:00.000Z');
const recent = post('b', '2026-11-20T00:00:00.000Z');

test('a live post is added once, newest first', () => {
  expect(withPost([old], recent)).toEqual([recent, old]);
  expect(withPost([recent], old)).toEqual([recent, old]);
  expect(withPost(withPost([old], recent), recent)).toEqual([recent, old]);
});

test('a removed post is dropped and an unknown one is ignored', () => {
  expect(withoutPost([recent, old], 'b')).toEqual([old]);
  expect(withoutPost([recent, old], 'x')).toEqual([recent, old]);
});

test('only an event with an ID and an array of URIs is valid', () => {
  expect(isWellFormed({ id: 'a', postUri: ['/post/a'] })).toBe(true);
  expect(isWellFormed({ postUri: ['/post/a'] })).toBe(false);
  expect(isWellFormed({ id: 'a', postUri: '/post/a' })).toBe(false);
  expect(isWellFormed(undefined)).toBe(false);
});
