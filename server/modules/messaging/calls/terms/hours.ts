import type { CallSettings } from '@stagedoor/contract/messaging/calls.ts';

type Hours = CallSettings['hours'];
const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

const formats = new Map<string, Intl.DateTimeFormat>();
function getFormat(timeZone: string): Intl.DateTimeFormat {
  const cached = formats.get(timeZone);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  formats.set(timeZone, format);
  return format;
}

/** The local time in a time zone, in milliseconds as if it were UTC. */
function toLocalMs(timeZone: string, at: Date): number {
  const part = Object.fromEntries(
    getFormat(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/**
 * Converts a local time to an instant. A local time that daylight saving time skips is moved by the skipped time, as for
 * posts. Of one that occurs twice, the first is used.
 */
function toInstant(timeZone: string, local: number): number {
  const offsets = [-DAY_MS, DAY_MS].map((distance) => {
    const at = local + distance;
    return toLocalMs(timeZone, new Date(at)) - at;
  });
  const instants = offsets.map((offset) => local - offset);
  const matches = instants.filter((instant) => toLocalMs(timeZone, new Date(instant)) === local);
  return matches.length > 0 ? Math.min(...matches) : Math.max(...instants);
}

/** In minutes. */
export function getOffsetMinutes(timeZone: string, at: Date): number {
  return Math.round((toLocalMs(timeZone, at) - at.getTime()) / MINUTE_MS);
}

const toMinutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

type OpenPeriod = { opensAt: number; closesAt: number };

/** The open periods of local days, counted from the day of `at`. Hours of which a clock change leaves nothing have none. */
function listOpenPeriods(hours: Hours, timeZone: string, at: Date, days: readonly number[]): OpenPeriod[] {
  const midnight = Math.floor(toLocalMs(timeZone, at) / DAY_MS) * DAY_MS;
  return days
    .map((day) => midnight + day * DAY_MS)
    .flatMap((start) =>
      hours
        .filter(({ day }) => day === new Date(start).getUTCDay())
        .map(({ from, to }) => ({
          opensAt: toInstant(timeZone, start + toMinutes(from) * MINUTE_MS),
          closesAt: toInstant(timeZone, start + toMinutes(to) * MINUTE_MS),
        })),
    )
    .filter(({ opensAt, closesAt }) => opensAt < closesAt);
}

/** A clock change can move the end of a day's hours into the next day. */
const DAYS_OPEN_NOW = [-1, 0];
const DAYS_AHEAD = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];

/** Returns true when no hours are set. */
export function isOpenAt(hours: Hours, timeZone: string, at: Date): boolean {
  if (hours.length === 0) return true;
  return listOpenPeriods(hours, timeZone, at, DAYS_OPEN_NOW).some(
    ({ opensAt, closesAt }) => opensAt <= at.getTime() && at.getTime() < closesAt,
  );
}

/** Undefined when no hours are set. */
export function findNextOpening(hours: Hours, timeZone: string, at: Date): Date | undefined {
  const openings = listOpenPeriods(hours, timeZone, at, DAYS_AHEAD)
    .map(({ opensAt }) => opensAt)
    .filter((opensAt) => opensAt > at.getTime());
  return openings.length === 0 ? undefined : new Date(Math.min(...openings));
}
