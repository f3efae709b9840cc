/** Confirms a subscription with what today and the renewal cost. It is shown only after the server confirms it. */

import type { BillingOption, SubscriptionTier } from '@stagedoor/contract/content/subscription-tiers.ts';
import { type Purse, subscribe } from '@stagedoor/contract/content/subscriptions.ts';
import { profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addFundsHref } from '../../../platform/address.ts';
import { ApiError, findErrorHref } from '../../../platform/api-error.ts';
import { isolateText } from '../../../platform/bidi.ts';
import { formatShortDay, toDayKey } from '../../../platform/dates.ts';
import { showToast } from '../../../platform/feedback.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { useLeavingLinkProps } from '../../../platform/running-call.ts';
import { updateBalance } from '../../../platform/session.ts';
import { useFeatureDisabledMessage } from '../../../platform/site-status.ts';
import { SpendingBoundNote, usePurchaseObstacle } from '../../../platform/spending-bound.tsx';
import { getTimeZone } from '../../../platform/time-zone.ts';
import { Button, PriceButton } from '../../../ui/button.tsx';
import { RadioRows } from '../../../ui/choice.tsx';
import { PriceSummary } from '../../../ui/definition-list.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { Banner } from '../../../ui/states.tsx';
import { useNow } from '../../../ui/use-now.ts';
import {
  type ChargePlan,
  createChargePlan,
  type Discount,
  findDiscount,
  findOption,
  findSaving,
  formatIncluded,
  formatInterval,
  formatPeriodName,
  formatPeriodUnit,
  formatTrialName,
  hasOwnContent,
  isReminded,
  type PeriodKey,
  toPeriodKey,
} from './billing.ts';
import { CodeForm } from './code-form.tsx';
import { type ChosenPlan, creatorTiersQuery } from './creator-tiers.ts';
import { choosePlanHref, resumeSubscribeHref } from './plan-choice.ts';
import { type CardPlan, createCardPlan, PurseChoice, useCardObstacle } from './purse-choice.tsx';
import { invalidateMoney, invalidateSubscriptions, updateCachedSubscription } from './subscription-cache.ts';
import * as texts from './texts.ts';
import { useCardOrder } from './use-card-order.ts';
import { useSingleFlight } from './use-single-flight.ts';

/** A free tier has no option, and is stored as one that would renew by the month for nothing. */
const FREE_OPTION: BillingOption = { recurrence: 'monthaly', count: 1, price: 0 };
const toDifference = (a: number, b: number) => Math.round((a - b) * 100) / 100;

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

function listCharges(option: BillingOption, tier: SubscriptionTier, plan: ChargePlan, now: string) {
  const day = formatShortDay(plan.nextDay, now);
  const renewal = formatUsd(plan.renewal);
  const { afterOffer } = plan;
  const later =
    afterOffer && afterOffer.price !== plan.renewal
      ? [
          {
            name: formatText(texts.fullPriceFrom, {
              day: formatShortDay(afterOffer.day, now),
              interval: formatInterval(option),
            }),
            value: formatUsd(afterOffer.price),
          },
        ]
      : [];
  if (plan.trialDays !== null)
    return [
      { name: formatText(texts.firstChargeOn, { day }), value: renewal },
      ...(later.length > 0
        ? later
        : [{ name: formatText(texts.thenEvery, { interval: formatInterval(option) }), value: renewal }]),
    ];
  return [
    { name: formatText(texts.untilDay, { tierName: isolateText(tier.name), day }), value: formatUsd(plan.today) },
    { name: formatText(texts.renewsOnDay, { day }), value: renewal },
    ...later,
  ];
}

function listCardCharges(tier: SubscriptionTier, option: BillingOption, card: CardPlan, now: string) {
  const day = formatShortDay(card.nextDay, now);
  return [
    { name: formatText(texts.untilDay, { tierName: isolateText(tier.name), day }), value: formatUsd(option.price) },
    { name: texts.cardFee, value: formatUsd(card.fee) },
    { name: formatText(texts.renewsOnDay, { day }), value: formatUsd(card.price) },
  ];
}

function BalanceLine({
  balance,
  plan,
  obstacle,
  now,
}: {
  balance: number;
  plan: ChargePlan;
  obstacle: 'limit' | 'balance' | undefined;
  now: string;
}) {
  const isTrial = plan.trialDays !== null;
  const remaining = toDifference(balance, isTrial ? plan.renewal : plan.today);
  const day = formatShortDay(plan.nextDay, now);
  const getNote = () => {
    if (obstacle === 'limit') return texts.overSpendingLimit;
    if (obstacle) return formatText(texts.missing, { amount: formatUsd(-Math.min(remaining, 0)) });
    if (!isTrial) return formatText(texts.balanceAfter, { amount: formatUsd(remaining) });
    return remaining < 0
      ? formatText(texts.neededOn, { amount: formatUsd(plan.renewal), day })
      : formatText(texts.balanceAfterDay, { amount: formatUsd(remaining), day });
  };
  return (
    <p className="num flex flex-wrap justify-between gap-x-4 pt-3 text-small text-muted">
      <span>{formatText(texts.balance, { amount: formatUsd(balance) })}</span>
      <span>{getNote()}</span>
    </p>
  );
}

