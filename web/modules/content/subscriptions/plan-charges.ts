import type { BillingOption, SubscriptionTier } from '@stagedoor/contract/content/subscription-tiers.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { isolateText } from '../../../platform/bidi.ts';
import { formatShortDay } from '../../../platform/dates.ts';
import { type ChargePlan, formatInterval } from './billing.ts';
import type { CardPlan } from './payment-source-choice.tsx';
import * as texts from './texts.ts';

/** The first charges of a plan that the balance pays, with their days. */
export function listCharges(option: BillingOption, tier: SubscriptionTier, plan: ChargePlan, now: string) {
  const day = formatShortDay(plan.nextDay, now);
  const renewal = formatUsd(plan.renewal);
  const interval = formatInterval(option);
  const fullPrice =
    plan.afterOffer && plan.afterOffer.price !== plan.renewal
      ? {
          name: formatText(texts.fullPriceFrom, { day: formatShortDay(plan.afterOffer.day, now), interval }),
          value: formatUsd(plan.afterOffer.price),
        }
      : undefined;
  if (plan.trialDays !== null)
    return [
      { name: formatText(texts.firstChargeOn, { day }), value: renewal },
      fullPrice ?? { name: formatText(texts.thenEvery, { interval }), value: renewal },
    ];
  return [
    { name: formatText(texts.untilDay, { tierName: isolateText(tier.name), day }), value: formatUsd(plan.today) },
    { name: formatText(texts.renewsOnDay, { day }), value: renewal },
    ...(fullPrice ? [fullPrice] : []),
  ];
}

/** The first charges of a card, with their days and the fee. */
export function listCardCharges(tier: SubscriptionTier, option: BillingOption, card: CardPlan, now: string) {
  const day = formatShortDay(card.nextDay, now);
  return [
    { name: formatText(texts.untilDay, { tierName: isolateText(tier.name), day }), value: formatUsd(option.price) },
    { name: texts.cardFee, value: formatUsd(card.fee) },
    { name: formatText(texts.renewsOnDay, { day }), value: formatUsd(card.price) },
  ];
}
