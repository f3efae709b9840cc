import { expect, test } from 'vitest';
import { formatCreatorOpening, formatGmtOffset, groupOpeningHours } from './hours.ts';

const createHours = (days: number[], from: string, to: string) => days.map((day) => ({ day, from, to }));

test('consecutive days with the same hours are grouped, starting on Monday', () => {
  expect(groupOpeningHours([])).toEqual([]);
  expect(
    groupOpeningHours([...createHours([0, 6], '10:00', '12:00'), ...createHours([1, 2, 3, 4, 5], '18:00', '22:00')]),
  ).toEqual([
    { days: 'Mon–Fri', times: '18:00–22:00' },
    { days: 'Sat, Sun', times: '10:00–12:00' },
  ]);
  expect(groupOpeningHours(createHours([0, 1, 2, 3, 4, 5, 6], '00:00', '24:00'))).toEqual([
    { days: 'Every day', times: '00:00–24:00' },
  ]);
  expect(
    groupOpeningHours([
      ...createHours([3], '20:00', '21:00'),
      ...createHours([3], '08:00', '09:00'),
      ...createHours([5], '08:00', '09:00'),
    ]),
  ).toEqual([
    { days: 'Wed', times: '08:00–09:00, 20:00–21:00' },
    { days: 'Fri', times: '08:00–09:00' },
  ]);
});

test("the time zone and the next opening are formatted in the creator's time", () => {
  expect([0, 60, 330, -210].map(formatGmtOffset)).toEqual(['GMT', 'GMT+1', 'GMT+5:30', 'GMT−3:30']);
  expect(formatCreatorOpening('2026-01-05T23:30:00.000Z', 60)).toBe('Tuesday 00:30');
});
