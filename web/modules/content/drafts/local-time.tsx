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

export function formatShortTime(instant: Date, zone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).format(instant);
}
