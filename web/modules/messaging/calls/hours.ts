import type { CallTerms } from '@stagedoor/contract/messaging/calls.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { countDays } from './opening-time.ts';
import * as texts from './texts.ts';

const DAYS = [texts.sun, texts.mon, texts.tue, texts.wed, texts.thu, texts.fri, texts.sat] as const;
const WEEK_FROM_MONDAY = [1, 2, 3, 4, 5, 6, 0] as const;

export type OpeningHours = { days: string; times: string };

const formatDays = (run: readonly number[]): string => {
  const [first = 0] = run;
  const last = run.at(-1) ?? first;
  if (run.length === 7) return texts.everyDay;
  return `${DAYS[first]}${run.length > 2 ? `–${DAYS[last]}` : run.length === 2 ? `, ${DAYS[last]}` : ''}`;
};

export function groupOpeningHours(hours: CallTerms['hours']): OpeningHours[] {
  const runs: { days: number[]; times: string }[] = [];
  for (const day of WEEK_FROM_MONDAY) {
    const times = hours
      .filter((each) => each.day === day)
      .toSorted((one, other) => one.from.localeCompare(other.from))
      .map(({ from, to }) => `${from}–${to}`)
      .join(', ');
    const last = runs.at(-1);
    if (last?.times === times) last.days.push(day);
    else runs.push({ days: [day], times });
  }
  return runs.filter(({ times }) => times !== '').map(({ days, times }) => ({ days: formatDays(days), times }));
}

/** Formats an offset in minutes as `GMT`, `GMT+2` or `GMT+5:30`. */
export function formatGmtOffset(offset: number): string {
  if (offset === 0) return 'GMT';
  const minutes = Math.abs(offset) % 60;
  const minutesText = minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`;
  return `GMT${offset < 0 ? '−' : '+'}${Math.floor(Math.abs(offset) / 60)}${minutesText}`;
}

/**
 * Formats `Monday 18:00`, or `Monday 7 December 18:00` a week ahead, in the creator's time zone, so that every viewer sees
 * the same text. `now` is an ISO timestamp.
 */
export function formatCreatorOpening(iso: string, offset: number, now: string): string {
  const toLocal = (at: string) => new Date(Date.parse(at) + offset * 60_000);
  const local = toLocal(iso);
  const isWeekAhead = countDays(toLocal(now).getTime(), local.getTime()) >= 7;
  const format = (options: Intl.DateTimeFormatOptions) =>
    local.toLocaleString('en-GB', { ...options, timeZone: 'UTC' });
  const weekday = format({ weekday: 'long' });
  return formatText(texts.openingDayTime, {
    day: isWeekAhead ? `${weekday} ${format({ day: 'numeric', month: 'long' })}` : weekday,
    time: format({ hour: '2-digit', minute: '2-digit' }),
  });
}
