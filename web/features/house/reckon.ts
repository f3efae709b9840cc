/** Calculates the monthly income here and on other platforms, in cents with the ledger's rounding per sale. */
import { asCents, type Cents, percentOf, readUsd } from '@stagedoor/contract/atoms/money.ts';

/** The inputs as typed: followers, percentage of followers who pay, and the amount each pays in USD. */
export type Asked = { followers: string; share: string; spend: string };
export const USUAL: Asked = { followers: '1000', share: '5', spend: '10.00' };

export type Reckoned = { followers: number; fans: number; grossCents: Cents; leaves(percent: number): Cents };

/**
 * Integers with the separators of common locales: groups of three digits separated by a space, comma, full stop or
 * apostrophe.
 */
const WHOLE = /^[1-9]\d{0,2}(?:([\s,.’'])\d{3}(?:\1\d{3})*)?$|^\d{1,9}$/;
const PERCENT = /^\d{1,3}(?:[.,]\d{1,2})?$/;
const MOST_FOLLOWERS = 10_000_000;
const MOST_SPEND = 1_000;

export type Complaints = Partial<Record<keyof Asked, string>>;

export function reckon(
  asked: Asked,
): { sum: Reckoned; complaints?: undefined } | { sum?: undefined; complaints: Complaints } {
  const followers = WHOLE.test(asked.followers.trim()) ? Number(asked.followers.replaceAll(/\D/g, '')) : Number.NaN;
  const share = PERCENT.test(asked.share.trim()) ? Number(asked.share.replace(',', '.')) : Number.NaN;
  const spend = readUsd(asked.spend) ?? Number.NaN;
  const complaints: Complaints = {
    ...(!(followers >= 1 && followers <= MOST_FOLLOWERS) && { followers: 'Between 1 and 10,000,000' }),
    ...(!(share > 0 && share <= 100) && { share: 'Between 0.01 and 100' }),
    ...(!(spend >= 1 && spend <= MOST_SPEND) && { spend: 'Between $1.00 and $1,000.00' }),
  };
  if (Object.keys(complaints).length > 0) return { complaints };
  const fans = Math.floor((followers * Math.round(share * 100)) / 10_000);
  const each = asCents(Math.round(spend * 100));
  return {
    sum: {
      followers,
      fans,
      grossCents: asCents(fans * each),
      leaves: (percent) => asCents(fans * (each - percentOf(each, percent))),
    },
  };
}
