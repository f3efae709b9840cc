/** Formats an instant in the user's time zone. The server does not know it, so UTC is shown until hydration. */
import { useSyncExternalStore } from 'react';
import { formatExact } from '../../kernel/dates.ts';
import { formatZoned, ownZone } from './zoned-time.ts';

const never = () => () => undefined;

export function LocalTime({ iso, format }: { iso: string; format?: (instant: Date, zone: string) => string }) {
  const isHere = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return <time dateTime={iso}>{isHere ? (format ?? formatZoned)(new Date(iso), ownZone()) : formatExact(iso)}</time>;
}

export function clockTime(instant: Date, zone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(instant);
}

export function shortTime(instant: Date, zone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).format(instant);
}
