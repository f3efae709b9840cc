/**
 * Fields for times that are typed in local time. Both say in which time zone a time is read, and when it does not exist
 * or occurs twice because clocks change.
 */
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { type ComponentProps, useMemo, useState } from 'react';
import { type FieldTextProps, TextField } from './field.tsx';
import { useOwnZone } from './own-zone.ts';
import * as texts from './texts.ts';
import {
  findClockChange,
  formatAhead,
  formatZoned,
  formatZoneName,
  parseWallTime,
  toWallTime,
  type WallTime,
} from './zoned-time.ts';

const DAY_MS = 86_400_000;

const joinSentences = (...sentences: (string | undefined)[]) => sentences.filter(Boolean).join(' ');

/** `now` is in milliseconds. */
export function describeWallTime(wall: WallTime, zone: string, now: number, isUtcShown = false): string {
  const reading = parseWallTime(wall, zone);
  if (!reading) return formatText(texts.yourTimeZone, { zone: formatZoneName(zone) });
  const { instant, isSkipped, isAmbiguous } = reading;
  const sentence = formatText(isUtcShown ? texts.zonedTimeWithUtc : texts.zonedTime, {
    time: formatZoned(instant, zone),
    zone: formatZoneName(zone),
    utcTime: toWallTime(instant, 'UTC').replace('T', ' '),
    ahead: instant.getTime() > now ? `, ${formatAhead(now, instant.getTime())}` : '',
  });
  const change = isSkipped ? texts.skippedTimeHint : isAmbiguous ? texts.repeatedTimeHint : undefined;
  return joinSentences(sentence, change);
}

export type LocalTimeFieldProps = Pick<FieldTextProps, 'label' | 'error' | 'required' | 'className'> &
  Pick<ComponentProps<typeof TextField>, 'button'> & {
    /** In the user's own time zone. Empty if none is chosen. */
    value: WallTime;
    onChange: (wall: WallTime) => void;
    /** In milliseconds. */
    now: number;
    maxDays?: number | undefined;
    /** Shown while no time is chosen. */
    emptyHint?: string | undefined;
    isUtcShown?: boolean | undefined;
  };

/** A day and time. Parse its value by `parseWallTime(value, getOwnZone())`. */
export function LocalTimeField({
  value,
  onChange,
  now,
  maxDays,
  emptyHint,
  isUtcShown,
  ...field
}: LocalTimeFieldProps) {
  const zone = useOwnZone();
  const description = zone && describeWallTime(value, zone, now, isUtcShown);
  return (
    <TextField
      {...field}
      type="datetime-local"
      value={value}
      min={zone && toWallTime(new Date(now), zone)}
      max={zone && maxDays !== undefined ? toWallTime(new Date(now + maxDays * DAY_MS), zone) : undefined}
      onChange={(event) => onChange(event.currentTarget.value.slice(0, 16))}
      hint={joinSentences(value === '' ? emptyHint : undefined, description)}
    />
  );
}

/**
 * For a typed time of day that repeats: a note if it does not exist, or occurs twice, on one of its weekdays within a
 * year. `weekdays` are 0 (Sunday) to 6.
 */
export function ClockChangeNote({ time, weekdays, zone }: { time: string; weekdays: readonly number[]; zone: string }) {
  const isHydrated = useOwnZone() !== undefined;
  const [now] = useState(() => Date.now());
  const key = weekdays.join();
  const note = useMemo(() => {
    const change = isHydrated && findClockChange(time, key.split(',').map(Number), zone, now);
    if (!change) return undefined;
    const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(change.day));
    return formatText(change.kind === 'skipped' ? texts.skippedOnDay : texts.repeatedOnDay, {
      time,
      day: day.replace(',', ''),
    });
  }, [time, key, zone, now, isHydrated]);
  return (
    <p className={note && 'pt-1 text-small text-muted'} role="status">
      {note}
    </p>
  );
}
