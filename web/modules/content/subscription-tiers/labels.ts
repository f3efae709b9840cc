import { type BillingOption, listBillingOptions } from '@stagedoor/contract/content/subscription-tiers.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { Recurrence } from '@stagedoor/contract/shared/recurrence.ts';
import { formatCount } from '../../../platform/dates.ts';
import * as texts from './texts.ts';

export const RECURRENCE_LABELS: Readonly<Record<Recurrence, string>> = {
  weekly: texts.weekly,
  monthaly: texts.monthly,
  yearly: texts.yearly,
};
export const RECURRENCE_UNITS: Readonly<Record<Recurrence, string>> = {
  weekly: texts.weekUnit,
  monthaly: texts.monthUnit,
  yearly: texts.yearUnit,
};

export function formatOption({ recurrence, count, price }: BillingOption): string {
  if (count > 1) return formatText(texts.monthsFor, { price: formatUsd(price), months: count });
  return formatText(texts.perUnit, { price: formatUsd(price), unit: RECURRENCE_UNITS[recurrence] });
}

type Priced = Parameters<typeof listBillingOptions>[0];
/** The monthly price if there is one, or else the shortest period. */
export function findMainOption(priced: Priced): BillingOption | undefined {
  const options = listBillingOptions(priced);
  return options.find(({ recurrence, count }) => recurrence === 'monthaly' && count === 1) ?? options[0];
}

export const formatSubscribers = (count: number) => formatCount(count, 'subscriber');
