/** A week's hours as people read them: days that are alike together, by the creator's own clocks. */
import type { CallTerms } from '@stagedoor/contract/calls.ts';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
/** Weeks are read from Monday on. */
const WEEK = [1, 2, 3, 4, 5, 6, 0] as const;

export type Opening = { days: string; times: string };

const daysWords = (run: readonly number[]): string => {
  const [first = 0] = run;
  const last = run.at(-1) ?? first;
  if (run.length === 7) return 'Every day';
  return `${DAYS[first]}${run.length > 2 ? `–${DAYS[last]}` : run.length === 2 ? `, ${DAYS[last]}` : ''}`;
};

/** `Mon–Fri`, `18:00–22:00`: one for each run of days with the same hours. */
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

/** `GMT`, `GMT+2`, `GMT+5:30`. */
export function clockWords(offset: number): string {
  if (offset === 0) return 'GMT';
  const minutes = Math.abs(offset) % 60;
  const more = minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`;
  return `GMT${offset < 0 ? '−' : '+'}${Math.floor(Math.abs(offset) / 60)}${more}`;
}

/** `Monday 18:00`, by the creator's own clocks: the same for everybody who looks. */
export function opensWordsThere(iso: string, offset: number): string {
  const there = new Date(new Date(iso).getTime() + offset * 60_000);
  return there.toLocaleString('en-GB', { weekday: 'long', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
}
