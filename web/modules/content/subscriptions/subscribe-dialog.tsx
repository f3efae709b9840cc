/** Confirms a subscription. Shows what it costs today and later, from the balance or by card. */

import type { BillingOption } from '@stagedoor/contract/content/subscription-tiers.ts';
import { type PaymentSource, subscribe } from '@stagedoor/contract/content/subscriptions.ts';
import { profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isolateText } from '../../../platform/bidi.ts';
import { formatShortDay, toDayKey } from '../../../platform/dates.ts';
import { showToast } from '../../../platform/feedback.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { updateBalance } from '../../../platform/session.ts';
import { useFeatureDisabledMessage } from '../../../platform/site-status.ts';
import { usePurchaseObstacle } from '../../../platform/spending-bound.tsx';
import { getTimeZone } from '../../../platform/time-zone.ts';
import { PriceSummary } from '../../../ui/definition-list.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { useNow } from '../../../ui/use-now.ts';
import {
  type ChargePlan,
  createChargePlan,
  findDiscount,
  findOption,
  formatIncluded,
  hasOwnContent,
  isReminded,
  type PeriodKey,
  subtractUsd,
  toPeriodKey,
} from './billing.ts';
import { CodeForm } from './code-form.tsx';
import { type ChosenPlan, creatorTiersQuery } from './creator-tiers.ts';
import { createCardPlan, PaymentSourceChoice, useCardObstacle } from './payment-source-choice.tsx';
import { PeriodChoice } from './period-choice.tsx';
import { listCardCharges, listCharges } from './plan-charges.ts';
import { choosePlanHref, resumeSubscribeHref } from './plan-choice.ts';
import { BalanceLine, PurchaseAction } from './purchase-action.tsx';
import {
  invalidateMoney,
  invalidateSubscriptions,
  refetchTerms,
  updateCachedSubscription,
} from './subscription-cache.ts';
import * as texts from './texts.ts';
import { useCardOrder } from './use-card-order.ts';
import { useSingleFlight } from './use-single-flight.ts';

/** The server stores a free tier as a monthly period without a price. */
const FREE_OPTION: BillingOption = { recurrence: 'monthaly', count: 1, price: 0 };

function getVerb(plan: ChargePlan | undefined, isChange: boolean): string {
  if (isChange) return texts.changeTier;
  if (!plan) return texts.subscribeForFree;
  return plan.trialDays === null ? texts.subscribe : texts.startTrial;
}

