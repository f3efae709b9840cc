import { canDiscount, getDiscountedPrice } from '@stagedoor/contract/content/offer-prices.ts';
import type { BillingOption, OwnTier } from '@stagedoor/contract/content/subscription-tiers.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { isolateText } from '../../../platform/bidi.ts';
import { usePriceLimit } from '../../../platform/price-limits.ts';
import { PriceSummary } from '../../../ui/definition-list.tsx';
import { getOwnZone } from '../../../ui/own-zone.ts';
import { RECURRENCE_UNITS } from './labels.ts';
import { findOfferErrors, type OfferDraft, toOfferBody } from './offer-draft.ts';
import * as texts from './texts.ts';

const isMonth = ({ recurrence, count }: BillingOption) => recurrence === 'monthaly' && count === 1;

function formatTierPeriod({ name }: OwnTier, { recurrence, count }: BillingOption): string {
  return count > 1
    ? formatText(texts.tierPerMonths, { name: isolateText(name), months: count })
    : formatText(texts.tierPerUnit, { name: isolateText(name), unit: RECURRENCE_UNITS[recurrence] });
}

/** An example with the lowest tier of the offer. Shown while the typed numbers are valid. */
export function OfferResult({ draft, paidTiers }: { draft: OfferDraft; paidTiers: readonly OwnTier[] }) {
  const limit = usePriceLimit('subscription');
  const { percentOff, periods: count } = toOfferBody(draft, getOwnZone());
  const errors = findOfferErrors(draft, getOwnZone());
  if ('percentOff' in errors || 'periods' in errors) return null;
  const priced = paidTiers
    .filter(({ id }) => draft.tierId === '' || draft.tierId === id)
    .flatMap((tier) => tier.options.map((option) => ({ tier, option })));
  const discounted = priced.filter(({ option }) => canDiscount(option.price, percentOff, limit));
  const lowestTierPrices = discounted.filter(({ tier }) => tier.id === discounted[0]?.tier.id);
  const example = lowestTierPrices.find(({ option }) => isMonth(option)) ?? lowestTierPrices[0];
  return (
    <>
      {example && (
        <PriceSummary
          live
          className="pb-3"
          items={[{ name: formatTierPeriod(example.tier, example.option), value: formatUsd(example.option.price) }]}
          total={{
            name: count === 1 ? texts.firstPayment : formatText(texts.firstPayments, { count }),
            value: formatUsd(getDiscountedPrice(example.option.price, percentOff)),
          }}
        />
      )}
      {discounted.length < priced.length && (
        <p className="num pb-3 text-small whitespace-normal! text-muted">
          {formatText(example ? texts.someNotDiscounted : texts.noneDiscounted, { min: formatUsd(limit.min) })}
        </p>
      )}
    </>
  );
}
