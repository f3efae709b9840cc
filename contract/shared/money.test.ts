import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  allocateCents,
  asCents,
  calculatePercent,
  calculatePercentChange,
  createUsdSchema,
  formatCents,
  grossUp,
  inputUsd,
  toCents,
  toUsd,
  usd,
} from './money.ts';
import { cleanNumber, formatUnderstoodUsd, parseUsd } from './money-input.ts';

const anyCents = fc.integer({ min: 0, max: 100_000_000 }).map(asCents);

test.each([
  ['12.5', 12.5],
  ['1,50', 1.5],
  ['$1,200.00', 1_200],
  ['1 200', 1_200],
  ['1\u202f200.50', 1_200.5],
  ['1,200 000', undefined],
  ['1\u00a0200\u00a0000', 1_200_000],
  ['1.200', undefined],
  ['12 00', undefined],
  ['1 2000', undefined],
  ['1 200 00', undefined],
  ['1200 000', undefined],
  ['1,500', 1_500],
  ['1,50', 1.5],
  ['0,500', undefined],
  ['1e3', undefined],
  ['-5', undefined],
  ['٣٠', 30],
  ['۱۲٫۵', 12.5],
  ['१२.५०', 12.5],
  ['๑๐', 10],
  ['１，５００．２５', 1_500.25],
  ['＄𝟗', 9],
  ['𝟙𝟟', 17],
  ['', undefined],
])('the typed amount %j is read as %j', (typed, sum) => {
  expect(parseUsd(typed)).toBe(sum);
});

test.each([
  ['1,500', '$1,500.00'],
  ['1,5', '$1.50'],
  ['٣٠', '$30.00'],
  ['12.5', undefined],
  ['1500', undefined],
  ['1e3', undefined],
])('a field with %j says that it understood %j', (typed, understood) => {
  expect(formatUnderstoodUsd(typed)).toBe(understood);
});

describe('cents', () => {
  test('convert to USD and back without loss', () => {
    fc.assert(fc.property(anyCents, (cents) => toCents(toUsd(cents)) === cents));
  });
  test.each([Number.NaN, Number.POSITIVE_INFINITY, 0.001, 12.345])('refuse %s as an amount in USD', (value) => {
    expect(() => toCents(value)).toThrow(RangeError);
  });
  test('refuse half a cent', () => {
    expect(() => asCents(0.5)).toThrow(RangeError);
  });
});

describe('allocate', () => {
  test('returns parts that sum to the total and differ from the exact share by less than a cent', () => {
    const shares = fc
      .array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 8 })
      .filter((list) => list.some((share) => share > 0));
    fc.assert(
      fc.property(anyCents, shares, (total, list) => {
        const parts = allocateCents(total, list);
        const sum = list.reduce((a, b) => a + b, 0);
        expect(parts.reduce((a, b) => a + b, 0)).toBe(total);
        parts.forEach((part, index) => {
          expect(Math.abs(part - (total * (list[index] ?? 0)) / sum)).toBeLessThan(1);
        });
      }),
    );
  });
  test('refuses empty, all-zero and negative shares', () => {
    expect(() => allocateCents(asCents(1), [])).toThrow(RangeError);
    expect(() => allocateCents(asCents(1), [0, 0])).toThrow(RangeError);
    expect(() => allocateCents(asCents(1), [-1, 2])).toThrow(RangeError);
  });
});

describe('percentages', () => {
  test.each([
    [2000, 20, 400],
    [755, 20, 151],
    [333, 10, 33],
    [335, 10, 34],
    [25, 10, 3],
  ])('of %i cents, %i %% is a fee of %i, rounded half up', (amount, percent, fee) => {
    expect(calculatePercent(asCents(amount), percent)).toBe(fee);
  });
  test('gross up an amount for the add-funds modal (row D7)', () => {
    expect(grossUp(asCents(1_000), 2)).toBe(1_020);
    expect(grossUp(asCents(10_000), 2)).toBe(10_204);
  });
  test('compute a percent change (row G1)', () => {
    expect(calculatePercentChange(0, 5)).toBe(100);
    expect(calculatePercentChange(0, 0)).toBe(0);
    expect(calculatePercentChange(80, 100)).toBe(25);
    expect(calculatePercentChange(3, 2)).toBe(-33.33);
  });
});

describe('formatting and parsing', () => {
  test('formats amounts with separators, sign and a real minus', () => {
    expect(formatCents(120_450)).toBe('$1,204.50');
    expect(formatCents(-1_240)).toBe('−$12.40');
    expect(formatCents(2_500, { sign: true })).toBe('+$25.00');
  });
  test.each([
    ['$1,204.506', 1204.51],
    ['', 0],
    ['abc', 0],
    ['-12', 12],
  ])('cleans %s to %d', (text, value) => {
    expect(cleanNumber(text)).toBe(value);
  });
});

describe('amounts on the wire', () => {
  test.each([12.345, Number.NaN, -1, '5', null])('refuse %s', (value) => {
    expect(z.safeParse(usd, value).success).toBe(false);
    expect(z.safeParse(inputUsd, value).success).toBe(false);
  });
  test('may be larger in responses than in requests', () => {
    for (const sum of [1_000_000.01, 123_456_789.01, 1e12]) {
      expect([sum, z.safeParse(usd, sum).success]).toEqual([sum, true]);
      expect([sum, z.safeParse(inputUsd, sum).success]).toEqual([sum, false]);
    }
    expect(z.safeParse(inputUsd, 1_000_000).success).toBe(true);
  });
  test('convert to the same cents even when they are very large', () => {
    for (let cents = 7; cents < 9e15; cents = cents * 3 + 1) expect(toCents(toUsd(cents))).toBe(cents);
  });
  test('have inclusive limits that the error message names', () => {
    const tip = createUsdSchema(100, 20_000);
    expect(z.safeParse(tip, 1).success).toBe(true);
    expect(z.safeParse(tip, 200).success).toBe(true);
    expect(z.safeParse(tip, 200.01).error?.issues[0]?.message).toBe('Amount must be between $1.00 and $200.00');
  });
});
