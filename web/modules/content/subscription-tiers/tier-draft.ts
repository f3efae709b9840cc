import {
  BUNDLE_MONTHS,
  type OwnTier,
  type TierBody,
  tierBody,
} from '@stagedoor/contract/content/subscription-tiers.ts';
import { parseInteger, parseUsd } from '@stagedoor/contract/shared/money-input.ts';
import { RECURRENCES, type Recurrence } from '@stagedoor/contract/shared/recurrence.ts';
import { validateFields } from '../../../platform/forms.ts';
import { formatPriceInput } from '../../../platform/price.ts';
import * as texts from './texts.ts';
import type { FieldErrors } from './use-draft.ts';

export type BundleMonths = (typeof BUNDLE_MONTHS)[number];
/** `key` stays the same while lines are moved. */
export type BenefitDraft = { key: string; text: string };
/** What is typed. Empty texts mean: not offered, no discount, no trial, no limit. */
export type TierDraft = {
  name: string;
  benefits: readonly BenefitDraft[];
  isFree: boolean;
  prices: Readonly<Record<Recurrence, string>>;
  bundles: Readonly<Record<BundleMonths, string>>;
  trialDays: string;
  slots: string;
  isOpen: boolean;
  welcomeMessage: string;
};

const EMPTY_BUNDLES = { 3: '', 6: '', 12: '' };
export const NEW_TIER: TierDraft = {
  name: '',
  benefits: [{ key: '0', text: '' }],
  isFree: false,
  prices: { weekly: '', monthaly: '', yearly: '' },
  bundles: EMPTY_BUNDLES,
  trialDays: '',
  slots: '',
  isOpen: true,
  welcomeMessage: '',
};

const toText = (value: number | null) => (value === null ? '' : String(value));
const toPriceText = (price: number | null) => (price === null ? '' : formatPriceInput(price));

export function toTierDraft(tier: OwnTier): TierDraft {
  const { weekly, monthaly, yearly } = tier.prices;
  const percents = tier.bundles.map(({ months, percentOff }) => [months, String(percentOff)] as const);
  return {
    name: tier.name,
    benefits: tier.benefits.map((text, index) => ({ key: String(index), text })),
    isFree: tier.isFree,
    prices: { weekly: toPriceText(weekly), monthaly: toPriceText(monthaly), yearly: toPriceText(yearly) },
    bundles: { ...EMPTY_BUNDLES, ...Object.fromEntries(percents) },
    trialDays: toText(tier.trialDays),
    slots: toText(tier.slots),
    isOpen: tier.isOpen,
    welcomeMessage: tier.welcomeMessage,
  };
}

const isEmpty = (text: string) => text.trim() === '';
const parseNumber = (text: string) => (isEmpty(text) ? null : (parseInteger(text) ?? Number.NaN));
const parsePrice = (text: string) => (isEmpty(text) ? null : (parseUsd(text) ?? Number.NaN));

/** Empty benefits are left out. Numbers that cannot be read are NaN, which the schema refuses. */
export function toTierBody({ isFree, prices, bundles, ...draft }: TierDraft): TierBody {
  const { name, benefits, trialDays, slots, isOpen, welcomeMessage } = draft;
  const monthaly = isFree ? null : parsePrice(prices.monthaly);
  return {
    name,
    benefits: benefits.flatMap(({ text }) => (isEmpty(text) ? [] : [text])),
    prices: {
      weekly: isFree ? null : parsePrice(prices.weekly),
      monthaly,
      yearly: isFree ? null : parsePrice(prices.yearly),
    },
    bundles: BUNDLE_MONTHS.flatMap((months) => {
      const percentOff = isFree || monthaly === null ? null : parseNumber(bundles[months]);
      return percentOff === null ? [] : [{ months, percentOff }];
    }),
    trialDays: isFree ? null : parseNumber(trialDays),
    slots: parseNumber(slots),
    isOpen,
    welcomeMessage,
  };
}

