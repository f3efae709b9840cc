import { expect, test } from 'vitest';
import { clockWords, openings, opensWordsThere } from './hours.ts';

const on = (days: number[], from: string, to: string) => days.map((day) => ({ day, from, to }));

test('consecutive days with the same hours are grouped, starting on Monday', () => {
  expect(openings([])).toEqual([]);
  expect(openings([...on([0, 6], '10:00', '12:00'), ...on([1, 2, 3, 4, 5], '18:00', '22:00')])).toEqual([
    { days: 'Mon–Fri', times: '18:00–22:00' },
    { days: 'Sat, Sun', times: '10:00–12:00' },
  ]);
  expect(openings(on([0, 1, 2, 3, 4, 5, 6], '00:00', '24:00'))).toEqual([{ days: 'Every day', times: '00:00–24:00' }]);
  expect(openings([...on([3], '20:00', '21:00'), ...on([3], '08:00', '09:00'), ...on([5], '08:00', '09:00')])).toEqual([
    { days: 'Wed', times: '08:00–09:00, 20:00–21:00' },
    { days: 'Fri', times: '08:00–09:00' },
  ]);
});

test("the time zone and the next opening are formatted in the creator's time", () => {
  expect([0, 60, 330, -210].map(clockWords)).toEqual(['GMT', 'GMT+1', 'GMT+5:30', 'GMT−3:30']);
  expect(opensWordsThere('2026-01-05T23:30:00.000Z', 60)).toBe('Tuesday 00:30');
});
