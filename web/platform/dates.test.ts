import { afterAll, describe, expect, test } from 'vitest';
import { formatBytes } from './bytes.ts';
import {
  formatCallDuration,
  formatCount,
  formatDay,
  formatDayTime,
  formatDuration,
  formatExactTime,
  formatFutureDay,
  formatPosition,
  formatTime,
  lowercaseDayWord,
  toDayKey,
} from './dates.ts';
import { parseTimeZone, setRequestZone } from './time-zone.ts';

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

describe('in the time zone of the reader', () => {
  const setZone = (zone: string) => setRequestZone(() => zone);
  afterAll(() => setZone('UTC'));

  test('days and times are local and name no zone', () => {
    setZone('America/New_York');
    expect(formatDay('2026-11-21T03:00:00.000Z', now)).toBe('Yesterday');
    expect(formatDayTime('2026-11-21T03:00:00.000Z', now)).toBe('Yesterday, 22:00');
    expect(formatExactTime('2026-07-01T03:00:00.000Z')).toBe('30 Jun 2026, 23:00');
    expect(toDayKey('2026-11-21T03:00:00.000Z')).toBe('2026-11-20');
    setZone('Asia/Kolkata');
    expect(formatTime('2026-11-20T21:14:00.000Z')).toBe('02:44');
    expect(formatDay('2026-11-20T21:14:00.000Z', now)).toBe('Today');
    const evening = '2026-11-20T20:00:00.000Z';
    expect(formatDay(evening, evening)).toBe('Today');
    expect(formatFutureDay('2026-11-21T20:00:00.000Z', evening)).toBe('Tomorrow');
    expect(formatTime('2026-11-21T03:00:00.000Z')).toBe('08:30');
  });

  test('the clock changes with daylight saving', () => {
    setZone('Europe/Lisbon');
    expect(['2026-03-29T00:59:00.000Z', '2026-03-29T01:00:00.000Z'].map(formatTime)).toEqual(['00:59', '02:00']);
  });

  test('calendar days stay the same', () => {
    for (const zone of ['Pacific/Honolulu', 'Pacific/Kiritimati']) {
      setZone(zone);
      expect(formatDay('2026-11-12', now)).toBe('12 Nov');
      expect(formatFutureDay('2026-11-22', now)).toBe('Tomorrow');
    }
  });

  test('an unknown zone is UTC, which the text names', () => {
    expect(['Mars/Base', '', 'x'.repeat(100), undefined].map(parseTimeZone)).toEqual(['UTC', 'UTC', 'UTC', 'UTC']);
    setZone(parseTimeZone('Mars/Base'));
    expect(formatDayTime('2026-11-20T21:14:00.000Z', now)).toBe('Yesterday, 21:14 UTC');
  });
});

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