/** By the paths of the schema, but bundles are named by their months (`bundles.3`) and benefits by their line. */
export function findTierErrors(draft: TierDraft): FieldErrors {
  const body = toTierBody(draft);
  const errors = validateFields(tierBody, body);
  const isUnpriced = !draft.isFree && RECURRENCES.every((each) => isEmpty(draft.prices[each]));
  return nameErrors({ ...(isUnpriced && { 'prices.monthaly': texts.noPriceError }), ...errors }, draft);
}

/** From the paths of the request, also for the field errors of a response. */
export function nameErrors(errors: FieldErrors, draft: TierDraft): FieldErrors {
  const { bundles } = toTierBody(draft);
  const sentBenefits = draft.benefits.filter(({ text }) => !isEmpty(text));
  const toName = (path: string): string => {
    const [field = '', index = ''] = path.split('.');
    const months = field === 'bundles' ? bundles[Number(index)]?.months : undefined;
    if (months !== undefined && index !== '') return `bundles.${months}`;
    const benefit = field === 'benefits' && index !== '' ? sentBenefits[Number(index)] : undefined;
    return benefit ? `benefits.${draft.benefits.indexOf(benefit)}` : path;
  };
  return Object.fromEntries(Object.entries(errors).map(([path, message]) => [toName(path), message]));
}

/** Undefined while the text is no valid price. */
export function findPrice(draft: TierDraft, recurrence: Recurrence): number | undefined {
  const price = draft.isFree ? null : parsePrice(draft.prices[recurrence]);
  return price === null || Number.isNaN(price) || `prices.${recurrence}` in findTierErrors(draft) ? undefined : price;
}

/** How the prices of a tier with subscribers would change for those who pay them. */
export type PriceChange = 'none' | 'raised' | 'lowered' | 'both';
export function comparePrices(tier: OwnTier, draft: TierDraft): PriceChange {
  const body = toTierBody(draft);
  const toPercent = (bundles: TierBody['bundles'], months: BundleMonths) =>
    bundles.find((bundle) => bundle.months === months)?.percentOff ?? 0;
  const differences = [
    ...RECURRENCES.map((each) => {
      const [before, after] = [tier.prices[each], body.prices[each]];
      return before === null || after === null ? 0 : after - before;
    }),
    // A lower discount is a higher price.
    ...BUNDLE_MONTHS.map((months) =>
      toPercent(tier.bundles, months) > 0 && toPercent(body.bundles, months) > 0
        ? toPercent(tier.bundles, months) - toPercent(body.bundles, months)
        : 0,
    ),
  ];
  const isRaised = differences.some((difference) => difference > 0);
  const isLowered = differences.some((difference) => difference < 0);
  if (isRaised && isLowered) return 'both';
  return isRaised ? 'raised' : isLowered ? 'lowered' : 'none';
}

export function moveItem<T>(items: readonly T[], from: number, to: number): T[] {
  const moved = items.slice();
  moved.splice(to, 0, ...moved.splice(from, 1));
  return moved;
}

/** Only what is valid so far. */
export function toPreview(
  draft: TierDraft,
): Pick<TierBody, 'name' | 'benefits' | 'prices' | 'bundles' | 'trialDays' | 'isOpen'> {
  const body = toTierBody(draft);
  const errors = findTierErrors(draft);
  const getPrice = (recurrence: Recurrence) => findPrice(draft, recurrence) ?? null;
  const monthaly = getPrice('monthaly');
  return {
    name: body.name,
    benefits: body.benefits,
    prices: { weekly: getPrice('weekly'), monthaly, yearly: getPrice('yearly') },
    bundles: monthaly === null ? [] : body.bundles.filter(({ months }) => !(`bundles.${months}` in errors)),
    trialDays: 'trialDays' in errors ? null : body.trialDays,
    isOpen: body.isOpen,
  };
}
