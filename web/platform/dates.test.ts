import { expect, test } from 'vitest';
import { formatBytes } from './bytes.ts';
import {
  formatCallDuration,
  formatCount,
  formatDay,
  formatDayTime,
  formatDuration,
  formatPosition,
  lowercaseDayWord,
} from './dates.ts';

const now = '2026-11-21T10:00:00.000Z';

test.each([
  ['2026-11-21T00:00:00.000Z', 'Today'],
  ['2026-11-20T23:59:59.000Z', 'Yesterday'],
  ['2026-11-18T12:00:00.000Z', 'Wednesday'],
  ['2026-11-12T12:00:00.000Z', '12 Nov'],
  ['2025-11-12T12:00:00.000Z', '12 Nov 2025'],
  ['2026-11-22T00:00:00.000Z', 'Tomorrow'],
  ['2026-11-23T12:00:00.000Z', '23 Nov'],
  ['2027-11-21T10:00:00.000Z', '21 Nov 2027'],
])('the day of %s is shown as %s', (iso, label) => expect(formatDay(iso, now)).toBe(label));

test('a time in a list includes its time zone', () =>
  expect(formatDayTime('2026-11-20T21:14:00.000Z', now)).toBe('Yesterday, 21:14 UTC'));

test('the labels of near days are lowercase within a sentence', () =>
  expect(['Today', 'Yesterday, 21:14 UTC', 'Tomorrow', 'Sunday'].map(lowercaseDayWord)).toEqual([
    ...['today', 'yesterday, 21:14 UTC', 'tomorrow', 'Sunday'],
  ]));

test.each([
  [0, '00:00'],
  [65.2, '01:05'],
  [75, '01:15'],
  [74.976, '01:15'],
  [3599, '59:59'],
  [3599.7, '01:00:00'],
  [3600, '01:00:00'],
  [36_061, '10:01:01'],
])('%d s reads %s (row C12)', (seconds, text) => expect(formatDuration(seconds)).toBe(text));

test.each([
  [0.9, '00:00'],
  [65.9, '01:05'],
  [74.9, '01:14'],
  [74.976, '01:15'],
])('the position %d s of 74.976 s reads %s', (seconds, text) => expect(formatPosition(seconds, 74.976)).toBe(text));

test('sizes and counts are formatted with units and thousands separators', () => {
  expect(formatBytes(999)).toBe('999 B');
  expect(formatBytes(2_430_000)).toBe('2.4 MB');
  expect(formatCount(1, 'photo')).toBe('1 photo');
  expect(formatCount(1234, 'photo')).toBe('1,234 photos');
});

test('call durations are formatted without a leading zero', () => {
  expect([0, 9, 94, 612, 3_729].map(formatCallDuration)).toEqual(['0:00', '0:09', '1:34', '10:12', '1:02:09']);
});
