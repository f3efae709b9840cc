import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import * as texts from './texts.ts';
import { getTimeZone, getTimeZoneOffsetMs, UTC } from './time-zone.ts';

/**
 * Formats dates and durations. Instants are shown in the time zone of the reader (time-zone.ts), and in UTC to operators
 * and before it is known, which the text then names. Days such as `2026-11-21` are the same in every time zone.
 */

const DAY_MS = 86_400_000;
const CALENDAR_DAY_LENGTH = 10;
// A lookup table is faster than a formatter, because lists show many dates.
const WEEKDAYS = [
  texts.sunday,
  texts.monday,
  texts.tuesday,
  texts.wednesday,
  texts.thursday,
  texts.friday,
  texts.saturday,
];
const MONTHS = [
  texts.jan,
  texts.feb,
  texts.mar,
  texts.apr,
  texts.may,
  texts.jun,
  texts.jul,
  texts.aug,
  texts.sept,
  texts.oct,
  texts.nov,
  texts.dec,
];

/** Returns a date whose UTC fields are the reader's local ones. */
function toLocal(iso: string): Date {
  const at = new Date(iso);
  return iso.length === CALENDAR_DAY_LENGTH ? at : new Date(at.getTime() + getTimeZoneOffsetMs(at.getTime()));
}

/** Calendar days are compared with the day of `now` in UTC, in which they are defined. */
const toLocalNow = (now: string, iso: string): Date =>
  iso.length === CALENDAR_DAY_LENGTH ? new Date(now) : toLocal(now);

function formatDayMonth(date: Date): string {
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}

function formatDayMonthYear(date: Date): string {
  return `${formatDayMonth(date)} ${date.getUTCFullYear()}`;
}

function toDayNumber(date: Date): number {
  return Math.floor(date.getTime() / DAY_MS);
}

/** Returns text such as "12 Nov", with the year if it differs. */
export function formatShortDay(iso: string, now: string): string {
  const date = toLocal(iso);
  return date.getUTCFullYear() === toLocalNow(now, iso).getUTCFullYear()
    ? formatDayMonth(date)
    : formatDayMonthYear(date);
}

/**
 * Returns Today, Yesterday, Tomorrow, the weekday within the last week, else "12 Nov" with the year if it differs. `now`
 * is an ISO timestamp. A text about the future alone uses {@link formatFutureDay}.
 */
export function formatDay(iso: string, now: string): string {
  const date = toLocal(iso);
  const days = toDayNumber(toLocalNow(now, iso)) - toDayNumber(date);
  if (days === 0) return texts.today;
  if (days === 1) return texts.yesterday;
  if (days === -1) return texts.tomorrow;
  if (days > 1 && days < 7) return WEEKDAYS[date.getUTCDay()] ?? '';
  return formatShortDay(iso, now);
}

/**
 * Formats a future day: Today, Tomorrow, else "Sunday 23 Nov" with the year if it differs. `now` is an ISO timestamp.
 */
export function formatFutureDay(iso: string, now: string): string {
  const date = toLocal(iso);
  const days = toDayNumber(date) - toDayNumber(toLocalNow(now, iso));
  if (days === 0) return texts.today;
  if (days === 1) return texts.tomorrow;
  return `${WEEKDAYS[date.getUTCDay()]} ${formatShortDay(iso, now)}`;
}

/** Returns "21:14". */
export const formatTime = (iso: string): string => toLocal(iso).toISOString().slice(11, 16);

/** Returns the local day of an instant, to group by it. */
export const toDayKey = (iso: string): string => toLocal(iso).toISOString().slice(0, 10);

function formatWithTime(day: string, iso: string): string {
  return formatText(getTimeZone() === UTC ? texts.utcDayTime : texts.dayTime, { day, time: formatTime(iso) });
}

/** Returns "Today, 21:14" for lists, or "Today, 21:14 UTC". */
export function formatDayTime(iso: string, now: string): string {
  return formatWithTime(formatDay(iso, now), iso);
}

/** Converts a day for use within a sentence, such as "sent today". */
export const lowercaseDayWord = (day: string): string =>
  day.replace(/^(?:Today|Yesterday|Tomorrow)/, (word) => word.toLowerCase());

/** Returns "12 Nov 2026, 21:14" for receipts, or "12 Nov 2026, 21:14 UTC". */
export function formatExactTime(iso: string): string {
  return formatWithTime(formatDayMonthYear(toLocal(iso)), iso);
}

/**
 * Returns mm:ss, or hh:mm:ss from one hour (row C12). It rounds to the nearest second because the stated duration of a
 * video file is often a frame short.
 */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 60) % 60, whole % 60];
  if (whole >= 3600) parts.unshift(Math.floor(whole / 3600));
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** Returns the duration of a call, such as "1:34" or "1:02:09". File durations use {@link formatDuration}. */
export function formatCallDuration(seconds: number): string {
  return formatDuration(seconds).replace(/^0/, '');
}

/** Returns a playback position in the format of {@link formatDuration}. It is rounded down, except at the end. */
export function formatPosition(seconds: number, length: number): string {
  return formatDuration(seconds >= length - 0.05 ? length : Math.floor(seconds));
}

/** Returns text such as "1 photo" or "1,234 photos". */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
