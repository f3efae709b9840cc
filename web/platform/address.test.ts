import { expect, test } from 'vitest';
import { addFundsHref, buildAddress } from './address.ts';

test('the add-funds address contains the missing amount, if known, and the return address', () => {
  expect(addFundsHref(12.5, '/post/1?a=b')).toBe('/fan/wallet?add=1&sum=12.50&next=%2Fpost%2F1%3Fa%3Db');
  expect(addFundsHref(-3, '/post/1')).toBe('/fan/wallet?add=1&next=%2Fpost%2F1');
  expect(addFundsHref(undefined, '/post/1')).toBe('/fan/wallet?add=1&next=%2Fpost%2F1');
});

test('a changed address keeps other parameters and returns to the first page', () => {
  const search = new URLSearchParams('type=tip&offset=20&min=50');
  expect(buildAddress('/fan/wallet', search, { min: undefined, size: '30' })).toBe('/fan/wallet?type=tip&size=30');
});
