import { expect, test } from 'vitest';
import { addBusinessDays, countBusinessDays, getHolidays, isBusinessDay } from './business-days.ts';

test('holidays match the official calendar', () => {
  // As published by the Office of Personnel Management.
  expect([...getHolidays(2026)].sort()).toEqual([
    '2026-01-01',
    '2026-01-19',
    '2026-02-16',
    '2026-05-25',
    '2026-06-19',
    '2026-07-03',
    '2026-09-07',
    '2026-10-12',
    '2026-11-11',
    '2026-11-26',
    '2026-12-25',
  ]);
  // New Year's Day of 2028 is a Saturday and is observed on the last day of 2027.
  expect(getHolidays(2027).has('2027-12-31')).toBe(true);
  expect(getHolidays(2028).has('2028-01-01')).toBe(false);
});

test('counting forward and back skips weekends and holidays', () => {
  const from = new Date('2026-11-24T15:00:00Z');
  // Thursday the 26th is Thanksgiving.
  expect(addBusinessDays(from, 1).toISOString()).toBe('2026-11-25T15:00:00.000Z');
  expect(addBusinessDays(from, 2).toISOString()).toBe('2026-11-27T15:00:00.000Z');
  expect(addBusinessDays(from, 7).toISOString()).toBe('2026-12-04T15:00:00.000Z');
  for (let days = 0; days < 300; days += 1) {
    const due = addBusinessDays(from, days);
    expect(countBusinessDays(from, due)).toBe(days);
    if (days > 0) expect(isBusinessDay(due)).toBe(true);
  }
  expect(countBusinessDays(new Date('2026-12-05T00:00:00Z'), from)).toBe(0);
});
