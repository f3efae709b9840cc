import type { CallSettings } from '@stagedoor/contract/messaging/calls.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { parseInteger, parseUsd } from '@stagedoor/contract/shared/money-input.ts';
import type { PriceLimit } from '@stagedoor/contract/shared/prices.ts';
import { formatPriceInput } from '../../../platform/price.ts';
import { findHoursError, type HoursError, joinHours, splitHours } from './hours-draft.ts';
import * as texts from './texts.ts';

/** What is typed. A `null` price means that this kind of call is off. */
export type CallSettingsDraft = Omit<CallSettings, 'videoRate' | 'audioRate' | 'minMinutes'> & {
  videoRate: string | null;
  audioRate: string | null;
  minMinutes: string;
};
export type CallSettingsErrors = Partial<Record<'videoRate' | 'audioRate' | 'minMinutes', string>> & {
  hours?: HoursError;
};

const toPriceText = (rate: number | null) => (rate === null ? null : formatPriceInput(rate));

export function toSettingsDraft({ videoRate, audioRate, minMinutes, hours, ...rest }: CallSettings): CallSettingsDraft {
  return {
    ...rest,
    hours: joinHours(hours),
    videoRate: toPriceText(videoRate),
    audioRate: toPriceText(audioRate),
    minMinutes: String(minMinutes),
  };
}

export const formatRateLimits = ({ min, max }: PriceLimit) =>
  formatText(texts.rateLimits, { min: formatUsd(min), max: formatUsd(max) });

function findRateError(typed: string | null, limit: PriceLimit, savedRate: number | null): string | undefined {
  if (typed === null) return undefined;
  const rate = parseUsd(typed);
  if (rate === undefined) return texts.invalidRateError;
  return rate !== savedRate && (rate < limit.min || rate > limit.max) ? formatRateLimits(limit) : undefined;
}

/** An unchanged rate stays valid even when the limits have changed. */
export function findSettingsErrors(
  draft: CallSettingsDraft,
  limit: PriceLimit,
  saved: CallSettings,
): CallSettingsErrors {
  const { min, max } = CALL_LIMITS.minMinutes;
  const minMinutes = parseInteger(draft.minMinutes);
  const errors = {
    videoRate: findRateError(draft.videoRate, limit, saved.videoRate),
    audioRate: findRateError(draft.audioRate, limit, saved.audioRate),
    minMinutes:
      minMinutes === undefined || minMinutes < min || minMinutes > max
        ? formatText(texts.minimumBalanceLimits, { min, max })
        : undefined,
    hours: findHoursError(draft.hours),
  };
  return Object.fromEntries(Object.entries(errors).filter(([, error]) => error !== undefined));
}

const parseRate = (typed: string | null) => (typed === null ? null : (parseUsd(typed) ?? Number.NaN));

export function toCallSettings(draft: CallSettingsDraft): CallSettings {
  return {
    ...draft,
    hours: splitHours(draft.hours),
    videoRate: parseRate(draft.videoRate),
    audioRate: parseRate(draft.audioRate),
    minMinutes: parseInteger(draft.minMinutes) ?? Number.NaN,
  };
}
