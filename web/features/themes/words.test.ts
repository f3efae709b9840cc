import { expect, test } from 'vitest';
import { typedColour } from './colour-field.tsx';
import { priceWords } from './miniature.tsx';

test('only a free work is labelled Free, and others show their price or that they are purchased', () => {
  expect(priceWords({ price: 9, isPurchased: false })).toBe('$9.00');
  expect(priceWords({ price: 9, isPurchased: true })).toBe('Unlocked');
  expect(priceWords({ price: 0, isPurchased: false })).toBe('Free');
});

test('a typed colour is read with surrounding spaces and without #, and invalid input yields none', () => {
  for (const text of ['#123ABC', '  #123abc ', '123abc']) expect(typedColour(text)).toBe('#123abc');
  for (const text of ['zzz', '#12', 'red', '', '#1234567']) expect(typedColour(text)).toBeUndefined();
});
