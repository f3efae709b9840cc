import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import * as texts from './texts.ts';

/** Formats dates and durations. Server and browser both use UTC, so that hydration matches. */

const DAY_MS = 86_400_000;
const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
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
  const date = new Date(iso);
  return date.getUTCFullYear() === new Date(now).getUTCFullYear() ? formatDayMonth(date) : formatDayMonthYear(date);
}

/**
 * Returns Today, Yesterday, Tomorrow, the weekday within the last week, else "12 Nov" with the year if it differs. `now`
 * is an ISO timestamp. A text about the future alone uses {@link formatFutureDay}.
 */
export function formatDay(iso: string, now: string): string {
  const date = new Date(iso);
  const today = new Date(now);
  const days = toDayNumber(today) - toDayNumber(date);
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
  const [date, today] = [new Date(iso), new Date(now)];
  const days = toDayNumber(date) - toDayNumber(today);
  if (days === 0) return texts.today;
  if (days === 1) return texts.tomorrow;
  return `${WEEKDAYS[date.getUTCDay()]} ${formatShortDay(iso, now)}`;
}

/** Returns "Today, 21:14 UTC" for lists. Conversations use the viewer's own time zone (docs/adr/0010). */
export function formatDayTime(iso: string, now: string): string {
  return formatText(texts.utcDayTime, { day: formatDay(iso, now), time: timeFormat.format(new Date(iso)) });
}

/** Converts a day for use within a sentence, such as "sent today". */
export const lowercaseDayWord = (day: string): string =>
  day.replace(/^(?:Today|Yesterday|Tomorrow)/, (word) => word.toLowerCase());

/** Returns "12 Nov 2026, 21:14 UTC" for receipts. */
export function formatExactTime(iso: string): string {
  const date = new Date(iso);
  return formatText(texts.utcDayTime, { day: formatDayMonthYear(date), time: timeFormat.format(date) });
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
