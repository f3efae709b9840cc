import { expect, test } from 'vitest';
import { setRequestZone } from '../../../platform/time-zone.ts';
import { formatCreatorOpening, formatGmtOffset, groupOpeningHours } from './hours.ts';
import { formatOpening } from './opening-time.ts';

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
  expect(formatCreatorOpening('2026-01-05T23:30:00.000Z', 60, '2026-01-05T12:00:00.000Z')).toBe('Tuesday 00:30');
});

test('an opening a week ahead is named by its date, because its weekday is today’s', () => {
  setRequestZone(() => 'Europe/Berlin');
  // This is a Monday, and in Berlin the next day begins at 23:00 UTC.
  const format = (iso: string) => formatOpening(iso, '2026-01-05T20:00:00.000Z');
  expect(format('2026-01-05T21:30:00.000Z')).toBe('22:30');
  expect(format('2026-01-05T23:30:00.000Z')).toBe('Tue 00:30');
  expect(format('2026-01-11T19:00:00.000Z')).toBe('Sun 20:00');
  expect(format('2026-01-12T18:00:00.000Z')).toBe('12 Jan');
  setRequestZone(() => undefined);
  const formatForAll = (iso: string) => formatCreatorOpening(iso, 60, '2026-01-05T20:00:00.000Z');
  expect(formatForAll('2026-01-11T19:00:00.000Z')).toBe('Sunday 20:00');
  expect(formatForAll('2026-01-12T18:00:00.000Z')).toBe('Monday 12 January 19:00');
});
