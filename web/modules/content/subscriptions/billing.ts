/** Billing periods, savings and discounts, and what a plan charges on which days. */
import type {
  BillingOption,
  BillingPeriod,
  SubscriptionTier,
  ViewedOffer,
} from '@stagedoor/contract/content/subscription-tiers.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { RENEWAL_REMINDER } from '@stagedoor/contract/shared/limits.ts';
import { formatCount } from '../../../platform/dates.ts';
import * as texts from './texts.ts';

/** Names a period in an address: `week`, `month`, `3-months` or `year`. */
export type PeriodKey = string;

const SINGLE_KEYS = { weekly: 'week', monthaly: 'month', yearly: 'year' } as const;
const SINGLE_NAMES = { weekly: texts.weekly, monthaly: texts.monthly, yearly: texts.yearly } as const;
const SINGLE_UNITS = { weekly: texts.perWeek, monthaly: texts.perMonthUnit, yearly: texts.perYearUnit } as const;
const SINGLE_INTERVALS = { weekly: texts.everyWeek, monthaly: texts.everyMonth, yearly: texts.everyYear } as const;
/** To list periods from the shortest to the longest. */
const DAYS = { weekly: 7, monthaly: 30, yearly: 365 } as const;

const toCents = (usd: number) => Math.round(usd * 100);
/** Subtracts amounts in USD without an error of rounding. */
export const subtractUsd = (amount: number, other: number): number => (toCents(amount) - toCents(other)) / 100;

export function toPeriodKey({ recurrence, count }: BillingPeriod): PeriodKey {
  return count === 1 ? SINGLE_KEYS[recurrence] : `${count}-months`;
}

/** Returns "Monthly" or "3 months". */
export function formatPeriodName({ recurrence, count }: BillingPeriod): string {
  return count === 1 ? SINGLE_NAMES[recurrence] : formatText(texts.monthsName, { count });
}

/** Returns "/month" or "/3 months". */
export function formatPeriodUnit({ recurrence, count }: BillingPeriod): string {
  return count === 1 ? SINGLE_UNITS[recurrence] : formatText(texts.perMonths, { count });
}

/** Returns "every month" or "every 3 months". */
export function formatInterval({ recurrence, count }: BillingPeriod): string {
  return count === 1 ? SINGLE_INTERVALS[recurrence] : formatText(texts.everyMonths, { count });
}

/** Returns "7 days free". */
export function formatTrialName(days: number): string {
  return days === 1 ? texts.oneDayFree : formatText(texts.daysFree, { count: days });
}

/** Returns "118 posts with 463 media files". */
export function formatIncluded({ postCount, mediaCount }: Pick<SubscriptionTier, 'postCount' | 'mediaCount'>): string {
  return formatText(texts.includedContent, {
    posts: formatCount(postCount, 'post'),
    files: formatCount(mediaCount, 'media file'),
  });
}

/** Whether the tier opens posts that are not free for everyone. */
export const hasOwnContent = (
  { postCount }: Pick<SubscriptionTier, 'postCount'>,
  free: Pick<SubscriptionTier, 'postCount'>,
): boolean => postCount > free.postCount;

/** The periods that at least one tier offers, shortest first. */
export function listPeriods(tiers: readonly Pick<SubscriptionTier, 'options'>[]): BillingPeriod[] {
  const periods = new Map<PeriodKey, BillingPeriod>();
  for (const { options } of tiers)
    for (const { recurrence, count } of options) periods.set(toPeriodKey({ recurrence, count }), { recurrence, count });
  return [...periods.values()].sort((a, b) => DAYS[a.recurrence] * a.count - DAYS[b.recurrence] * b.count);
}

/** The tier's price for a period, or else its monthly price or that of its shortest period. Undefined for a free tier. */
export function findOption(
  { options }: Pick<SubscriptionTier, 'options'>,
  period: PeriodKey | undefined,
): BillingOption | undefined {
  const find = (key: PeriodKey | undefined) => options.find((option) => toPeriodKey(option) === key);
  return find(period) ?? find(SINGLE_KEYS.monthaly) ?? options[0];
}

export type Saving = { perMonth: number; amount: number; percent: number };

