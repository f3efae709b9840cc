/** Calculates the monthly income here and on other platforms, in cents with the ledger's rounding per sale. */
import { asCents, type Cents, calculatePercent } from '@stagedoor/contract/shared/money.ts';
import { parseUsd, toAsciiDigits } from '@stagedoor/contract/shared/money-input.ts';
import * as texts from './texts.ts';

/** The inputs as typed: followers, percentage of followers who pay, and the amount each pays in USD. */
export type IncomeInputs = { followers: string; share: string; spend: string };
export const DEFAULT_INPUTS: IncomeInputs = { followers: '1000', share: '5', spend: '10.00' };

export type IncomeEstimate = {
  followers: number;
  fans: number;
  grossCents: Cents;
  calculateNet(percent: number): Cents;
};

/**
 * Integers with the separators of common locales: groups of three digits separated by a space, comma, full stop or
 * apostrophe.
 */
const GROUPED_INTEGER = /^[1-9]\d{0,2}(?:([\s,.’'])\d{3}(?:\1\d{3})*)?$|^\d{1,9}$/;
const PERCENT = /^\d{1,3}(?:[.,]\d{1,2})?$/;
const MAX_FOLLOWERS = 10_000_000;
const MAX_SPEND = 1_000;

export type InputErrors = Partial<Record<keyof IncomeInputs, string>>;

export function calculateIncome(
  inputs: IncomeInputs,
): { income: IncomeEstimate; errors?: undefined } | { income?: undefined; errors: InputErrors } {
  const followersText = toAsciiDigits(inputs.followers.trim());
  const shareText = toAsciiDigits(inputs.share.trim());
  const followers = GROUPED_INTEGER.test(followersText) ? Number(followersText.replaceAll(/\D/g, '')) : Number.NaN;
  const share = PERCENT.test(shareText) ? Number(shareText.replace(',', '.')) : Number.NaN;
  const spend = parseUsd(inputs.spend) ?? Number.NaN;
  const errors: InputErrors = {
    ...(!(followers >= 1 && followers <= MAX_FOLLOWERS) && { followers: texts.followersRangeError }),
    ...(!(share > 0 && share <= 100) && { share: texts.payingShareRangeError }),
    ...(!(spend >= 1 && spend <= MAX_SPEND) && { spend: texts.spendRangeError }),
  };
  if (Object.keys(errors).length > 0) return { errors };
  const fans = Math.floor((followers * Math.round(share * 100)) / 10_000);
  const perFanCents = asCents(Math.round(spend * 100));
  return {
    income: {
      followers,
      fans,
      grossCents: asCents(fans * perFanCents),
      calculateNet: (percent) => asCents(fans * (perFanCents - calculatePercent(perFanCents, percent))),
    },
  };
}
