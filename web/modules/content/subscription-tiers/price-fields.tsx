/** Prices with what the creator gets of them, and bundles with the price that results. */
import { BUNDLE_MONTHS, getBundlePrice, getPriceLimit } from '@stagedoor/contract/content/subscription-tiers.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { SUBSCRIPTION_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { asCents, calculatePercent, formatCents, formatUsd, toCents } from '@stagedoor/contract/shared/money.ts';
import { parseInteger } from '@stagedoor/contract/shared/money-input.ts';
import { RECURRENCES } from '@stagedoor/contract/shared/recurrence.ts';
import { MoneyField } from '../../../platform/money-field.tsx';
import { usePriceLimit } from '../../../platform/price-limits.ts';
import { FieldErrorMessage } from '../../../ui/field.tsx';
import { RECURRENCE_LABELS } from './labels.ts';
import * as texts from './texts.ts';
import { type BundleMonths, findPrice, type TierDraft } from './tier-draft.ts';
import type { FieldErrors } from './use-draft.ts';

const { bundlePercentMax } = SUBSCRIPTION_LIMITS;

export function calculateNet(price: number, feePercent: number): number {
  const gross = toCents(price);
  return asCents(gross - calculatePercent(gross, feePercent));
}

type FieldsProps = {
  draft: TierDraft;
  errors: FieldErrors;
  feePercent: number;
  change: (part: Partial<TierDraft>) => void;
};

export function PriceFields({ draft, errors, feePercent, change }: FieldsProps) {
  const limit = usePriceLimit('subscription');
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      {RECURRENCES.map((each) => {
        const price = findPrice(draft, each);
        const { min, max } = getPriceLimit(each, limit);
        const limits = { min: formatUsd(min), max: formatUsd(max) };
        return (
          <MoneyField
            key={each}
            className="min-w-0"
            label={RECURRENCE_LABELS[each]}
            maxLength={9}
            value={draft.prices[each]}
            error={errors[`prices.${each}`]}
            hint={
              price === undefined
                ? formatText(texts.priceLimits, limits).replaceAll('.00', '')
                : formatText(texts.youGet, { amount: formatCents(calculateNet(price, feePercent)) })
            }
            onChange={(event) => change({ prices: { ...draft.prices, [each]: event.currentTarget.value } })}
          />
        );
      })}
    </div>
  );
}

/** The price of a bundle, or undefined while a part of it is missing or invalid. */
export function findBundlePrice(draft: TierDraft, months: BundleMonths): number | undefined {
  const monthly = findPrice(draft, 'monthaly');
  const percentOff = parseInteger(draft.bundles[months]);
  if (monthly === undefined || percentOff === undefined || percentOff < 1 || percentOff > bundlePercentMax)
    return undefined;
  return getBundlePrice(monthly, { months, percentOff });
}

function BundleRow({ months, draft, errors, change }: Omit<FieldsProps, 'feePercent'> & { months: BundleMonths }) {
  const price = findBundlePrice(draft, months);
  const error = errors[`bundles.${months}`];
  const id = `bundle-${months}`;
  return (
    <li className="border-t border-line py-2">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-3">
        <label htmlFor={id}>
          <span className="block font-semibold">{formatText(texts.months, { count: months })}</span>
          <span className="num block text-small text-muted">
            {price === undefined
              ? texts.noBundle
              : formatText(texts.bundleResult, {
                  price: formatUsd(price),
                  monthly: formatCents(Math.round(toCents(price) / months)),
                })}
          </span>
          <span className="sr-only">{formatText(texts.percentOff, { count: months })}</span>
        </label>
        <span className="flex items-center gap-2">
          <input
            id={id}
            className="input w-20 text-right"
            inputMode="numeric"
            autoComplete="off"
            maxLength={3}
            value={draft.bundles[months]}
            aria-invalid={error === undefined ? undefined : true}
            aria-describedby={error === undefined ? undefined : `${id}-error`}
            onChange={(event) => change({ bundles: { ...draft.bundles, [months]: event.currentTarget.value } })}
          />
          <span aria-hidden="true" className="text-muted">
            {texts.percentUnit}
          </span>
        </span>
      </div>
      <FieldErrorMessage id={`${id}-error`} message={error} />
    </li>
  );
}

export function BundleFields({ draft, errors, change }: Omit<FieldsProps, 'feePercent'>) {
  const hasMonthly = draft.prices.monthaly.trim() !== '';
  return (
    <fieldset className="min-w-0">
      <legend className="field__label">{texts.bundles}</legend>
      <p className="pb-2 text-small text-muted">{hasMonthly ? texts.bundlesHint : texts.bundlesNeedMonthly}</p>
      {hasMonthly && (
        <ul className="border-b border-line">
          {BUNDLE_MONTHS.map((months) => (
            <BundleRow key={months} {...{ months, draft, errors, change }} />
          ))}
        </ul>
      )}
      <FieldErrorMessage message={errors.bundles} />
    </fieldset>
  );
}
