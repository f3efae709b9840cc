/**
 * Call hours as a creator edits them. Hours that end after midnight are one row here, and two in the settings: until the
 * end of the day, and from the beginning of the next one.
 */
import type { CallSettings } from '@stagedoor/contract/messaging/calls.ts';
import * as texts from './texts.ts';

export type CallHours = CallSettings['hours'][number];
export type HoursError = { day: number; message: string };

const DAYS_PER_WEEK = 7;
const [DAY_START, DAY_END] = ['00:00', '24:00'];

export const getNextDay = (day: number): number => (day + 1) % DAYS_PER_WEEK;

export function isPastMidnight({ from, to }: CallHours): boolean {
  return from !== '' && to !== '' && to < from;
}

function splitRow(row: CallHours): CallHours[] {
  if (!isPastMidnight(row)) return [row];
  return [
    { ...row, to: DAY_END },
    { day: getNextDay(row.day), from: DAY_START, to: row.to },
  ];
}

export function splitHours(hours: readonly CallHours[]): CallHours[] {
  return hours.flatMap(splitRow);
}

/** Joins hours until the end of a day with those of the next morning, unless they last a whole day together. */
export function joinHours(hours: readonly CallHours[]): CallHours[] {
  const joined = new Set<CallHours>();
  const rows = hours.map((row) => {
    if (row.to !== DAY_END || row.from === DAY_START) return row;
    const morning = hours.find(
      (each) =>
        each.day === getNextDay(row.day) && each.from === DAY_START && each.to < row.from && each.to !== DAY_END,
    );
    if (!morning) return row;
    joined.add(morning);
    return { row, to: morning.to };
  });
  return rows.flatMap((each) => {
    if ('row' in each) return [{ ...each.row, to: each.to }];
    return joined.has(each) ? [] : [each];
  });
}

export function findHoursError(hours: readonly CallHours[]): HoursError | undefined {
  const wrong = hours.find(({ from, to }) => from === '' || to === '' || from === to);
  if (wrong)
    return {
      day: wrong.day,
      message: wrong.from === wrong.to && wrong.from !== '' ? texts.sameTimeError : texts.missingTimeError,
    };
  const parts = hours.flatMap((row) => splitRow(row).map((part) => ({ ...part, rowDay: row.day })));
  const overlapping = parts.find((one, index) =>
    parts.some((two, other) => other < index && two.day === one.day && one.from < two.to && two.from < one.to),
  );
  return overlapping && { day: overlapping.rowDay, message: texts.overlappingHoursError };
}
