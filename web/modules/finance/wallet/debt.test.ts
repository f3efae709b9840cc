import { expect, test } from 'vitest';
import { formatDebtToast } from './debt-listener.ts';
import { formatDebtMessage, formatDebtTitle } from './debt-notice.tsx';
import { formatDebtShare } from './debt-share.tsx';
import { prefillDollars, UNKNOWN_LIMITS } from './deposit-amount.ts';

const LIMIT = UNKNOWN_LIMITS.addFunds;

test.each([
  [0, null, undefined, ''],
  [45, 'debt', 'Outstanding balance: $45.00. Spending is paused', 'You can spend again once it’s paid off.'],
  [45, 'operator', 'Outstanding balance: $45.00. Spending is paused', 'Contact support.'],
  [45, null, 'Outstanding balance: $45.00', 'Funds you add pay this off first.'],
  [0, 'operator', 'Spending is paused', 'Contact support.'],
] as const)('the notice for a debt of %d, blocked by %s', (owed, blocked, title, expected) => {
  const debt = { owed, blocked, parts: [] };
  expect(formatDebtTitle(debt)).toBe(title);
  if (title !== undefined) expect(formatDebtMessage(debt)).toContain(expected);
});

test.each([
  [30_000, 0, undefined],
  [0, 4_500, undefined],
  [30_000, 4_500, '$45.00 pays off what you owe; $255.00 is added to your balance.'],
  [4_500, 4_500, '$45.00 pays off what you owe; you won’t owe anything.'],
  [1_000, 4_500, 'All of it pays toward the $45.00 you owe.'],
])('the note for a deposit of %d cents with a debt of %d cents is: %s', (amount, owed, expected) => {
  expect(formatDebtShare(amount, owed)).toBe(expected);
});

test('the suggested deposit covers the missing amount and the debt, which is settled first', () => {
  expect(prefillDollars('12.50', LIMIT, 45)).toBe('57.5');
  expect(prefillDollars(null, LIMIT, 45)).toBe('45');
  expect(prefillDollars(null, LIMIT, 0)).toBe('');
});

test('each kind of change has its own sentence', () => {
  const base = { amount: 45, owed: 0, isBlocked: false };
  const changes = ['owed', 'repaid', 'writtenOff', 'won', 'notWon', 'blocked', 'unblocked'] as const;
  const texts = changes.map((change) => formatDebtToast({ ...base, change }));
  expect(new Set(texts).size).toBe(changes.length);
  expect(formatDebtToast({ ...base, change: 'repaid', owed: 5, isBlocked: true })).toContain('$5.00 left');
  expect(formatDebtToast({ ...base, change: 'repaid', isBlocked: true })).not.toContain('can spend');
});
