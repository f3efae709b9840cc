import { DRAFT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { Segmented } from '../../../ui/choice.tsx';
import { LocalTimeField } from '../../../ui/local-time-field.tsx';
import { getOwnZone } from '../../../ui/own-zone.ts';
import { parseWallTime, toWallTime } from '../../../ui/zoned-time.ts';
import * as texts from './texts.ts';

const DAY_MS = 86_400_000;
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
    <div className="form">
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
        <LocalTimeField
          label={texts.dateAndTime}
          value={value.wall}
          onChange={(wall) => onChange({ isLater: true, wall })}
          now={now}
          maxDays={DRAFT_LIMITS.scheduleDays}
          error={isShown ? error : undefined}
        />
      )}
    </div>
  );
}
