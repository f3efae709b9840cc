import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { DRAFT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { useEffect, useState } from 'react';
import { Segmented } from '../../../ui/choice.tsx';
import { TextField } from '../../../ui/field.tsx';
import * as texts from './texts.ts';
import { formatAhead, formatZoned, getOwnZone, parseWallTime, toWallTime } from './zoned-time.ts';

const DAY_MS = 86_400_000;
const TICK_MS = 10_000;

/** The current time in milliseconds, updated every few seconds while `isTicking`. */
export function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isTicking) return;
    const tick = () => setNow(Date.now());
    const [first, timer] = [setTimeout(tick), setInterval(tick, TICK_MS)];
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [isTicking]);
  return now;
}

export type PostSchedule = { isLater: boolean; wall: string };

function proposeTime(now: number, zone: string): string {
  return `${toWallTime(new Date(now + 90 * 60_000), zone).slice(0, 13)}:00`;
}

export function toSchedule(scheduledAt: string | null): PostSchedule {
  return scheduledAt === null
    ? { isLater: false, wall: '' }
    : { isLater: true, wall: toWallTime(new Date(scheduledAt), getOwnZone()) };
}

export function parsePostSchedule(
  { isLater, wall }: PostSchedule,
  nowMs: number,
): { at: string | null; error: string | undefined } {
  if (!isLater) return { at: null, error: undefined };
  const reading = parseWallTime(wall, getOwnZone());
  if (!reading) return { at: null, error: texts.chooseADateAndTime };
  const ahead = reading.instant.getTime() - nowMs;
  if (ahead <= 0) return { at: null, error: texts.chooseAFutureTime };
  if (ahead > DRAFT_LIMITS.scheduleDays * DAY_MS) return { at: null, error: texts.chooseTimeWithinAYear };
  return { at: reading.instant.toISOString(), error: undefined };
}

function TimeExplanation({ wall, now }: { wall: string; now: number }) {
  const zone = getOwnZone();
  const reading = parseWallTime(wall, zone);
  if (!reading) return formatText(texts.yourTimeZone, { zone: zone.replaceAll('_', ' ') });
  const { instant, isSkipped, isAmbiguous } = reading;
  const ahead = instant.getTime() > now ? `, ${formatAhead(now, instant.getTime())}` : '';
  return (
    <>
      {formatZoned(instant, zone)} ({zone.replaceAll('_', ' ')}){ahead}.{isSkipped && texts.skippedTimeHint}
      {isAmbiguous && texts.repeatedTimeHint}
    </>
  );
}

export type ScheduleFieldProps = {
  value: PostSchedule;
  onChange: (schedule: PostSchedule) => void;
  isSubmitted: boolean;
  now: number;
};

export function ScheduleField({ value, onChange, isSubmitted, now }: ScheduleFieldProps) {
  const { error } = parsePostSchedule(value, now);
  const isShown = value.wall !== '' || isSubmitted;
  return (
    <>
      <Segmented
        name="when"
        label={texts.whenToPublish}
        value={value.isLater ? 'later' : 'now'}
        onValueChange={(choice) =>
          onChange(
            choice === 'later'
              ? { isLater: true, wall: value.wall || proposeTime(Date.now(), getOwnZone()) }
              : { ...value, isLater: false },
          )
        }
        options={[
          { value: 'now', label: texts.publishNow },
          { value: 'later', label: texts.schedule },
        ]}
      />
      {value.isLater && (
        <TextField
          label={texts.dateAndTime}
          type="datetime-local"
          value={value.wall}
          min={toWallTime(new Date(now), getOwnZone())}
          max={toWallTime(new Date(now + DRAFT_LIMITS.scheduleDays * DAY_MS), getOwnZone())}
          onChange={(event) => onChange({ isLater: true, wall: event.currentTarget.value.slice(0, 16) })}
          hint={<TimeExplanation wall={value.wall} now={now} />}
          error={isShown ? error : undefined}
        />
      )}
    </>
  );
}
