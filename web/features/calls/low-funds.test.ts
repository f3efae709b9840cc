/** When a fan's head says that the balance is low. */
import { expect, test } from 'vitest';
import { isLow } from './low-funds.tsx';

test('a balance is low once something was paid in, and not from the first minute on', () => {
  expect(isLow({ deposit: 0, depositRevision: 0 }, 3)).toBe(false);
  expect(isLow({ deposit: 0, depositRevision: 4 }, 3)).toBe(true);
  expect(isLow({ deposit: 2.99, depositRevision: 4 }, 3)).toBe(true);
  expect(isLow({ deposit: 3, depositRevision: 4 }, 3)).toBe(false);
});
