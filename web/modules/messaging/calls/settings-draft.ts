import type { CallSettings } from '@stagedoor/contract/messaging/calls.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { parseUsd } from '@stagedoor/contract/shared/money-input.ts';
import type { PriceLimit } from '@stagedoor/contract/shared/prices.ts';
import { formatPriceInput } from '../../../platform/price.ts';
import { findHoursError, type HoursError, joinHours, splitHours } from './hours-draft.ts';
import * as texts from './texts.ts';

/** A `null` price means that this kind of call is off. */
export type CallSettingsDraft = Omit<CallSettings, 'videoRate' | 'audioRate'> & {
  videoRate: string | null;
  audioRate: string | null;
};
export type CallSettingsErrors = Partial<Record<'videoRate' | 'audioRate' | 'minMinutes', string>> & {
  hours?: HoursError;
};

const toPriceText = (rate: number | null) => (rate === null ? null : formatPriceInput(rate));

export function toSettingsDraft({ videoRate, audioRate, hours, ...rest }: CallSettings): CallSettingsDraft {
  return { ...rest, hours: joinHours(hours), videoRate: toPriceText(videoRate), audioRate: toPriceText(audioRate) };
}

export const formatRateLimits = ({ min, max }: PriceLimit) =>
  formatText(texts.rateLimits, { min: formatUsd(min), max: formatUsd(max) });

function findRateError(typed: string | null, limit: PriceLimit, savedRate: number | null): string | undefined {
  if (typed === null) return undefined;
  const rate = Math.round((parseUsd(typed) ?? 0) * 100) / 100;
  return rate !== savedRate && (rate < limit.min || rate > limit.max) ? formatRateLimits(limit) : undefined;
}

/** An unchanged rate stays valid even when the limits have changed. */
export function findSettingsErrors(
  draft: CallSettingsDraft,
  limit: PriceLimit,
  saved: CallSettings,
): CallSettingsErrors {
  const { min, max } = CALL_LIMITS.minMinutes;
  const isWhole = Number.isInteger(draft.minMinutes);
  const errors = {
    videoRate: findRateError(draft.videoRate, limit, saved.videoRate),
    audioRate: findRateError(draft.audioRate, limit, saved.audioRate),
    minMinutes:
      !isWhole || draft.minMinutes < min || draft.minMinutes > max
        ? formatText(texts.minimumBalanceLimits, { min, max })
        : undefined,
    hours: findHoursError(draft.hours),
  };
  return Object.fromEntries(Object.entries(errors).filter(([, error]) => error !== undefined));
}

const parseRate = (typed: string | null) => (typed === null ? null : (parseUsd(typed) ?? Number.NaN));

export function toCallSettings(draft: CallSettingsDraft): CallSettings {
  const { videoRate, audioRate, hours } = draft;
  return { ...draft, hours: splitHours(hours), videoRate: parseRate(videoRate), audioRate: parseRate(audioRate) };
}
