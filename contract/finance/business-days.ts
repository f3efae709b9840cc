/**
 * Business days in UTC, without weekends and US federal holidays, because most deadlines come from US card schemes and
 * laws.
 */

const SUNDAY = 0;
const MONDAY = 1;
const THURSDAY = 4;
const SATURDAY = 6;
const DAY_MS = 24 * 60 * 60_000;

/** A date, moved to the nearest weekday, or the nth weekday of a month. A negative `nth` counts from the end. */
type Holiday =
  | { readonly name: string; readonly month: number; readonly day: number }
  | { readonly name: string; readonly month: number; readonly weekday: number; readonly nth: number };

/** Source: 5 U.S.C. 6103(a). Months start at 1. */
export const HOLIDAYS: readonly Holiday[] = [
  { name: 'New Year’s Day', month: 1, day: 1 },
  { name: 'Birthday of Martin Luther King, Jr.', month: 1, weekday: MONDAY, nth: 3 },
  { name: 'Washington’s Birthday', month: 2, weekday: MONDAY, nth: 3 },
  { name: 'Memorial Day', month: 5, weekday: MONDAY, nth: -1 },
  { name: 'Juneteenth', month: 6, day: 19 },
  { name: 'Independence Day', month: 7, day: 4 },
  { name: 'Labor Day', month: 9, weekday: MONDAY, nth: 1 },
  { name: 'Columbus Day', month: 10, weekday: MONDAY, nth: 2 },
  { name: 'Veterans Day', month: 11, day: 11 },
  { name: 'Thanksgiving Day', month: 11, weekday: THURSDAY, nth: 4 },
  { name: 'Christmas Day', month: 12, day: 25 },
];

function getObservedDay(holiday: Holiday, year: number): Date {
  if ('day' in holiday) {
    const day = new Date(Date.UTC(year, holiday.month - 1, holiday.day));
    if (day.getUTCDay() === SATURDAY) return new Date(day.getTime() - DAY_MS);
    return day.getUTCDay() === SUNDAY ? new Date(day.getTime() + DAY_MS) : day;
  }
  const { month, weekday, nth } = holiday;
  const edge = nth > 0 ? new Date(Date.UTC(year, month - 1, 1)) : new Date(Date.UTC(year, month, 0));
  const offset = nth > 0 ? (weekday - edge.getUTCDay() + 7) % 7 : -((edge.getUTCDay() - weekday + 7) % 7);
  return new Date(edge.getTime() + (offset + 7 * (nth > 0 ? nth - 1 : nth + 1)) * DAY_MS);
}

const holidaysByYear = new Map<number, ReadonlySet<string>>();
const toIsoDay = (at: Date) => at.toISOString().slice(0, 10);

/** New Year's Day of the next year may be observed on the last day of this one. */
export function getHolidays(year: number): ReadonlySet<string> {
  const cached = holidaysByYear.get(year);
  if (cached) return cached;
  const all = [year, year + 1].flatMap((each) => HOLIDAYS.map((holiday) => toIsoDay(getObservedDay(holiday, each))));
  const days = new Set(all.filter((day) => day.startsWith(String(year))));
  holidaysByYear.set(year, days);
  return days;
}

export function isBusinessDay(at: Date): boolean {
  const weekday = at.getUTCDay();
  return weekday !== SUNDAY && weekday !== SATURDAY && !getHolidays(at.getUTCFullYear()).has(toIsoDay(at));
}

export function addBusinessDays(from: Date, days: number): Date {
  const day = new Date(from);
  for (let remaining = days; remaining > 0; ) {
    day.setUTCDate(day.getUTCDate() + 1);
    if (isBusinessDay(day)) remaining -= 1;
  }
  return day;
}

/** Counts days that start after `from` and not after `until`. */
export function countBusinessDays(from: Date, until: Date): number {
  let count = 0;
  for (const day = new Date(from); ; ) {
    day.setUTCDate(day.getUTCDate() + 1);
    if (day > until) return count;
    if (isBusinessDay(day)) count += 1;
  }
}