export type SubscribeDialogProps = ChosenPlan & {
  onCode: (code: string | undefined) => void;
  balance: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

function useSubscribe({ creator, tier, onOpenChange }: SubscribeDialogProps) {
  const client = useQueryClient();
  return useApiMutation(subscribe, {
    showErrorMessage: false,
    onSuccess: ({ subscription, transactionId: _, ...balance }) => {
      updateBalance(client, balance);
      onOpenChange(false);
      updateCachedSubscription(client, subscription);
      void invalidateSubscriptions(client);
      void invalidateMoney(client);
      const [tierName, creatorName] = [isolateText(tier.name), isolateText(creator.name)];
      void showToast(formatText(texts.subscribedToast, { tierName, creatorName }), 'success', {
        id: `subscription:${subscription.id}`,
      });
    },
    onError: (error) => refetchTerms(client, creator.id, error),
  });
}

export function SubscribeDialog(props: SubscribeDialogProps) {
  const { creator, tier, canHaveTrial, offer, balance, open, onOpenChange, onCode } = props;
  // The page may have been open since yesterday.
  const now = new Date(useNow(open)).toISOString();
  const [ownPeriod, setOwnPeriod] = useState<PeriodKey>();
  const [pagePeriod, setPagePeriod] = useState(props.period);
  // The period that was chosen on the page last counts.
  if (pagePeriod !== props.period) {
    setPagePeriod(props.period);
    setOwnPeriod(undefined);
  }
  const period = ownPeriod ?? props.period;
  const option = findOption(tier, period);
  const trialDays = canHaveTrial ? tier.trialDays : null;
  const today = toDayKey(now);
  const discount = findDiscount(offer, tier.id, option);
  const plan = option ? createChargePlan(option, trialDays, today, discount) : undefined;
  const price = plan?.today ?? 0;
  const { data } = useQuery(creatorTiersQuery(creator.id, offer?.code));
  const refundHours = data?.refundHours ?? 0;
  const current = data?.subscription;
  const isChange = current != null && current.tierId !== tier.id;
  const isPaidChange = isChange && current.paidUntil !== null && current.paidUntil > now;
  const [chosenSource, setChosenSource] = useState<PaymentSource>('balance');
  const card = option && createCardPlan(option, today);
  const cardObstacle = useCardObstacle(card, plan, { isChange, isDiscounted: discount !== undefined });
  const isByCard = chosenSource === 'card' && cardObstacle !== undefined && cardObstacle.message === undefined;
  const order = useCardOrder(creator.id);
  const own = useSubscribe(props);
  const mutation = isByCard ? order.mutation : own;
  const isBusy = own.isPending || order.mutation.isPending || order.isLeaving;
  const resetErrors = () => {
    own.reset();
    order.mutation.reset();
  };
  const sendOnce = useSingleFlight();
  const disabledMessage = useFeatureDisabledMessage('subscriptions');
  const purchase = usePurchaseObstacle(isByCard ? 0 : price, balance, mutation.error);
  const returnTo = resumeSubscribeHref(profilePath(creator.username), { tierId: tier.id, period }, offer?.code);
  const submit = () => {
    const { recurrence, count } = option ?? FREE_OPTION;
    if (isByCard && card) {
      const returnPath = choosePlanHref(profilePath(creator.username), { tierId: tier.id, period });
      const ordered = { tierId: tier.id, recurrence, count, expected: card.price, timeZone: getTimeZone(), returnPath };
      return sendOnce((onSettled) => order.mutation.mutate({ body: ordered }, { onSettled }));
    }
    const expected = { today: price, renewal: plan?.renewal ?? 0, afterOffer: plan?.afterOffer?.price };
    const body = { tierId: tier.id, recurrence, count, expected, offer: discount?.code, timeZone: getTimeZone() };
    sendOnce((onSettled) => own.mutate({ body }, { onSettled }));
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      step={creator.name}
      title={formatText(isChange ? texts.changeToTier : texts.subscribeToTier, { tierName: isolateText(tier.name) })}
      locked={isBusy}
    >
      {/* On a phone the action covers the lower part of the form, so a focused choice scrolls above it. */}
      <form
        className="[&_input]:scroll-mb-36"
        onSubmit={(event) => {
          event.preventDefault();
          if (!purchase.obstacle && !isBusy && disabledMessage === undefined) submit();
        }}
      >
        {data && hasOwnContent(tier, data.free) && (
          <p className="num pb-3 text-small text-muted">{formatIncluded(tier)}</p>
        )}
        {tier.options.length > 1 && (
          <PeriodChoice
            {...{ tier, offer, trialDays, now }}
            value={option && toPeriodKey(option)}
            isDisabled={isBusy}
            onChange={(key) => {
              resetErrors();
              setOwnPeriod(key);
            }}
          />
        )}
        {card && plan && (
          <PaymentSourceChoice
            {...{ balance, plan, card }}
            value={isByCard ? 'card' : 'balance'}
            onChange={(paymentSource) => {
              resetErrors();
              setChosenSource(paymentSource);
            }}
            obstacle={cardObstacle}
            disabled={isBusy}
          />
        )}
        {option && plan && card && (
          <PriceSummary
            live
            className="pt-2"
            items={isByCard ? listCardCharges(tier, option, card, now) : listCharges(option, tier, plan, now)}
            total={{ name: texts.youPayToday, value: formatUsd(isByCard ? card.price : plan.today) }}
          />
        )}
        <div className="z-[1] bg-surface-0 pt-4 pb-3 max-md:sticky max-md:bottom-[calc(-24px-env(safe-area-inset-bottom))] max-md:border-t max-md:border-line">
          <PurchaseAction
            {...purchase}
            verb={isByCard ? texts.continueToCard : getVerb(plan, isChange)}
            price={isByCard && card ? card.price : price}
            addFundsText={isChange ? texts.addFundsAndChange : texts.addFundsAndSubscribe}
            missing={subtractUsd(price, balance)}
            returnTo={returnTo}
            disabledMessage={disabledMessage}
            isBusy={isBusy}
            error={mutation.error}
          >
            {plan && !isByCard && (
              <BalanceLine
                balance={balance}
                obstacle={purchase.obstacle}
                {...(plan.trialDays === null
                  ? { price: plan.today }
                  : { price: plan.renewal, chargeDay: formatShortDay(plan.nextDay, now) })}
              />
            )}
          </PurchaseAction>
        </div>
        {isPaidChange && <p className="border-t border-line py-3 text-small">{texts.tierChangeNote}</p>}
        <p className="border-t border-line pt-3 text-small text-muted">
          {option
            ? [
                isByCard && card
                  ? formatText(texts.cardRenewalNote, { days: card.days, day: formatShortDay(card.nextDay, now) })
                  : '',
                texts.cancelNote,
                isReminded({ ...option, price: discount?.price ?? option.price }) ? texts.reminderNote : '',
                price > 0 && refundHours > 0 && !isPaidChange
                  ? formatText(isByCard ? texts.cardRefundNote : texts.refundNote, { hours: refundHours })
                  : '',
              ]
                .filter(Boolean)
                .join(' ')
            : texts.freeNote}
        </p>
      </form>
      {option && (
        <CodeForm
          creatorId={creator.id}
          tier={tier}
          offer={offer}
          isDisabled={isBusy}
          onCode={(code) => {
            resetErrors();
            onCode(code);
          }}
        />
      )}
    </Dialog>
  );
}
