/** Formats an instant in the user's time zone. The server does not know it, so UTC is shown until hydration. */

import { useSyncExternalStore } from 'react';
import { formatExactTime } from '../../../platform/dates.ts';
import { getOwnZone } from '../../../ui/own-zone.ts';
import { subscribeToNothing } from '../../../ui/subscribe-to-nothing.ts';
import { formatZoned } from '../../../ui/zoned-time.ts';

export function LocalTime({ iso, format }: { iso: string; format?: (instant: Date, zone: string) => string }) {
  const isHydrated = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
  return (
    <time dateTime={iso}>
      {isHydrated ? (format ?? formatZoned)(new Date(iso), getOwnZone()) : formatExactTime(iso)}
    </time>
  );
}

export function formatZonedClock(instant: Date, zone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(instant);
}

/** Formats "Mon 30 Nov, 10:00", with the year if it is not the current one. */
export function formatShortTime(instant: Date, zone: string, now = new Date()): string {
  return formatShort(instant, zone, now, {});
}

/** Formats "Mon 29 Nov 2027, 10:00 CET", with the year if it is not the current one. */
export function formatScheduledTime(instant: Date, zone: string, now = new Date()): string {
  return formatShort(instant, zone, now, { timeZoneName: 'short' });
}

function formatShort(instant: Date, zone: string, now: Date, options: Intl.DateTimeFormatOptions): string {
  const format = (parts: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...parts });
  const { format: formatYear } = format({ year: 'numeric' });
  const day = format({
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(formatYear(instant) !== formatYear(now) && { year: 'numeric' }),
  });
  const time = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...options });
  return `${day.format(instant).replace(',', '')}, ${time.format(instant)}`;
}
