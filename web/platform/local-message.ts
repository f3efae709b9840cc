/** Shows the times in messages of the server in the time zone of the reader. */
import type { ErrorBody, UtcPeriod } from '@stagedoor/contract/shared/errors.ts';
import { replaceMinutes } from '@stagedoor/contract/shared/times.ts';
import { formatExactTime, formatFutureTime } from './dates.ts';

const DAYS_PER_WEEK = 7;

/** The first instant after the period in UTC that contains `now`. */
export function calculatePeriodEnd(period: UtcPeriod, now: Date): Date {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (period === 'month') return new Date(Date.UTC(year, month + 1, 1));
  const daysSinceMonday = (now.getUTCDay() + DAYS_PER_WEEK - 1) % DAYS_PER_WEEK;
  return new Date(Date.UTC(year, month, day + (period === 'day' ? 1 : DAYS_PER_WEEK - daysSinceMonday)));
}

export function localizeTimes(message: string): string {
  return replaceMinutes(message, formatExactTime);
}

export function localizeMessage({ message, localMessage }: ErrorBody, now = new Date()): string {
  if (!localMessage) return localizeTimes(message);
  const end = calculatePeriodEnd(localMessage.endOf, now).toISOString();
  return localMessage.text.replace('{time}', () => formatFutureTime(end, now.toISOString()));
}
