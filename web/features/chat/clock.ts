/**
 * Times in the reader's time zone. The server does not know it, so a page is rendered with hidden UTC times and shows
 * local times after hydration.
 */
import { useSyncExternalStore } from 'react';

const never = () => () => undefined;
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

export function useZone(): string | undefined {
  return useSyncExternalStore<string | undefined>(never, ownZone, () => undefined);
}

type Formats = {
  time: Intl.DateTimeFormat;
  day: Intl.DateTimeFormat;
  weekday: Intl.DateTimeFormat;
  short: Intl.DateTimeFormat;
  long: Intl.DateTimeFormat;
};
const made = new Map<string, Formats>();

function formatsOf(timeZone: string): Formats {
  const known = made.get(timeZone);
  if (known) return known;
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
  const formats = {
    time: format({ hour: '2-digit', minute: '2-digit' }),
    day: format({ year: 'numeric', month: '2-digit', day: '2-digit' }),
    weekday: format({ weekday: 'short' }),
    short: format({ day: 'numeric', month: 'short' }),
    long: format({ day: 'numeric', month: 'short', year: 'numeric' }),
  };
  made.set(timeZone, formats);
  return formats;
}

export function timeOf(iso: string, zone = 'UTC'): string {
  return formatsOf(zone).time.format(new Date(iso));
}

export function dayKey(iso: string, zone = 'UTC'): string {
  return formatsOf(zone).day.format(new Date(iso));
}

const DAY_MS = 86_400_000;

function daysBetween(iso: string, now: string, zone: string): number {
  const noon = (at: string) => Date.parse(`${dayKey(at, zone).split('/').reverse().join('-')}T12:00:00Z`);
  return Math.round((noon(now) - noon(iso)) / DAY_MS);
}

function shortDate(iso: string, now: string, zone: string): string {
  const formats = formatsOf(zone);
  const year = (at: string) => dayKey(at, zone).slice(-4);
  return (year(iso) === year(now) ? formats.short : formats.long).format(new Date(iso));
}

/** Formats Today, Yesterday, or else the short date (row E1). */
export function dayLabel(iso: string, now: string, zone = 'UTC'): string {
  const days = daysBetween(iso, now, zone);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return shortDate(iso, now, zone);
}

/** For lists: the time today, the weekday within a week, or else the short date. */
export function whenOf(iso: string, now: string, zone = 'UTC'): string {
  const days = daysBetween(iso, now, zone);
  if (days <= 0) return timeOf(iso, zone);
  if (days === 1) return 'Yesterday';
  return days < 7 ? formatsOf(zone).weekday.format(new Date(iso)) : shortDate(iso, now, zone);
}

function everyMinute(change: () => void): () => void {
  const timer = setInterval(change, 60_000);
  return () => clearInterval(timer);
}
const thisMinute = () => new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString();

export function useNow(rendered: string): string {
  return useSyncExternalStore(everyMinute, thisMinute, () => rendered);
}
