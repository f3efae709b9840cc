/** Covers row D7. */
import { createPriceSchema, DEFAULT_PRICES } from '@stagedoor/contract/shared/prices.ts';
import { describe, expect, test } from 'vitest';
import { formatPriceInput, parsePaidPrice, parsePrice } from './price.ts';

const messagePrice = createPriceSchema('chatMedia', DEFAULT_PRICES.chatMedia);
const postPrice = createPriceSchema('post', DEFAULT_PRICES.post);

describe('a typed price', () => {
  test.each([
    ['8', 8],
    [' $8.5 ', 8.5],
    ['8,50', 8.5],
    ['12.', 12],
    ['0', 0],
    ['٥', 5],
  ])('%s is accepted as that amount', (typed, usd) => {
    expect(parsePrice(messagePrice, typed)).toEqual({ usd });
  });

  test.each(['1,50', '150,00', 'abc', '-5', '5 dollars', '1.234', '1,2,3', '1e2', ''])(
    '%s is refused, and read neither as free nor as another amount',
    (typed) => {
      const { usd, error } = parsePrice(postPrice, typed);
      expect(usd).toBe(0);
      expect(error).toMatch(/amount|costs between/);
    },
  );

  test('of 0 is refused where the price must be paid', () => {
    expect(parsePaidPrice(postPrice, '0').error).toBe('Please enter amount');
    expect(parsePaidPrice(postPrice, '5')).toEqual({ usd: 5 });
    expect(parsePaidPrice(postPrice, '1,000.00').error).toMatch(/costs between/);
  });

  test.each([
    [5, '5'],
    [7.5, '7.50'],
    [12.35, '12.35'],
  ])('%d is shown in its field as %s', (usd, text) => {
    expect(formatPriceInput(usd)).toBe(text);
    expect(parsePrice(postPrice, text)).toEqual({ usd });
  });
});
