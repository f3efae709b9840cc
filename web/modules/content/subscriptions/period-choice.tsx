import type { BillingOption, SubscriptionTier, ViewedOffer } from '@stagedoor/contract/content/subscription-tiers.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { formatShortDay, toDayKey } from '../../../platform/dates.ts';
import { RadioRows } from '../../../ui/choice.tsx';
import {
  type ChargePlan,
  createChargePlan,
  type Discount,
  findDiscount,
  findSaving,
  formatPeriodName,
  formatPeriodUnit,
  formatTrialName,
  type PeriodKey,
  toPeriodKey,
} from './billing.ts';
import * as texts from './texts.ts';

function formatOptionNote(
  option: BillingOption,
  tier: SubscriptionTier,
  { plan, discount, now }: { plan: ChargePlan; discount: Discount | undefined; now: string },
) {
  if (discount) return formatText(texts.laterPrice, { price: formatUsd(option.price), unit: formatPeriodUnit(option) });
  const saving = findSaving(option, tier.options);
  const savingText =
    saving &&
    formatText(texts.savedPerMonth, { perMonth: formatUsd(saving.perMonth), saved: formatUsd(saving.amount) });
  if (plan.trialDays === null) return savingText || undefined;
  const trial = formatText(texts.trialUntil, {
    trial: formatTrialName(plan.trialDays),
    day: formatShortDay(plan.nextDay, now),
  });
  return savingText || trial;
}

type PeriodChoiceProps = {
  tier: SubscriptionTier;
  offer: ViewedOffer | null;
  /** Free days before the first charge, or null. */
  trialDays: number | null;
  now: string;
  value: PeriodKey | undefined;
  isDisabled: boolean;
  onChange: (key: PeriodKey) => void;
};

/** The billing periods of a tier, each with its price and what it saves. */
export function PeriodChoice({ tier, offer, trialDays, now, value, isDisabled, onChange }: PeriodChoiceProps) {
  return (
    <RadioRows
      name="period"
      label={texts.billingPeriod}
      value={value}
      onValueChange={onChange}
      choices={tier.options.map((option) => {
        const discount = findDiscount(offer, tier.id, option);
        const plan = createChargePlan(option, trialDays, toDayKey(now), discount);
        return {
          value: toPeriodKey(option),
          title: formatPeriodName(option),
          sub: formatOptionNote(option, tier, { plan, discount, now }),
          end: formatUsd(discount?.price ?? option.price),
          disabled: isDisabled,
        };
      })}
    />
  );
}
