/** What pays for a subscription: the balance, or a card that the processor charges each period. */
import { getDepositOptions } from '@stagedoor/contract/commerce/deposits.ts';
import { getCardPeriodDays, getCardPrice } from '@stagedoor/contract/content/card-prices.ts';
import type { BillingOption } from '@stagedoor/contract/content/subscription-tiers.ts';
import type { PaymentSource } from '@stagedoor/contract/content/subscriptions.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { apiQuery } from '../../../platform/query.ts';
import { useFeatureDisabledMessage } from '../../../platform/site-status.ts';
import { RadioRows } from '../../../ui/choice.tsx';
import { addDays, type ChargePlan, subtractUsd } from './billing.ts';
import * as texts from './texts.ts';

type CardLimits = Pick<ResponseOf<typeof getDepositOptions>, 'hasSubscriptions' | 'min' | 'max'>;

/** A card pays a price with the fee, after whole days. */
export type CardPlan = { price: number; fee: number; days: number; nextDay: string };

export function createCardPlan(option: BillingOption, today: string): CardPlan {
  const price = getCardPrice(option.price);
  const days = getCardPeriodDays(option);
  return { price, fee: subtractUsd(price, option.price), days, nextDay: addDays(today, days) };
}

/** Returns why a card cannot pay, or undefined. */
export function findCardObstacle(
  { price }: Pick<CardPlan, 'price'>,
  { trialDays }: Pick<ChargePlan, 'trialDays'>,
  { hasSubscriptions, min, max }: CardLimits,
): string | undefined {
  if (!hasSubscriptions) return texts.noCardSubscriptions;
  if (trialDays !== null) return texts.trialNotByCard;
  if (price < min) return formatText(texts.cardBelowMinimum, { min: formatUsd(min) });
  return price > max ? formatText(texts.cardAboveMaximum, { max: formatUsd(max) }) : undefined;
}

type PaymentSourceChoiceProps = {
  value: PaymentSource;
  onChange: (paymentSource: PaymentSource) => void;
  balance: number;
  plan: ChargePlan;
  card: CardPlan;
  /** Undefined while it is not known whether a card can pay. */
  obstacle: { message: string | undefined } | undefined;
  disabled: boolean;
};

/** Only the balance can be chosen while it is unknown whether a card can pay, or an operator disabled cards. */
export function useCardObstacle(
  card: CardPlan | undefined,
  plan: ChargePlan | undefined,
  { isChange, isDiscounted }: { isChange: boolean; isDiscounted: boolean },
) {
  const { data } = useQuery(apiQuery(getDepositOptions, {}));
  const depositsMessage = useFeatureDisabledMessage('deposits');
  const disabledMessage = useFeatureDisabledMessage('cardSubscriptions') ?? depositsMessage;
  if (!card || !plan) return undefined;
  if (disabledMessage !== undefined) return { message: disabledMessage };
  if (isChange) return { message: texts.tierChangeNotByCard };
  if (isDiscounted) return { message: texts.offerNotByCard };
  return data && { message: findCardObstacle(card, plan, data) };
}

export function PaymentSourceChoice({
  value,
  onChange,
  balance,
  plan,
  card,
  obstacle,
  disabled,
}: PaymentSourceChoiceProps) {
  const id = useId();
  return (
    <div className="pt-4">
      <p id={id} className="pb-1 text-small text-muted">
        {texts.payWith}
      </p>
      <RadioRows
        name="paymentSource"
        labelledBy={id}
        value={value}
        onValueChange={(next) => onChange(next === 'card' ? 'card' : 'balance')}
        choices={[
          {
            value: 'balance',
            title: texts.balanceSource,
            sub: formatText(texts.balanceAvailable, { amount: formatUsd(balance) }),
            end: formatUsd(plan.trialDays === null ? plan.today : plan.renewal),
            disabled,
          },
          {
            value: 'card',
            title: texts.cardSource,
            sub: obstacle?.message ?? formatText(texts.cardFeeIncluded, { fee: formatUsd(card.fee) }),
            end: obstacle?.message === undefined ? formatUsd(card.price) : undefined,
            disabled: disabled || !obstacle || obstacle.message !== undefined,
          },
        ]}
      />
    </div>
  );
}
