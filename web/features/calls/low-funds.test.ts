import { expect, test } from 'vitest';
import { isLow } from './low-funds.tsx';

test('a balance counts as low only after a first deposit', () => {
  expect(isLow({ deposit: 0, depositRevision: 0 }, 3)).toBe(false);
  expect(isLow({ deposit: 0, depositRevision: 4 }, 3)).toBe(true);
  expect(isLow({ deposit: 2.99, depositRevision: 4 }, 3)).toBe(true);
  expect(isLow({ deposit: 3, depositRevision: 4 }, 3)).toBe(false);
});
