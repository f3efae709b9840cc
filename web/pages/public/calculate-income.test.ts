import { expect, test } from 'vitest';
import { calculateIncome, DEFAULT_INPUTS } from './calculate-income.ts';

test('1,000 followers of whom 5 percent pay 10 dollars yield the expected sums', () => {
  const { income } = calculateIncome(DEFAULT_INPUTS);
  expect([income?.fans, income?.grossCents, income?.calculateNet(10), income?.calculateNet(20)]).toEqual([
    50, 50_000, 45_000, 40_000,
  ]);
});

test('the fee is rounded half up per sale, as the ledger does', () => {
  const { income } = calculateIncome({ followers: '1,000', share: '100', spend: '3.33' });
  // 10 % of 333 cents is 33.3, so 33 cents per sale and not 33,300 cents in total.
  expect(income?.calculateNet(10)).toBe(1_000 * 300);
  expect(calculateIncome({ followers: '100', share: '0,5', spend: '10' }).income?.fans).toBe(0);
});

test.each([
  '1,234,000',
  '1.234.000',
  '1 234 000',
  '1\u00a0234\u00a0000',
  '1\u202f234\u202f000',
  '1’234’000',
  ' 1234000 ',
])('%j is read as 1,234,000 followers', (followers) => {
  expect(calculateIncome({ ...DEFAULT_INPUTS, followers }).income?.followers).toBe(1_234_000);
});

test('an amount may have a thousands separator', () => {
  expect(calculateIncome({ ...DEFAULT_INPUTS, spend: '1 000' }).income?.grossCents).toBe(50 * 100_000);
});

test.each([
  [{ followers: '' }, 'followers'],
  [{ followers: '-3' }, 'followers'],
  [{ followers: '1e9' }, 'followers'],
  [{ followers: '1.5' }, 'followers'],
  [{ followers: '0,500' }, 'followers'],
  [{ followers: '10 00' }, 'followers'],
  [{ followers: '1,234.000' }, 'followers'],
  [{ followers: '1234.000' }, 'followers'],
  [{ followers: '99999999' }, 'followers'],
  [{ share: '0' }, 'share'],
  [{ share: '101' }, 'share'],
  [{ share: 'many' }, 'share'],
  [{ spend: '0.50' }, 'spend'],
  [{ spend: '10.001' }, 'spend'],
  [{ spend: 'NaN' }, 'spend'],
] as const)('%o is refused with a message next to its field', (typed, field) => {
  expect(Object.keys(calculateIncome({ ...DEFAULT_INPUTS, ...typed }).errors ?? {})).toEqual([field]);
});
