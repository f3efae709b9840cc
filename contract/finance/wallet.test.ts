/** Covers rows D2, D3 and D7 (docs/money.md, rules 1 to 3). */
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { CUSTOM_CREDITS_RULE, customCredits, quoteAmount, quoteCredits } from '../commerce/deposits.ts';
import { asCents } from '../shared/money.ts';

describe('the price of a package', () => {
  test.each([
    [30, 30_000, 30_600, 600],
    [60, 60_000, 61_200, 1_200],
    [90, 90_000, 91_800, 1_800],
  ])('is correct for %i credits', (credits, amountCents, payableCents, feeCents) => {
    expect(quoteCredits(credits)).toEqual({ amountCents, payableCents, feeCents });
  });
});

test('a deposit is grossed up by the card fee, and whole credits keep their price', () => {
  expect(quoteAmount(asCents(2_550))).toEqual({ amountCents: 2_550, payableCents: 2_602, feeCents: 52 });
  for (const credits of [1, 10, 30, 90]) expect(quoteAmount(asCents(credits * 1_000))).toEqual(quoteCredits(credits));
});

describe('the custom amount field', () => {
  const read = (text: string) => z.safeParse(customCredits, text);
  test.each([
    ['10', 10],
    ['90', 90],
    ['-45', 45],
  ])('reads %s as %i credits', (text, credits) => expect(read(text).data).toBe(credits));
  test.each([
    ['', 'Please enter amount'],
    ['ten', 'Value must be a number'],
    ['0', 'Please enter valid amount'],
    ['12.5', 'Please enter valid amount'],
    ['9', CUSTOM_CREDITS_RULE],
    ['91', CUSTOM_CREDITS_RULE],
  ])('answers "%s" with "%s"', (text, message) => expect(read(text).error?.issues[0]?.message).toBe(message));
});
