import { useSyncExternalStore } from 'react';
import { formatShortDay } from '../../kernel/dates.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const never = () => () => undefined;
const offsetHere = (at: string) => new Date(at).getTimezoneOffset();

/**
 * Formats "Today, 21:14", Yesterday, or else the short date (row E1).
 * @param at ISO time of the call.
 * @param now ISO time of now.
 * @param offsetOf Minutes that the reader's clock is behind UTC at a given time.
 */
export function dayTimeOf(at: string, now: string, offsetOf = offsetHere): string {
  const own = (iso: string) => new Date(Date.parse(iso) - offsetOf(iso) * MINUTE_MS).toISOString();
  const [then, here] = [own(at), own(now)];
  const days = (Date.parse(here.slice(0, 10)) - Date.parse(then.slice(0, 10))) / DAY_MS;
  const day = days === 0 ? 'Today' : days === 1 ? 'Yesterday' : formatShortDay(then, here);
  return `${day}, ${then.slice(11, 16)}`;
}

/** The server does not know the reader's time zone, so the line keeps its height and shows the time after hydration. */
export function OwnTime({ at, now }: { at: string; now: string }) {
  const isAlive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return (
    <time dateTime={at} className={isAlive ? undefined : 'invisible'}>
      {dayTimeOf(at, now, isAlive ? undefined : () => 0)}
    </time>
  );
}
