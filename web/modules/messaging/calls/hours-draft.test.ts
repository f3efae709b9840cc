import { callSettings } from '@stagedoor/contract/messaging/calls.ts';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type CallHours, findHoursError, isPastMidnight, joinHours, splitHours } from './hours-draft.ts';

const late: CallHours = { day: 6, from: '22:00', to: '02:00' };
const evening: CallHours = { day: 6, from: '22:00', to: '24:00' };
const morning: CallHours = { day: 0, from: '00:00', to: '02:00' };

test('hours past midnight are saved as two rows that the server accepts, and edited as one', () => {
  expect(isPastMidnight(late)).toBe(true);
  expect(splitHours([late])).toEqual([evening, morning]);
  expect(z.safeParse(callSettings.shape.hours, splitHours([late])).success).toBe(true);
  expect(joinHours([morning, evening])).toEqual([late]);
});

test.each([
  [
    [
      { ...evening, from: '00:00' },
      { ...morning, to: '24:00' },
    ],
  ],
  [[evening, { ...morning, from: '01:00' }]],
  [[evening, { ...morning, to: '22:00' }]],
  [[evening, { ...morning, day: 1 }]],
])('other rows stay as they are: %o', (hours) => {
  expect(joinHours(hours)).toEqual(hours);
  expect(splitHours(hours)).toEqual(hours);
});

test('an error names the day of its row, also when hours overlap after midnight', () => {
  const findDay = (...hours: CallHours[]) => findHoursError(hours)?.day;
  expect(findHoursError([late])).toBeUndefined();
  expect(findDay(late, { day: 0, from: '01:00', to: '03:00' })).toBe(0);
  expect(findDay({ day: 0, from: '01:00', to: '03:00' }, late)).toBe(6);
  expect(findHoursError([late, { day: 0, from: '02:00', to: '03:00' }])).toBeUndefined();
  expect(findHoursError([{ day: 3, from: '10:00', to: '10:00' }])).toEqual({
    day: 3,
    message: 'Start and end are the same time',
  });
  expect(findHoursError([{ day: 3, from: '', to: '10:00' }])?.message).toBe('Enter a start and an end time');
});
