import { expect, test } from 'vitest';
import { CASE_ACTION_TEXTS, formatDeadline } from './case-labels.ts';

const NOW = '2026-11-23T10:00:00.000Z';
const formatClock = (dueAt: string, unit: 'hours' | 'businessDays' = 'hours', businessDaysLeft = 0) =>
  formatDeadline({ dueAt, unit, businessDaysLeft }, NOW);

test('the deadline text shows the remaining time or how long it is overdue', () => {
  expect(formatClock('2026-11-24T09:30:00.000Z')).toEqual({ tone: 'on', label: '23 h left' });
  expect(formatClock('2026-11-23T16:00:00.000Z')).toEqual({ tone: 'busy', label: '6 h left' });
  expect(formatClock('2026-11-23T10:20:00.000Z')).toEqual({ tone: 'busy', label: 'Less than 1 h left' });
  expect(formatClock('2026-11-23T09:50:00.000Z')).toEqual({ tone: 'danger', label: '1 h overdue' });
  expect(formatClock('2026-11-20T10:00:00.000Z')).toEqual({ tone: 'danger', label: '3 days overdue' });
  expect(formatClock('2026-12-03T10:00:00.000Z', 'businessDays', 7)).toEqual({ tone: 'on', label: '7 business days' });
  expect(formatClock('2026-11-24T10:00:00.000Z', 'businessDays', 1)).toEqual({ tone: 'busy', label: '1 business day' });
  expect(formatClock('2026-11-23T12:00:00.000Z', 'businessDays', 0)).toEqual({ tone: 'busy', label: 'Today' });
});

test('every action has its own shortcut letter, distinct from those for moving, assigning and showing', () => {
  const letters = Object.values(CASE_ACTION_TEXTS).map(({ shortcut }) => shortcut);
  expect(new Set(letters).size).toBe(letters.length);
  for (const reserved of ['A', 'J', 'K', 'V', 'X']) expect(letters).not.toContain(reserved);
});
