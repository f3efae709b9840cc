/**
 * Times in the reader's time zone. The server does not know it, so a page is rendered with hidden UTC times and shows
 * local times after hydration.
 */
import { useSyncExternalStore } from 'react';
import * as texts from './texts.ts';

type Formats = {
  time: Intl.DateTimeFormat;
  zonedTime: Intl.DateTimeFormat;
  day: Intl.DateTimeFormat;
  weekday: Intl.DateTimeFormat;
  short: Intl.DateTimeFormat;
  long: Intl.DateTimeFormat;
};
const formatsByZone = new Map<string, Formats>();

function getFormats(timeZone: string): Formats {
  const cached = formatsByZone.get(timeZone);
  if (cached) return cached;
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
  const formats = {
    time: format({ hour: '2-digit', minute: '2-digit' }),
    zonedTime: format({ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' }),
    day: format({ year: 'numeric', month: '2-digit', day: '2-digit' }),
    weekday: format({ weekday: 'short' }),
    short: format({ day: 'numeric', month: 'short' }),
    long: format({ day: 'numeric', month: 'short', year: 'numeric' }),
  };
  formatsByZone.set(timeZone, formats);
  return formats;
}

export function formatClockTime(iso: string, zone = 'UTC'): string {
  return getFormats(zone).time.format(new Date(iso));
}

export function toDayKey(iso: string, zone = 'UTC'): string {
  return getFormats(zone).day.format(new Date(iso));
}

const DAY_MS = 86_400_000;

function countDaysBetween(iso: string, now: string, zone: string): number {
  const toNoonMs = (at: string) => Date.parse(`${toDayKey(at, zone).split('/').reverse().join('-')}T12:00:00Z`);
  return Math.round((toNoonMs(now) - toNoonMs(iso)) / DAY_MS);
}

function formatShortDate(iso: string, now: string, zone: string): string {
  const formats = getFormats(zone);
  const getYear = (at: string) => toDayKey(at, zone).slice(-4);
  return (getYear(iso) === getYear(now) ? formats.short : formats.long).format(new Date(iso));
}

/** Formats Today, Yesterday, or else the short date (row E1). */
export function formatDayLabel(iso: string, now: string, zone = 'UTC'): string {
  const days = countDaysBetween(iso, now, zone);
  if (days === 0) return texts.today;
  if (days === 1) return texts.yesterday;
  return formatShortDate(iso, now, zone);
}

/** For lists: the time today, the weekday within a week, or else the short date. */
export function formatListTime(iso: string, now: string, zone = 'UTC'): string {
  const days = countDaysBetween(iso, now, zone);
  if (days === 0) return formatClockTime(iso, zone);
  if (days === 1) return texts.yesterday;
  return days > 1 && days < 7 ? getFormats(zone).weekday.format(new Date(iso)) : formatShortDate(iso, now, zone);
}

/** For future times: "Today, 13:00 CET", "Tomorrow, 13:00 CET", or else "Sun 14 Mar 2027, 13:00 CET". */
export function formatScheduledTime(iso: string, now: string, zone = 'UTC'): string {
  const days = countDaysBetween(iso, now, zone);
  const formats = getFormats(zone);
  const day =
    days === 0
      ? texts.today
      : days === -1
        ? texts.tomorrow
        : `${formats.weekday.format(new Date(iso))} ${formatShortDate(iso, now, zone)}`;
  return `${day}, ${formats.zonedTime.format(new Date(iso))}`;
}

function subscribeToMinute(change: () => void): () => void {
  const timer = setInterval(change, 60_000);
  return () => clearInterval(timer);
}
const getMinute = () => new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString();

export function useCurrentMinute(rendered: string): string {
  return useSyncExternalStore(subscribeToMinute, getMinute, () => rendered);
}