/** What an option saves compared with the same time paid by the month. Undefined if it saves nothing. */
export function findSaving(option: BillingOption, options: readonly BillingOption[]): Saving | undefined {
  const monthly = options.find(({ recurrence, count }) => recurrence === 'monthaly' && count === 1);
  const months = option.recurrence === 'yearly' ? 12 : option.count;
  if (!monthly || option.recurrence === 'weekly' || months === 1) return undefined;
  const fullCents = toCents(monthly.price) * months;
  const savedCents = fullCents - toCents(option.price);
  const percent = Math.floor((savedCents * 100) / fullCents);
  if (savedCents <= 0 || percent < 1) return undefined;
  return { perMonth: Math.round(toCents(option.price) / months) / 100, amount: savedCents / 100, percent };
}

/** The option that saves most compared with the monthly price. */
export function findBestSaving(
  options: readonly BillingOption[],
): { option: BillingOption; saving: Saving } | undefined {
  return options
    .flatMap((option) => {
      const saving = findSaving(option, options);
      return saving ? [{ option, saving }] : [];
    })
    .toSorted((a, b) => b.saving.percent - a.saving.percent)[0];
}

const toIsoDay = (date: Date) => date.toISOString().slice(0, 10);

export function addDays(day: string, days: number): string {
  const date = new Date(day);
  date.setUTCDate(date.getUTCDate() + days);
  return toIsoDay(date);
}

/** The day that follows `day` (YYYY-MM-DD) by a period. The last days of a month become the last day of a shorter one. */
export function addPeriod(
  day: string,
  { recurrence, count }: { recurrence: BillingPeriod['recurrence']; count: number },
): string {
  if (recurrence === 'weekly') return addDays(day, 7 * count);
  const start = new Date(day);
  const months = start.getUTCMonth() + (recurrence === 'yearly' ? 12 * count : count);
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), months + 1, 0)).getUTCDate();
  return toIsoDay(new Date(Date.UTC(start.getUTCFullYear(), months, Math.min(start.getUTCDate(), lastDay))));
}

/** What subscribing costs now and later. Days are those of the reader's zone. */
export type ChargePlan = {
  today: number;
  renewal: number;
  /** Free days before the first charge, or null. */
  trialDays: number | null;
  /** The day of the first charge after today. */
  nextDay: string;
  /** What renewals cost after a discount, and from when on. */
  afterOffer: { price: number; day: string } | undefined;
};

/** The discount of an offer, with the discounted price of one period. */
export type Discount = Pick<ViewedOffer, 'code' | 'percentOff' | 'periods'> & { price: number };

/** Undefined if the offer is for other tiers. */
export function findDiscount(
  offer: ViewedOffer | null,
  tierId: string,
  period: BillingPeriod | undefined,
): Discount | undefined {
  const options = offer?.tiers.find(({ id }) => id === tierId)?.options;
  const option = period && options?.find((each) => toPeriodKey(each) === toPeriodKey(period));
  if (!offer || !option) return undefined;
  const { code, percentOff, periods } = offer;
  return { code, percentOff, periods, price: option.price };
}

/** Returns "50% off the first 3 payments". */
export function formatDiscount({ percentOff, periods }: Pick<Discount, 'percentOff' | 'periods'>): string {
  return periods === 1
    ? formatText(texts.firstPaymentOff, { percent: percentOff })
    : formatText(texts.firstPaymentsOff, { percent: percentOff, count: periods });
}

/** @param today The reader's current day (YYYY-MM-DD). */
export function createChargePlan(
  option: BillingOption,
  trialDays: number | null,
  today: string,
  discount?: Discount,
): ChargePlan {
  const firstDay = trialDays === null ? today : addDays(today, trialDays);
  const price = discount?.price ?? option.price;
  const { recurrence, count } = option;
  const afterOffer = discount && {
    price: option.price,
    day: addPeriod(firstDay, { recurrence, count: count * discount.periods }),
  };
  if (trialDays !== null) return { today: 0, renewal: price, trialDays, nextDay: firstDay, afterOffer };
  const renewal = discount?.periods === 1 ? option.price : price;
  return { today: price, renewal, trialDays, nextDay: addPeriod(today, option), afterOffer };
}

/** Whether the fan is reminded before each renewal. */
export function isReminded({ recurrence, price }: Pick<BillingOption, 'recurrence' | 'price'>): boolean {
  return recurrence === 'yearly' || toCents(price) >= RENEWAL_REMINDER.minCents;
}
