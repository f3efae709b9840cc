import { expect, test } from 'vitest';
import { findMissingFunds } from './low-funds.tsx';

test('a balance counts as low only after a first deposit', () => {
  expect(findMissingFunds({ deposit: 0, depositRevision: 0 }, 0, 3)).toBeUndefined();
  expect(findMissingFunds({ deposit: 0, depositRevision: 4 }, 0, 3)).toBe(3);
  expect(findMissingFunds({ deposit: 2.5, depositRevision: 4 }, 0, 3)).toBe(0.5);
  expect(findMissingFunds({ deposit: 3, depositRevision: 4 }, 0, 3)).toBeUndefined();
});

test('held money belongs to the balance, and what is missing is counted from the available money', () => {
  expect(findMissingFunds({ deposit: 0, depositRevision: 4 }, 10, 3)).toBeUndefined();
  expect(findMissingFunds({ deposit: 1, depositRevision: 4 }, 1.5, 3)).toBe(2);
});
