import { DRAFTS } from '@stagedoor/contract/atoms/room-limits.ts';
import { useEffect, useState } from 'react';
import { Segmented } from '../../ui/choice.tsx';
import { TextField } from '../../ui/field.tsx';
import { formatAhead, formatZoned, ownZone, readWallTime, wallTimeAt } from './zoned-time.ts';

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

export type When = { isLater: boolean; wall: string };

function proposal(now: number, zone: string): string {
  return `${wallTimeAt(new Date(now + 90 * 60_000), zone).slice(0, 13)}:00`;
}

export function whenOf(scheduledAt: string | null): When {
  return scheduledAt === null
    ? { isLater: false, wall: '' }
    : { isLater: true, wall: wallTimeAt(new Date(scheduledAt), ownZone()) };
}

export function readWhen({ isLater, wall }: When, nowMs: number): { at: string | null; complaint: string | undefined } {
  if (!isLater) return { at: null, complaint: undefined };
  const reading = readWallTime(wall, ownZone());
  if (!reading) return { at: null, complaint: 'Choose a date and time' };
  const ahead = reading.instant.getTime() - nowMs;
  if (ahead <= 0) return { at: null, complaint: 'Choose a time in the future.' };
  if (ahead > DRAFTS.scheduleDays * DAY_MS) return { at: null, complaint: 'Choose a time within a year.' };
  return { at: reading.instant.toISOString(), complaint: undefined };
}

function Meaning({ wall, now }: { wall: string; now: number }) {
  const zone = ownZone();
  const reading = readWallTime(wall, zone);
  if (!reading) return `Your time zone is ${zone.replaceAll('_', ' ')}.`;
  const { instant, isSkipped, isTwice } = reading;
  const ahead = instant.getTime() > now ? `, ${formatAhead(now, instant.getTime())}` : '';
  return (
    <>
      {formatZoned(instant, zone)} ({zone.replaceAll('_', ' ')}){ahead}.
      {isSkipped && ' This time doesn’t exist because of daylight saving time.'}
      {isTwice && ' This time occurs twice because of daylight saving time. We’ll use the first.'}
    </>
  );
}

export type WhenFieldProps = {
  value: When;
  onChange: (when: When) => void;
  isTried: boolean;
  now: number;
};

export function WhenField({ value, onChange, isTried, now }: WhenFieldProps) {
  const { complaint } = readWhen(value, now);
  const isShown = value.wall !== '' || isTried;
  return (
    <>
      <Segmented
        name="when"
        label="When to publish"
        value={value.isLater ? 'later' : 'now'}
        onValueChange={(choice) =>
          onChange(
            choice === 'later'
              ? { isLater: true, wall: value.wall || proposal(Date.now(), ownZone()) }
              : { ...value, isLater: false },
          )
        }
        options={[
          { value: 'now', label: 'Publish now' },
          { value: 'later', label: 'Schedule' },
        ]}
      />
      {value.isLater && (
        <TextField
          label="Date and time"
          type="datetime-local"
          value={value.wall}
          min={wallTimeAt(new Date(now), ownZone())}
          max={wallTimeAt(new Date(now + DRAFTS.scheduleDays * DAY_MS), ownZone())}
          onChange={(event) => onChange({ isLater: true, wall: event.currentTarget.value.slice(0, 16) })}
          hint={<Meaning wall={value.wall} now={now} />}
          error={isShown ? complaint : undefined}
        />
      )}
    </>
  );
}
