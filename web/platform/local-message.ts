/** Shows the times in messages of the server in the time zone of the reader. */
import type { ErrorBody, UtcPeriod } from '@stagedoor/contract/shared/errors.ts';
import { replaceMinutes } from '@stagedoor/contract/shared/times.ts';
import { formatDayTime, formatExactTime } from './dates.ts';

/** Whether a day in UTC is the first of a period. Weeks begin on Monday. */
function isFirstDay(period: UtcPeriod, date: Date): boolean {
  return period === 'day' || (period === 'week' ? date.getUTCDay() : date.getUTCDate()) === 1;
}

/** The first instant after the period in UTC that contains `now`. */
export function calculatePeriodEnd(period: UtcPeriod, now: Date): Date {
  const end = new Date(now);
  do end.setUTCHours(24, 0, 0, 0);
  while (!isFirstDay(period, end));
  return end;
}

export function localizeTimes(message: string): string {
  return replaceMinutes(message, formatExactTime);
}

export function localizeMessage({ message, localMessage }: ErrorBody, now = new Date()): string {
  if (!localMessage) return localizeTimes(message);
  const end = calculatePeriodEnd(localMessage.endOf, now).toISOString();
  return localMessage.text.replace('{time}', () => formatDayTime(end, now.toISOString()));
}
