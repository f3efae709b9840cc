import { expect, test } from 'vitest';
import { ACT_WORDS, clockOf } from './words.ts';

const NOW = '2026-11-23T10:00:00.000Z';
const clock = (dueAt: string, unit: 'hours' | 'businessDays' = 'hours', businessDaysLeft = 0) =>
  clockOf({ dueAt, unit, businessDaysLeft }, NOW);

test('the deadline text shows the remaining time or how long it is overdue', () => {
  expect(clock('2026-11-24T09:30:00.000Z')).toEqual({ lamp: 'on', words: '23 h left' });
  expect(clock('2026-11-23T16:00:00.000Z')).toEqual({ lamp: 'busy', words: '6 h left' });
  expect(clock('2026-11-23T10:20:00.000Z')).toEqual({ lamp: 'busy', words: 'Less than 1 h left' });
  expect(clock('2026-11-23T09:50:00.000Z')).toEqual({ lamp: 'danger', words: '1 h overdue' });
  expect(clock('2026-11-20T10:00:00.000Z')).toEqual({ lamp: 'danger', words: '3 days overdue' });
  expect(clock('2026-12-03T10:00:00.000Z', 'businessDays', 7)).toEqual({ lamp: 'on', words: '7 business days' });
  expect(clock('2026-11-24T10:00:00.000Z', 'businessDays', 1)).toEqual({ lamp: 'busy', words: '1 business day' });
  expect(clock('2026-11-23T12:00:00.000Z', 'businessDays', 0)).toEqual({ lamp: 'busy', words: 'Today' });
});

test('every action has its own shortcut letter, distinct from those for moving, assigning and showing', () => {
  const letters = Object.values(ACT_WORDS).map(({ letter }) => letter);
  expect(new Set(letters).size).toBe(letters.length);
  for (const taken of ['A', 'J', 'K', 'V', 'X']) expect(letters).not.toContain(taken);
});
