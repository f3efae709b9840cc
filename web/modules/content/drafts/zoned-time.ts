import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import * as texts from './texts.ts';
/**
 * Converts between local times and instants across daylight saving changes. It uses Intl's time zone data, so that any
 * zone can be tested anywhere.
 */

/** "2026-03-29T02:30", the value of a datetime-local input. */
export type WallTime = string;

const HOUR_MS = 3_600_000;
const WALL_TIME_FORMAT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})$/;

export function getOwnZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function toWallTime(instant: Date, zone: string): WallTime {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  return `${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}`;
}

export type WallTimeReading = {
  instant: Date;
  /** The local time occurs twice because clocks go back. The first occurrence is used. */
  isAmbiguous: boolean;
  /** The local time does not exist because clocks go forward. The instant is later by the same amount. */
  isSkipped: boolean;
};

/** Converts a local time to an instant. Undefined for an invalid time. */
export function parseWallTime(wall: WallTime, zone: string): WallTimeReading | undefined {
  const match = WALL_TIME_FORMAT.exec(wall);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match.slice(1).map(Number);
  const asUtc = Date.UTC(year, month - 1, day, hour, minute);
  if (new Date(asUtc).toISOString().slice(0, 16) !== wall) return undefined;
  // All offsets of the zone within a day. No zone changes by more at once.
  const offsets = [-24, -6, 0, 6, 24].map((hours) => {
    const around = new Date(asUtc + hours * HOUR_MS);
    return Date.parse(`${toWallTime(around, zone)}:00Z`) - around.getTime();
  });
  const matches = [...new Set(offsets)]
    .map((offset) => new Date(asUtc - offset))
    .filter((instant) => toWallTime(instant, zone) === wall)
    .sort((a, b) => a.getTime() - b.getTime());
  const [first] = matches;
  if (first) return { instant: first, isAmbiguous: matches.length > 1, isSkipped: false };
  // The smaller offset is the one before the gap, so the time lands after the gap.
  return { instant: new Date(asUtc - Math.min(...offsets)), isAmbiguous: false, isSkipped: true };
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
