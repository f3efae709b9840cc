/** Addresses that pages make. */
import { expect, test } from 'vitest';
import { addFundsHref, addressWith } from './address.ts';

test('the way to more balance tells how much lacks, where that is known, and where to go on to', () => {
  expect(addFundsHref(12.5, '/post/1?a=b')).toBe('/fan/wallet?add=1&sum=12.50&next=%2Fpost%2F1%3Fa%3Db');
  expect(addFundsHref(-3, '/post/1')).toBe('/fan/wallet?add=1&next=%2Fpost%2F1');
  expect(addFundsHref(undefined, '/post/1')).toBe('/fan/wallet?add=1&next=%2Fpost%2F1');
});

test('a change keeps what it does not name and begins at the first page', () => {
  const search = new URLSearchParams('type=tip&offset=20&min=50');
  expect(addressWith('/fan/wallet', search, { min: undefined, size: '30' })).toBe('/fan/wallet?type=tip&size=30');
});
