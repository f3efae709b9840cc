/** What is read off a page in small, and of a colour that is typed. */
import { expect, test } from 'vitest';
import { typedColour } from './colour-field.tsx';
import { priceWords } from './miniature.tsx';

test('a work is Free to nobody that costs something: its maker reads the price, and who bought it that it is theirs', () => {
  expect(priceWords({ price: 9, isPurchased: false })).toBe('$9.00');
  expect(priceWords({ price: 9, isPurchased: true })).toBe('Yours');
  expect(priceWords({ price: 0, isPurchased: false })).toBe('Free');
});

test('a colour is read with what stands around it, and never guessed', () => {
  for (const text of ['#123ABC', '  #123abc ', '123abc']) expect(typedColour(text)).toBe('#123abc');
  for (const text of ['zzz', '#12', 'red', '', '#1234567']) expect(typedColour(text)).toBeUndefined();
});
