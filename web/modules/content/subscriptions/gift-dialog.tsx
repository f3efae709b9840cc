/** Gives another fan one period of a tier. The server checks whether that fan can receive it. */
import type { BillingOption, SubscriptionTier } from '@stagedoor/contract/content/subscription-tiers.ts';
import { giftSubscription } from '@stagedoor/contract/content/subscriptions.ts';
import { profilePath, receiptPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiError } from '../../../platform/api-error.ts';
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
import { SelectField, TextField } from '../../../ui/field.tsx';
import { useNow } from '../../../ui/use-now.ts';
import { addPeriod, formatPeriodName, subtractUsd, toPeriodKey } from './billing.ts';
import { creatorTiersQuery, type SubscribeCreator } from './creator-tiers.ts';
import { type RequestedPlan, resumeGiftHref } from './plan-choice.ts';
import { BalanceLine, PurchaseAction } from './purchase-action.tsx';
import { invalidateMoney, refetchTerms } from './subscription-cache.ts';
import * as texts from './texts.ts';
import { useSingleFlight } from './use-single-flight.ts';

export type GiftDialogProps = {
  creator: SubscribeCreator;
  tiers: readonly SubscriptionTier[];
  /** What the fan had chosen before a deposit. */
  initial: RequestedPlan & { username: string };
  balance: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

type GiftPlan = { key: string; tier: SubscriptionTier; option: BillingOption };

const toPlanKey = (tierId: string | undefined, period: string | undefined) => `${tierId} ${period}`;
const listPlans = (tiers: readonly SubscriptionTier[]): GiftPlan[] =>
  tiers.flatMap((tier) =>
    tier.options.map((option) => ({ key: toPlanKey(tier.id, toPeriodKey(option)), tier, option })),
  );

const formatPlan = ({ tier, option }: GiftPlan) =>
  `${isolateText(tier.name)}, ${formatPeriodName(option)}, ${formatUsd(option.price)}`;

function useGift({ creator, onOpenChange }: GiftDialogProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useApiMutation(giftSubscription, {
    showErrorMessage: false,
    onSuccess: ({ transactionId, paidUntil: _, ...balance }, { body }) => {
      updateBalance(client, balance);
      onOpenChange(false);
      void invalidateMoney(client);
      void client.invalidateQueries({ queryKey: creatorTiersQuery(creator.id).queryKey });
      void showToast(formatText(texts.giftSent, { username: isolateText(body.username) }), 'success', {
        action: { label: texts.receipt, onClick: () => void navigate(receiptPath(transactionId)) },
        id: `gift:${transactionId}`,
      });
    },
    onError: (error) => refetchTerms(client, creator.id, error),
  });
}

export function GiftDialog(props: GiftDialogProps) {
  const { creator, tiers, initial, balance, open, onOpenChange } = props;
  const now = new Date(useNow(open)).toISOString();
  const [username, setUsername] = useState(initial.username);
  const [isMissing, setMissing] = useState(false);
  const [chosenKey, setChosenKey] = useState(() => toPlanKey(initial.tierId, initial.period));
  const plans = listPlans(tiers);
  const plan = plans.find(({ key }) => key === chosenKey) ?? plans[0];
  const mutation = useGift(props);
  const sendOnce = useSingleFlight();
  const disabledMessage = useFeatureDisabledMessage('subscriptions');
  const price = plan?.option.price ?? 0;
  const purchase = usePurchaseObstacle(price, balance, mutation.error);
  if (!plan) return null;
  const { tier, option } = plan;
  const usernameError = mutation.error instanceof ApiError ? mutation.error.fields.username : undefined;
  const returnTo = resumeGiftHref(
    profilePath(creator.username),
    { tierId: tier.id, period: toPeriodKey(option) },
    username.trim(),
  );
  const day = formatShortDay(addPeriod(toDayKey(now), option), now);
  const submit = () => {
    const { recurrence, count } = option;
    const body = { username, tierId: tier.id, recurrence, count, price, timeZone: getTimeZone() };
    sendOnce((onSettled) => mutation.mutate({ body }, { onSettled }));
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      step={creator.name}
      title={texts.giftTitle}
      locked={mutation.isPending}
    >
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          setMissing(username.trim() === '');
          if (username.trim() !== '' && !purchase.obstacle && !mutation.isPending && disabledMessage === undefined)
            submit();
        }}
      >
        <TextField
          label={texts.giftRecipient}
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={username}
          error={isMissing ? texts.enterUsername : usernameError}
          onChange={(event) => {
            mutation.reset();
            setMissing(false);
            setUsername(event.currentTarget.value);
          }}
        />
        <SelectField
          label={texts.giftWhat}
          options={plans.map((each) => ({ value: each.key, label: formatPlan(each) }))}
          value={plan.key}
          onChange={(event) => {
            mutation.reset();
            setChosenKey(event.currentTarget.value);
          }}
        />
        <PriceSummary
          live
          items={[{ name: formatText(texts.giftPays, { day }), value: formatUsd(price) }]}
          total={{ name: texts.youPayToday, value: formatUsd(price) }}
        />
        <div>
          <PurchaseAction
            {...purchase}
            verb={texts.givePriced}
            price={price}
            addFundsText={texts.addFundsAndGive}
            missing={subtractUsd(price, balance)}
            returnTo={returnTo}
            disabledMessage={disabledMessage}
            isBusy={mutation.isPending}
            error={usernameError === undefined ? mutation.error : null}
          >
            <BalanceLine balance={balance} price={price} obstacle={purchase.obstacle} />
          </PurchaseAction>
          <p className="mt-3 border-t border-line pt-3 text-small text-muted">{texts.giftNoteText}</p>
        </div>
      </form>
    </Dialog>
  );
}
