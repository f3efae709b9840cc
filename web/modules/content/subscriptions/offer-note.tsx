/** A discount as fans see it before they subscribe: what it is, for whom, until when, and why a code does not work. */
import type { SubscriptionTier, ViewedOffer } from '@stagedoor/contract/content/subscription-tiers.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { isolateText } from '../../../platform/bidi.ts';
import { formatShortDay } from '../../../platform/dates.ts';
import { cx } from '../../../ui/class-names.ts';
import { Banner } from '../../../ui/states.tsx';
import { findDiscount, findOption, formatDiscount, formatPeriodUnit, type PeriodKey } from './billing.ts';
import * as texts from './texts.ts';

const AUDIENCES = { everyone: undefined, new: texts.offerForNew, returning: texts.offerForReturning } as const;

export function OfferNote({
  offer,
  refusal,
  creatorName,
  now,
}: {
  offer: ViewedOffer | null;
  refusal: string | null;
  creatorName: string;
  now: string;
}) {
  if (refusal !== null)
    return (
      <div className="pb-4">
        <Banner kind="warn" inline>
          {refusal}
        </Banner>
      </div>
    );
  if (!offer) return null;
  const audience = AUDIENCES[offer.audience];
  return (
    <div className="mb-4 border-y border-line py-3" role="note">
      <p className="num font-semibold whitespace-normal!">
        {formatText(texts.offerTitle, { code: offer.code, discount: formatDiscount(offer) })}
      </p>
      <p className="num text-small whitespace-normal! text-muted">
        {formatText(texts.offerUntil, { day: formatShortDay(offer.endsAt, now) })}
        {audience !== undefined && ` ${formatText(audience, { creatorName: isolateText(creatorName) })}`}
      </p>
    </div>
  );
}

/** What a tier costs for a period, with the full price next to a discounted one. */
export function TierPrice({
  tier,
  period,
  offer,
  isNarrow,
}: {
  tier: SubscriptionTier;
  period: PeriodKey | undefined;
  offer: ViewedOffer | null;
  isNarrow: boolean;
}) {
  const option = findOption(tier, period);
  const discount = findDiscount(offer, tier.id, option);
  return (
    <>
      <b
        className={cx(
          'text-lead font-[640] lg:font-display lg:tracking-[-0.035em]',
          isNarrow ? 'lg:text-[2rem] lg:leading-9' : 'lg:text-[2.5rem] lg:leading-11',
        )}
      >
        {option ? formatUsd(discount?.price ?? option.price) : texts.free}
      </b>
      {option && discount && (
        <>
          <s aria-hidden="true" className="pl-1.5 text-small font-normal text-muted">
            {formatUsd(option.price)}
          </s>
          <span className="sr-only"> {formatText(texts.oldPrice, { price: formatUsd(option.price) })} </span>
        </>
      )}
      {option && <small className="text-small text-muted lg:pl-1">{formatPeriodUnit(option)}</small>}
    </>
  );
}

/** Undefined without a discount. */
export function formatTierDiscount(
  tier: SubscriptionTier,
  period: PeriodKey | undefined,
  offer: ViewedOffer | null,
): string | undefined {
  const option = findOption(tier, period);
  const discount = findDiscount(offer, tier.id, option);
  if (!option || !discount) return undefined;
  return formatText(texts.thenFullPrice, {
    discount: formatDiscount(discount),
    price: formatUsd(option.price),
    unit: formatPeriodUnit(option),
  });
}
