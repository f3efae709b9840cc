/** Covers rows D2 and D3. */
import { expect, test } from 'vitest';
import {
  CUSTOM_PACK,
  type DepositDraft,
  depositHref,
  EMPTY_DRAFT,
  formatAddFundsRule,
  listPackages,
  normalizeDollars,
  parseTypedDollars,
  prefillDollars,
  toDepositChoice,
  UNKNOWN_LIMITS,
} from './deposit-amount.ts';

const credits = (text: string): DepositDraft => ({
  ...EMPTY_DRAFT,
  entry: 'credits',
  pack: CUSTOM_PACK,
  credits: text,
});
const dollars = (text: string): DepositDraft => ({ ...EMPTY_DRAFT, entry: 'dollars', dollars: text });
const LIMIT = UNKNOWN_LIMITS.addFunds;
const getChoice = (draft: DepositDraft) => toDepositChoice(draft, UNKNOWN_LIMITS);

test('packages cost $10.20 per credit and add $10.00', () => {
  expect(
    listPackages(UNKNOWN_LIMITS).map(({ credits: n, quote }) => [
      n,
      quote.amountCents,
      quote.feeCents,
      quote.payableCents,
    ]),
  ).toEqual([
    [30, 30_000, 600, 30_600],
    [60, 60_000, 1_200, 61_200],
    [90, 90_000, 1_800, 91_800],
  ]);
  expect(getChoice({ ...EMPTY_DRAFT, entry: 'credits' }).body).toEqual({ amount: 300, credits: 30 });
});

test("a package above the processor's limit is not offered and shows the reason", () => {
  const limits = { ...UNKNOWN_LIMITS, ceilingCents: 61_200 };
  expect(listPackages(limits).map(({ obstacle }) => obstacle)).toEqual([
    undefined,
    undefined,
    'Maximum per payment: $612.00',
  ]);
  expect(toDepositChoice({ ...EMPTY_DRAFT, entry: 'credits', pack: '90' }, limits).body).toBeUndefined();
  expect(toDepositChoice(dollars('900'), limits).error).toContain('$612.00');
});

test.each([
  ['', 'Please enter amount'],
  ['  ', 'Please enter amount'],
  ['ten', 'Value must be a number'],
  ['12.5', 'Please enter valid amount'],
  ['0', 'Please enter valid amount'],
  ['9', 'Amount must be between 10 to 90'],
  ['91', 'Amount must be between 10 to 90'],
])('%j credits are refused: %s', (text, error) =>
  expect(getChoice(credits(text))).toMatchObject({ error, body: undefined, quote: { payableCents: 0 } }),
);

test.each([
  ['10', 10],
  ['-30', 30],
  [' 90 ', 90],
])('%j is read as %d credits because the absolute value is used', (text, n) =>
  expect(getChoice(credits(text)).body).toEqual({ amount: n * 10, credits: n }),
);

test.each([
  ['', ''],
  ['abc', '0'],
  ['-25', '25'],
  ['-', ''],
  ['-2', '2'],
  ['02', '2'],
  ['0.5', '0.5'],
  ['٣٠', '30'],
  ['۱۲٫۵', '12.5'],
  ['12.', '12.'],
  ['12.345', '12.35'],
  ['1,5', '1,5'],
  ['1e3', '1e3'],
  ['1.5.0', '1.5.0'],
  ['1,500.00', '900'],
  ['9,999', '900'],
  ['9999', '900'],
  ['900.01', '900'],
  ['NaN', '0'],
])('the dollar field turns %j into %j', (text, expected) => expect(normalizeDollars(text, 900)).toBe(expected));

test.each([
  ['45.50', '45.5'],
  ['3.20', '10'],
  ['5000', '5000'],
  ['0', ''],
  ['<b>', ''],
  [null, ''],
])('a missing amount of %j prefills the dollar field with %j', (sum, expected) =>
  expect(prefillDollars(sum, LIMIT)).toBe(expected),
);

