import { expect, test } from 'vitest';
import { getOwnZone } from '../../../../ui/own-zone.ts';
import { toWallTime } from '../../../../ui/zoned-time.ts';
import { parseSchedule } from './schedule.ts';
import { SEND_NOW } from './state.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const DAY_MS = 86_400_000;
const toLater = (ms: number) => ({ isLater: true, wall: toWallTime(new Date(ms), getOwnZone()) });

test('a closed field sends now', () => {
  expect(parseSchedule(SEND_NOW, NOW)).toEqual({ scheduledAt: undefined });
});

test('an open field needs a complete time in the future and within a year', () => {
  expect(parseSchedule({ isLater: true, wall: '' }, NOW)).toEqual({ error: 'Choose a date and time' });
  expect(parseSchedule(toLater(NOW - 60_000), NOW)).toEqual({ error: 'Choose a future time' });
  expect(parseSchedule(toLater(NOW + 60_000), NOW)).toEqual({ scheduledAt: '2026-06-01T12:01:00.000Z' });
  expect(parseSchedule(toLater(NOW + 366 * DAY_MS), NOW)).toEqual({ scheduledAt: '2027-06-02T12:00:00.000Z' });
  expect(parseSchedule(toLater(NOW + 367 * DAY_MS), NOW)).toEqual({ error: 'Choose a time within a year' });
});
