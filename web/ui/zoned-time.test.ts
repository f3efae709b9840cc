import { describe, expect, test } from 'vitest';
import { describeWallTime } from './local-time-field.tsx';
import { findClockChange, formatAhead, formatZoned, parseWallTime, toWallTime } from './zoned-time.ts';

describe('zoned times', () => {
  const BERLIN = 'Europe/Berlin';
  test.each([
    ['2026-07-01T12:00', BERLIN, '2026-07-01T10:00:00.000Z', false, false],
    ['2026-12-01T12:00', BERLIN, '2026-12-01T11:00:00.000Z', false, false],
    ['2026-03-29T02:30', BERLIN, '2026-03-29T01:30:00.000Z', false, true],
    ['2026-10-25T02:30', BERLIN, '2026-10-25T00:30:00.000Z', true, false],
    ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z', false, true],
    ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z', true, false],
    ['2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z', false, true],
    ['2026-06-01T00:00', 'Asia/Kolkata', '2026-05-31T18:30:00.000Z', false, false],
    ['2026-06-01T00:00', 'Pacific/Kiritimati', '2026-05-31T10:00:00.000Z', false, false],
  ])('converts %s in %s to an instant', (wall, zone, instant, isAmbiguous, isSkipped) => {
    expect(parseWallTime(wall, zone)).toEqual({ instant: new Date(instant), isAmbiguous, isSkipped });
    if (!isSkipped) expect(toWallTime(new Date(instant), zone)).toBe(wall);
  });

  test.each(['', '2026-02-30T10:00', '2026-13-01T10:00', 'soon', '2026-01-01'])('rejects %j', (wall) =>
    expect(parseWallTime(wall, BERLIN)).toBeUndefined(),
  );

  test('formats full dates and relative times', () => {
    expect(formatZoned(new Date('2026-03-29T01:30:00Z'), BERLIN)).toBe('Sunday 29 March 2026, 03:30 CEST');
    expect(formatAhead(0, 3 * 86_400_000 + 5)).toBe('in 3 days');
    expect(formatAhead(0, 59_000)).toBe('in less than a minute');
    expect(formatAhead(0, 90 * 60_000)).toBe('in an hour');
  });

  test.each([
    ['02:30', [0], 'America/New_York', { day: '2027-03-14', kind: 'skipped' }],
    ['01:30', [0], 'America/New_York', { day: '2027-11-07', kind: 'repeated' }],
    ['02:30', [1, 2, 3, 4, 5, 6], 'America/New_York', undefined],
    ['03:00', [0], 'America/New_York', undefined],
    ['00:30', [0, 1, 2, 3, 4, 5, 6], 'America/Santiago', { day: '2027-09-05', kind: 'skipped' }],
    ['02:30', [0], 'Asia/Kolkata', undefined],
  ])('finds when %s on the weekdays %j in %s does not exist or occurs twice', (time, weekdays, zone, change) =>
    expect(findClockChange(time, weekdays, zone, Date.parse('2026-11-30T12:00:00Z'))).toEqual(change),
  );

  test('describes a typed time with its zone, its UTC time for operators, and its fault', () => {
    const now = Date.parse('2027-03-13T12:00:00Z');
    expect(describeWallTime('2027-03-14T02:30', 'America/New_York', now)).toBe(
      'Sunday 14 March 2027, 03:30 GMT-4 (America/New York), in 19 hours. This time doesn’t exist because of daylight saving time.',
    );
    expect(describeWallTime('2026-10-25T02:30', BERLIN, now, true)).toBe(
      'Sunday 25 October 2026, 02:30 CEST (Europe/Berlin), 2026-10-25 00:30 UTC. This time occurs twice because of daylight saving time. We’ll use the first.',
    );
    expect(describeWallTime('', BERLIN, now)).toBe('Your time zone is Europe/Berlin.');
  });
});
