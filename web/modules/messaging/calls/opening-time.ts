import { formatTime, toDayKey } from '../../../platform/dates.ts';

const DAY_MS = 86_400_000;

export const countDays = (fromMs: number, toMs: number): number =>
  Math.floor(toMs / DAY_MS) - Math.floor(fromMs / DAY_MS);

/**
 * Formats "18:30" today, "Mon 18:30" within a week, else "7 Dec", because a week ahead the weekday is today's. The button
 * that shows it has no space for more. In the viewer's time zone. `now` is an ISO timestamp.
 */
export function formatOpening(iso: string, now: string): string {
  const day = new Date(toDayKey(iso));
  const days = countDays(Date.parse(toDayKey(now)), day.getTime());
  if (days === 0) return formatTime(iso);
  const format = (options: Intl.DateTimeFormatOptions) =>
    day.toLocaleDateString('en-GB', { ...options, timeZone: 'UTC' });
  return days < 7 ? `${format({ weekday: 'short' })} ${formatTime(iso)}` : format({ day: 'numeric', month: 'short' });
}
