import { expect, test } from 'vitest';
import { formatWorkPrice } from './miniature.tsx';
import { parseColour } from './parse-colour.ts';

test('only a free work is labelled Free, and others show their price or that they are purchased', () => {
  expect(formatWorkPrice({ price: 9, isPurchased: false })).toBe('$9.00');
  expect(formatWorkPrice({ price: 9, isPurchased: true })).toBe('Unlocked');
  expect(formatWorkPrice({ price: 0, isPurchased: false })).toBe('Free');
});

test('a typed colour is read with surrounding spaces and without #, and invalid input yields none', () => {
  for (const text of ['#123ABC', '  #123abc ', '123abc']) expect(parseColour(text)).toBe('#123abc');
  for (const text of ['zzz', '#12', 'red', '', '#1234567']) expect(parseColour(text)).toBeUndefined();
});
