import { expect, test } from 'vitest';
import { changeWords } from './debt-live.ts';
import { debtTitle, debtWords } from './debt-notice.tsx';
import { shareWords } from './debt-share.tsx';
import { dollarsFor, UNKNOWN_LIMITS } from './deposit-amount.ts';

const LIMIT = UNKNOWN_LIMITS.addFunds;

test.each([
  [0, null, undefined, ''],
  [45, 'debt', 'Outstanding balance: $45.00. Spending is paused', 'You can spend again once it’s paid off.'],
  [45, 'person', 'Outstanding balance: $45.00. Spending is paused', 'Contact support.'],
  [45, null, 'Outstanding balance: $45.00', 'Funds you add pay this off first.'],
  [0, 'person', 'Spending is paused', 'Contact support.'],
] as const)('the notice for a debt of %d, blocked by %s', (owed, blocked, title, words) => {
  const debt = { owed, blocked, parts: [] };
  expect(debtTitle(debt)).toBe(title);
  if (title !== undefined) expect(debtWords(debt)).toContain(words);
});

test.each([
  [30_000, 0, undefined],
  [0, 4_500, undefined],
  [30_000, 4_500, '$45.00 pays off what you owe; $255.00 is added to your balance.'],
  [4_500, 4_500, '$45.00 pays off what you owe; you won’t owe anything.'],
  [1_000, 4_500, 'All of it pays toward the $45.00 you owe.'],
])('the note for a deposit of %d cents with a debt of %d cents is: %s', (amount, owed, words) => {
  expect(shareWords(amount, owed)).toBe(words);
});

test('the suggested deposit covers the missing amount and the debt, which is settled first', () => {
  expect(dollarsFor('12.50', LIMIT, 45)).toBe('57.5');
  expect(dollarsFor(null, LIMIT, 45)).toBe('45');
  expect(dollarsFor(null, LIMIT, 0)).toBe('');
});

test('each kind of change has its own sentence', () => {
  const told = { amount: 45, owed: 0, isBlocked: false };
  const changes = ['owed', 'workedOff', 'writtenOff', 'won', 'notWon', 'blocked', 'unblocked'] as const;
  const words = changes.map((change) => changeWords({ ...told, change }));
  expect(new Set(words).size).toBe(changes.length);
  expect(changeWords({ ...told, change: 'workedOff', owed: 5, isBlocked: true })).toContain('$5.00 left');
  expect(changeWords({ ...told, change: 'workedOff', isBlocked: true })).not.toContain('can spend');
});
