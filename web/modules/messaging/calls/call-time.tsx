import { useSyncExternalStore } from 'react';
import { formatShortDay } from '../../../platform/dates.ts';
import * as texts from './texts.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const subscribeNever = () => () => undefined;
const getLocalOffset = (at: string) => new Date(at).getTimezoneOffset();

/**
 * Formats "Today, 21:14", Yesterday, or else the short date (row E1).
 * @param at ISO time of the call.
 * @param now ISO time of now.
 * @param getOffset Minutes that the reader's clock is behind UTC at a given time.
 */
export function formatCallTime(at: string, now: string, getOffset = getLocalOffset): string {
  const toLocalIso = (iso: string) => new Date(Date.parse(iso) - getOffset(iso) * MINUTE_MS).toISOString();
  const [localTime, localNow] = [toLocalIso(at), toLocalIso(now)];
  const days = (Date.parse(localNow.slice(0, 10)) - Date.parse(localTime.slice(0, 10))) / DAY_MS;
  const day =
    days === 0 ? texts.today : days === 1 ? texts.yesterday : formatShortDay(localTime.slice(0, 10), localNow);
  return `${day}, ${localTime.slice(11, 16)}`;
}

/** The server does not know the reader's time zone, so the line keeps its height and shows the time after hydration. */
export function CallTime({ at, now }: { at: string; now: string }) {
  const isHydrated = useSyncExternalStore(
    subscribeNever,
    () => true,
    () => false,
  );
  return (
    <time dateTime={at} className={isHydrated ? undefined : 'invisible'}>
      {formatCallTime(at, now, isHydrated ? undefined : () => 0)}
    </time>
  );
}
