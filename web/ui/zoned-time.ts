/**
 * Converts between local times and instants across daylight saving changes. It uses Intl's time zone data, so that any
 * zone can be tested anywhere.
 */
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import * as texts from './texts.ts';

/** "2026-03-29T02:30", the value of a datetime-local input. */
export type WallTime = string;

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const WALL_TIME_FORMAT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})$/;

export const formatZoneName = (zone: string): string => zone.replaceAll('_', ' ');

const wallFormats = new Map<string, Intl.DateTimeFormat>();

function getWallFormat(zone: string): Intl.DateTimeFormat {
  const cached = wallFormats.get(zone);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  wallFormats.set(zone, format);
  return format;
}

export function toWallTime(instant: Date, zone: string): WallTime {
  const part = Object.fromEntries(
    getWallFormat(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  return `${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}`;
}

export type WallTimeReading = {
  instant: Date;
  /** The local time occurs twice because clocks go back. The first occurrence is used. */
  isAmbiguous: boolean;
  /** The local time does not exist because clocks go forward. The instant is later by the same amount. */
  isSkipped: boolean;
};

/** In milliseconds. */
function getOffsetMs(instant: Date, zone: string): number {
  return Date.parse(`${toWallTime(instant, zone)}:00Z`) - Math.floor(instant.getTime() / 60_000) * 60_000;
}

/** Converts a local time to an instant. Undefined for an invalid time. */
export function parseWallTime(wall: WallTime, zone: string): WallTimeReading | undefined {
  const match = WALL_TIME_FORMAT.exec(wall);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match.slice(1).map(Number);
  const asUtc = Date.UTC(year, month - 1, day, hour, minute);
  if (new Date(asUtc).toISOString().slice(0, 16) !== wall) return undefined;
  // All offsets of the zone within a day. No zone changes by more at once.
  const offsets = [-24, -6, 0, 6, 24].map((hours) => getOffsetMs(new Date(asUtc + hours * HOUR_MS), zone));
  const matches = [...new Set(offsets)]
    .map((offset) => new Date(asUtc - offset))
    .filter((instant) => toWallTime(instant, zone) === wall)
    .sort((a, b) => a.getTime() - b.getTime());
  const [first] = matches;
  if (first) return { instant: first, isAmbiguous: matches.length > 1, isSkipped: false };
  // The smaller offset is the one before the gap, so the time lands after the gap.
  return { instant: new Date(asUtc - Math.min(...offsets)), isAmbiguous: false, isSkipped: true };
}

/** The days, as "2027-03-14", on which the clocks of a zone change within a year. */
function listClockChangeDays(zone: string, nowMs: number): string[] {
  const start = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const days = new Set<string>();
  let lastOffset = getOffsetMs(new Date(start), zone);
  for (let at = start + DAY_MS; at <= start + 366 * DAY_MS; at += DAY_MS) {
    const offset = getOffsetMs(new Date(at), zone);
    if (offset !== lastOffset)
      for (const around of [at - DAY_MS, at]) days.add(toWallTime(new Date(around), zone).slice(0, 10));
    lastOffset = offset;
  }
  return [...days];
}

export type ClockChange = { day: string; kind: 'skipped' | 'repeated' };

/**
 * The next day within a year on which a time of day does not exist or occurs twice. `time` is "02:30", `weekdays` are
 * 0 (Sunday) to 6.
 */
export function findClockChange(
  time: string,
  weekdays: readonly number[],
  zone: string,
  nowMs: number,
): ClockChange | undefined {
  for (const day of listClockChangeDays(zone, nowMs)) {
    if (!weekdays.includes(new Date(`${day}T00:00:00Z`).getUTCDay())) continue;
    const reading = parseWallTime(`${day}T${time}`, zone);
    if (reading?.isSkipped) return { day, kind: 'skipped' };
    if (reading?.isAmbiguous) return { day, kind: 'repeated' };
  }
  return undefined;
}

export function formatZoned(instant: Date, zone: string): string {
  const day = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
  return `${day.format(instant).replace(',', '')}, ${time.format(instant)}`;
}

/** Formats "in 3 days" or "in 40 minutes", rounded down so that the time left is not overstated. */
export function formatAhead(fromMs: number, toMs: number): string {
  const minutes = Math.floor((toMs - fromMs) / 60_000);
  if (minutes < 1) return texts.inLessThanAMinute;
  if (minutes < 60) return minutes === 1 ? texts.inAMinute : formatText(texts.inMinutes, { minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return hours === 1 ? texts.inAnHour : formatText(texts.inHours, { hours });
  return formatText(texts.inDays, { days: Math.floor(hours / 24) });
}
