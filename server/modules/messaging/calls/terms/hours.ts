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
 * Converts a local time to an instant. A local time that daylight saving time skips becomes the instant after the gap.
 */
function toInstant(timeZone: string, local: number): Date {
  const getOffsetMs = (at: number) => toLocalMs(timeZone, new Date(at)) - at;
  const first = local - getOffsetMs(local);
  const second = local - getOffsetMs(first);
  return new Date(toLocalMs(timeZone, new Date(second)) === local ? second : Math.max(first, second));
}

/** In minutes. */
export function getOffsetMinutes(timeZone: string, at: Date): number {
  return Math.round((toLocalMs(timeZone, at) - at.getTime()) / MINUTE_MS);
}

const toMinutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Returns true when no hours are set. */
export function isOpenAt(hours: Hours, timeZone: string, at: Date): boolean {
  if (hours.length === 0) return true;
  const local = new Date(toLocalMs(timeZone, at));
  const minute = local.getUTCHours() * 60 + local.getUTCMinutes();
  return hours.some(
    ({ day, from, to }) => day === local.getUTCDay() && toMinutes(from) <= minute && minute < toMinutes(to),
  );
}

export function findNextOpening(hours: Hours, timeZone: string, at: Date): Date | undefined {
  const midnight = Math.floor(toLocalMs(timeZone, at) / DAY_MS) * DAY_MS;
  const openings = Array.from({ length: 8 }, (_, days) => midnight + days * DAY_MS).flatMap((start) =>
    hours
      .filter(({ day }) => day === new Date(start).getUTCDay())
      .map(({ from }) => toInstant(timeZone, start + toMinutes(from) * MINUTE_MS)),
  );
  return openings.filter((opening) => opening > at).sort((a, b) => a.getTime() - b.getTime())[0];
}
