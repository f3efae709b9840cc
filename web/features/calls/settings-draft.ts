import { formatUsd, readUsd } from '@stagedoor/contract/atoms/money.ts';
import type { PriceLimit } from '@stagedoor/contract/atoms/prices.ts';
import { CALL } from '@stagedoor/contract/atoms/room-limits.ts';
import type { CallSettings } from '@stagedoor/contract/calls.ts';
import { writePrice } from '../../kernel/price.ts';

export type Hours = CallSettings['hours'][number];
/** A `null` price means that this kind of call is off. */
export type SettingsDraft = Omit<CallSettings, 'videoRate' | 'audioRate'> & {
  videoRate: string | null;
  audioRate: string | null;
};
export type SettingsErrors = Partial<Record<'videoRate' | 'audioRate' | 'shortestMinutes' | 'hours', string>>;

const written = (rate: number | null) => (rate === null ? null : writePrice(rate));

export function draftOf({ videoRate, audioRate, ...rest }: CallSettings): SettingsDraft {
  return { ...rest, videoRate: written(videoRate), audioRate: written(audioRate) };
}

export const rateRule = ({ min, max }: PriceLimit) => `From ${formatUsd(min)} to ${formatUsd(max)} per minute`;

function rateError(typed: string | null, limit: PriceLimit, kept: number | null): string | undefined {
  if (typed === null) return undefined;
  const rate = Math.round((readUsd(typed) ?? 0) * 100) / 100;
  return rate !== kept && (rate < limit.min || rate > limit.max) ? rateRule(limit) : undefined;
}

function hoursError(hours: readonly Hours[]): string | undefined {
  if (hours.some(({ from, to }) => from >= to)) return 'End time is before start time';
  const isOver = hours.some((one, index) =>
    hours.some((two, other) => other > index && two.day === one.day && one.from < two.to && two.from < one.to),
  );
  return isOver ? 'These hours overlap' : undefined;
}

/** An unchanged rate stays valid even when the limits have changed. */
export function errorsOf(draft: SettingsDraft, limit: PriceLimit, kept: CallSettings): SettingsErrors {
  const { min, max } = CALL.shortestMinutes;
  const isWhole = Number.isInteger(draft.shortestMinutes);
  const errors = {
    videoRate: rateError(draft.videoRate, limit, kept.videoRate),
    audioRate: rateError(draft.audioRate, limit, kept.audioRate),
    shortestMinutes:
      !isWhole || draft.shortestMinutes < min || draft.shortestMinutes > max
        ? `From ${min} to ${max} minutes`
        : undefined,
    hours: hoursError(draft.hours),
  };
  return Object.fromEntries(Object.entries(errors).filter(([, error]) => error !== undefined));
}

const read = (typed: string | null) => (typed === null ? null : (readUsd(typed) ?? Number.NaN));

export function settingsOf(draft: SettingsDraft): CallSettings {
  return { ...draft, videoRate: read(draft.videoRate), audioRate: read(draft.audioRate) };
}