test.each([
  ['900', '900', undefined],
  ['900.01', '900', 'Maximum $900.00 per deposit.'],
  ['1,500.00', '900', 'Maximum $900.00 per deposit.'],
  ['1,500', '900', 'Maximum $900.00 per deposit.'],
  ['1e3', '1e3', 'Please enter valid amount'],
  ['१०', '10', undefined],
  ['12.345', '12.35', 'Rounded to $12.35.'],
  ['$25.999', '26', 'Rounded to $26.00.'],
  ['12.34', '12.34', undefined],
])('%j dollars become %j, and the change is explained', (text, dollars, entryNote) => {
  expect(parseTypedDollars(text, LIMIT)).toEqual({ dollars, entryNote });
});

test.each(['850', '1,500', '45.50', '1,5', '1e3', '８０'])('%j means the same typed as pasted', (text) => {
  const type = (typed: string) =>
    [...typed].reduce((before, character) => normalizeDollars(before + character, 900), '');
  expect(type(text)).toBe(normalizeDollars(text, 900));
});

test('an exponent is refused instead of read as another amount', () => {
  expect(getChoice(dollars('1e3'))).toMatchObject({ error: 'Please enter valid amount', body: undefined });
  expect(getChoice(credits('1e1'))).toMatchObject({ error: 'Value must be a number', body: undefined });
  expect(getChoice(credits('３０')).body).toEqual({ amount: 300, credits: 30 });
});

test('the same balance costs the same in credits and in dollars', () => {
  for (const n of [10, 30, 60, 90])
    expect(getChoice(dollars(String(n * 10))).quote).toEqual(getChoice(credits(String(n))).quote);
  expect(getChoice(dollars('900')).quote.payableCents).toBe(91_800);
});

test('a dollar deposit adds a two percent fee (gross-up), and an amount below the minimum is refused', () => {
  expect(getChoice(dollars('25'))).toMatchObject({
    error: undefined,
    body: { amount: 25 },
    quote: { amountCents: 2_500, feeCents: 51, payableCents: 2_551 },
  });
  expect(getChoice(dollars('9.99'))).toMatchObject({ error: formatAddFundsRule(LIMIT), body: undefined });
  expect(getChoice(dollars(''))).toMatchObject({
    error: 'Amount must be minimum 10 and maximum 900.',
    quote: { payableCents: 0 },
  });
  expect(getChoice(dollars('100000')).body).toEqual({ amount: 900 });
});

test("the operator's limits apply to the offered packages and to the messages", () => {
  const limits = { ...UNKNOWN_LIMITS, addFunds: { min: 20, max: 500 } };
  expect(listPackages(limits).map(({ obstacle }) => obstacle)).toEqual([
    undefined,
    'Maximum $500.00 per deposit',
    'Maximum $500.00 per deposit',
  ]);
  expect(toDepositChoice(credits('51'), limits)).toMatchObject({
    error: 'Maximum $500.00 per deposit',
    body: undefined,
  });
  expect(toDepositChoice(dollars('19.99'), limits).error).toBe('Amount must be minimum 20 and maximum 500.');
  expect(toDepositChoice(dollars('700'), limits).body).toEqual({ amount: 500 });
  expect(parseTypedDollars('700', limits.addFunds).entryNote).toBe('Maximum $500.00 per deposit.');
  expect(prefillDollars('3', limits.addFunds)).toBe('20');
});

test('a word that is typed letter by letter becomes 0', () => {
  const typed = [...'abc'].reduce((text, letter) => parseTypedDollars(text + letter, LIMIT).dollars, '');
  expect(typed).toBe('0');
  expect(parseTypedDollars(`${typed}5`, LIMIT).dollars).toBe('5');
});

test('a number of credits may have separators', () => {
  expect(getChoice(credits('1,000')).error).toBe('Amount must be between 10 to 90');
  expect(getChoice(credits('٣٠')).body).toEqual({ amount: 300, credits: 30 });
  expect(getChoice(credits('1e1')).error).toBe('Value must be a number');
});

test('the address of the payment step has the amount and the way back', () => {
  expect(depositHref({ amount: 45.5 }, '/profile/ana')).toBe(
    '/fan/wallet?add=1&dollars=45.5&chosen=1&next=%2Fprofile%2Fana',
  );
  expect(depositHref({ amount: 300, credits: 30 }, undefined)).toBe('/fan/wallet?add=credits&credits=30&chosen=1');
});