function getVerb(plan: ChargePlan | undefined): string {
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
    // The terms may have changed. The error of a conflict waits for the refetch, because a press before that would send the
    // old terms again.
    onError: (error) => {
      const refetching = client.invalidateQueries({ queryKey: creatorTiersQuery(creator.id).queryKey });
      return error instanceof ApiError && error.code === 'CONFLICT' ? refetching : undefined;
    },
  });
}

export function SubscribeDialog(props: SubscribeDialogProps) {
  const { creator, tier, canTry, offer, balance, open, onOpenChange, onCode } = props;
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
  const trialDays = canTry ? tier.trialDays : null;
  const today = toDayKey(now);
  const discount = findDiscount(offer, tier.id, option);
  const plan = option ? createChargePlan(option, trialDays, today, discount) : undefined;
  const price = plan?.today ?? 0;
  const { data } = useQuery(creatorTiersQuery(creator.id, offer?.code));
  const refundHours = data?.refundHours ?? 0;
  const current = data?.subscription;
  const isPaidChange = current?.paidUntil != null && current.tierId !== tier.id && current.paidUntil > now;
  const [wantedPurse, setWantedPurse] = useState<Purse>('balance');
  const card = option && createCardPlan(option, today);
  const cardObstacle = useCardObstacle(card, plan, discount !== undefined);
  const isByCard = wantedPurse === 'card' && cardObstacle !== undefined && cardObstacle.message === undefined;
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
  const { bound, obstacle } = usePurchaseObstacle(isByCard ? 0 : price, balance, mutation.error);
  const leavingLink = useLeavingLinkProps();
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
      title={formatText(texts.subscribeToTier, { tierName: isolateText(tier.name) })}
      locked={isBusy}
    >
      {/* The space keeps a focused choice clear of the action, which stays in view on a phone. */}
      <form
        className="[&_input]:scroll-mb-36"
        onSubmit={(event) => {
          event.preventDefault();
          if (!obstacle && !isBusy && disabledMessage === undefined) submit();
        }}
      >
        {data && hasOwnContent(tier, data.free) && (
          <p className="num pb-3 text-small text-muted">{formatIncluded(tier)}</p>
        )}
        {tier.options.length > 1 && (
          <RadioRows
            name="period"
            label={texts.billingPeriod}
            value={option && toPeriodKey(option)}
            onValueChange={(key) => {
              resetErrors();
              setOwnPeriod(key);
            }}
            choices={tier.options.map((each) => {
              const reduced = findDiscount(offer, tier.id, each);
              const ownPlan = createChargePlan(each, trialDays, today, reduced);
              return {
                value: toPeriodKey(each),
                title: formatPeriodName(each),
                sub: formatOptionNote(each, tier, { plan: ownPlan, discount: reduced, now }),
                end: formatUsd(reduced?.price ?? each.price),
                disabled: isBusy,
              };
            })}
          />
        )}
        {card && plan && (
          <PurseChoice
            {...{ balance, plan, card }}
            value={isByCard ? 'card' : 'balance'}
            onChange={(purse) => {
              resetErrors();
              setWantedPurse(purse);
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
          {disabledMessage !== undefined ? (
            <Banner kind="warn" inline>
              {disabledMessage}
            </Banner>
          ) : obstacle === 'balance' ? (
            <Button
              variant="primary"
              size="lg"
              wide
              href={addFundsHref(toDifference(price, balance), returnTo)}
              {...leavingLink}
            >
              {texts.addFundsAndSubscribe}
            </Button>
          ) : (
            <PriceButton
              type="submit"
              wide
              split
              size="lg"
              verb={isByCard ? texts.continueToCard : getVerb(plan)}
              price={formatText(texts.priceToday, { price: formatUsd(isByCard && card ? card.price : price) })}
              busy={isBusy}
              disabled={obstacle === 'limit'}
            />
          )}
          {plan && !isByCard && <BalanceLine balance={balance} plan={plan} obstacle={obstacle} now={now} />}
          {obstacle === 'limit' && bound && <SpendingBoundNote bound={bound} />}
          {mutation.error && !obstacle && (
            <InlineError message={mutation.error.message} href={findErrorHref(mutation.error)} />
          )}
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
                price > 0 && refundHours > 0
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
          isDisabled={mutation.isPending}
          onCode={(code) => {
            mutation.reset();
            onCode(code);
          }}
        />
      )}
    </Dialog>
  );
}
