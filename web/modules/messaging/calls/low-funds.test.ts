import { expect, test } from 'vitest';
import { isBalanceLow } from './low-funds.tsx';

test('a balance counts as low only after a first deposit', () => {
  expect(isBalanceLow({ deposit: 0, depositRevision: 0 }, 3)).toBe(false);
  expect(isBalanceLow({ deposit: 0, depositRevision: 4 }, 3)).toBe(true);
  expect(isBalanceLow({ deposit: 2.99, depositRevision: 4 }, 3)).toBe(true);
  expect(isBalanceLow({ deposit: 3, depositRevision: 4 }, 3)).toBe(false);
});
