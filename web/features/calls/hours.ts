import type { CallTerms } from '@stagedoor/contract/calls.ts';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const WEEK = [1, 2, 3, 4, 5, 6, 0] as const;

export type Opening = { days: string; times: string };

const daysWords = (run: readonly number[]): string => {
  const [first = 0] = run;
  const last = run.at(-1) ?? first;
  if (run.length === 7) return 'Every day';
  return `${DAYS[first]}${run.length > 2 ? `–${DAYS[last]}` : run.length === 2 ? `, ${DAYS[last]}` : ''}`;
};

export function openings(hours: CallTerms['hours']): Opening[] {
  const runs: { days: number[]; times: string }[] = [];
  for (const day of WEEK) {
    const times = hours
      .filter((each) => each.day === day)
      .toSorted((one, other) => one.from.localeCompare(other.from))
      .map(({ from, to }) => `${from}–${to}`)
      .join(', ');
    const last = runs.at(-1);
    if (last?.times === times) last.days.push(day);
    else runs.push({ days: [day], times });
  }
  return runs.filter(({ times }) => times !== '').map(({ days, times }) => ({ days: daysWords(days), times }));
}

/** Formats an offset in minutes as `GMT`, `GMT+2` or `GMT+5:30`. */
export function clockWords(offset: number): string {
  if (offset === 0) return 'GMT';
  const minutes = Math.abs(offset) % 60;
  const more = minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`;
  return `GMT${offset < 0 ? '−' : '+'}${Math.floor(Math.abs(offset) / 60)}${more}`;
}

/** Formats `Monday 18:00` in the creator's time zone, so that every viewer sees the same text. */
export function opensWordsThere(iso: string, offset: number): string {
  const there = new Date(new Date(iso).getTime() + offset * 60_000);
  return there.toLocaleString('en-GB', { weekday: 'long', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
}
