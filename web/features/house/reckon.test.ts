import { expect, test } from 'vitest';
import { reckon, USUAL } from './reckon.ts';

test('1,000 followers of whom 5 percent pay 10 dollars yield the expected sums', () => {
  const { sum } = reckon(USUAL);
  expect([sum?.fans, sum?.grossCents, sum?.leaves(10), sum?.leaves(20)]).toEqual([50, 50_000, 45_000, 40_000]);
});

test('the fee is rounded half up per sale, as the ledger does', () => {
  const { sum } = reckon({ followers: '1,000', share: '100', spend: '3.33' });
  // 10 % of 333 cents is 33.3, so 33 cents per sale and not 33,300 cents in total.
  expect(sum?.leaves(10)).toBe(1_000 * 300);
  expect(reckon({ followers: '100', share: '0,5', spend: '10' }).sum?.fans).toBe(0);
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
  expect(reckon({ ...USUAL, followers }).sum?.followers).toBe(1_234_000);
});

test('an amount may have a thousands separator', () => {
  expect(reckon({ ...USUAL, spend: '1 000' }).sum?.grossCents).toBe(50 * 100_000);
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
  expect(Object.keys(reckon({ ...USUAL, ...typed }).complaints ?? {})).toEqual([field]);
});
