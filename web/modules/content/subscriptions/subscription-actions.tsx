import type { Subscription } from '@stagedoor/contract/content/subscriptions.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useState } from 'react';
import { addFundsHref } from '../../../platform/address.ts';
import { isolateText } from '../../../platform/bidi.ts';
import { useLeavingLinkProps } from '../../../platform/running-call.ts';
import { useViewer } from '../../../platform/session.ts';
import { SpendingBoundNote, usePurchaseObstacle } from '../../../platform/spending-bound.tsx';
import { Button, PriceButton } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { formatPeriodUnit, subtractUsd } from './billing.ts';
import { getGroup } from './groups.ts';
import * as texts from './texts.ts';
import { useSingleFlight } from './use-single-flight.ts';
import type { useSubscriptionActions } from './use-subscription-actions.ts';

type Actions = ReturnType<typeof useSubscriptionActions>;

function getNames({ tier, creator }: Subscription) {
  return { tierName: isolateText(tier.name), creatorName: isolateText(creator.name) };
}

function PayNow({ subscription, actions }: { subscription: Subscription; actions: Actions }) {
  const balance = useViewer()?.deposit ?? 0;
  const { failure, price, paymentSource } = subscription;
  // The balance pays the price without the fee of the card.
  const amount = paymentSource === 'card' ? price : (failure?.amount ?? 0);
  const sendOnce = useSingleFlight();
  const { bound, obstacle } = usePurchaseObstacle(amount, balance, actions.pay.error);
  const leavingLink = useLeavingLinkProps();
  if (obstacle === 'balance')
    return (
      <Button
        variant="primary"
        href={addFundsHref(subtractUsd(amount, balance), PATHS.fanSubscriptions)}
        {...leavingLink}
      >
        {texts.addFundsToPay}
      </Button>
    );
  return (
    <>
      <PriceButton
        verb={paymentSource === 'card' ? texts.payFromBalance : texts.payNow}
        price={formatUsd(amount)}
        busy={actions.pay.isPending}
        disabled={obstacle === 'limit'}
        onClick={() => sendOnce((onSettled) => actions.pay.mutate({ params: { id: subscription.id } }, { onSettled }))}
      />
      {obstacle === 'limit' && bound && <SpendingBoundNote bound={bound} />}
    </>
  );
}

/** Ends a subscription whose access is not paid, after a confirmation, because that cannot be undone. */
function EndNow({ subscription, actions }: { subscription: Subscription; actions: Actions }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" aria-haspopup="dialog" disabled={actions.isBusy} onClick={() => setIsOpen(true)}>
        {texts.letItEnd}
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title={texts.endNowTitle}
        lead={formatText(texts.endNowLead, getNames(subscription))}
        confirmText={texts.endNowConfirm}
        cancelText={texts.keepSubscription}
        danger
        busy={actions.cancel.isPending}
        onConfirm={() => {
          actions.cancel.mutate({ params: { id: subscription.id } }, { onSettled: () => setIsOpen(false) });
        }}
      />
    </>
  );
}

export const isRefundable = ({ refundableUntil }: Subscription, now: string) =>
  refundableUntil !== null && refundableUntil > now;

export function RefundButton({
  subscription,
  now,
  actions,
}: {
  subscription: Subscription;
  now: string;
  actions: Actions;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const { id, price, paymentSource } = subscription;
  if (!isRefundable(subscription, now)) return null;
  return (
    <>
      <Button
        variant="quiet"
        aria-label={formatText(texts.refundCharge, getNames(subscription))}
        aria-haspopup="dialog"
        disabled={actions.isBusy}
        onClick={() => setIsOpen(true)}
      >
        {texts.refund}
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title={texts.refundTitle}
        lead={formatText(paymentSource === 'card' ? texts.cardRefundLead : texts.refundLead, {
          ...getNames(subscription),
          price: formatUsd(price),
        })}
        confirmText={texts.refundConfirm}
        cancelText={texts.keepSubscription}
        busy={actions.refund.isPending}
        onConfirm={() => actions.refund.mutate({ params: { id } }, { onSettled: () => setIsOpen(false) })}
      />
    </>
  );
}

function getResumeTexts({ gift, paymentSource }: Subscription): readonly [label: string, text: string] {
  if (gift !== null) return [texts.continueSubscription, texts.continueGift];
  if (paymentSource === 'card') return [texts.renewSubscription, texts.renewFromBalance];
  return [texts.resumeSubscription, texts.resume];
}

/** Cancels and undoes with the same button, so that a press by mistake is corrected by a second one. */
function CancelButton({
  subscription,
  actions,
  isUndo,
  onChange,
}: {
  subscription: Subscription;
  actions: Actions;
  isUndo: boolean;
  onChange: () => void;
}) {
  const { id, isRenewing, isFree, paymentSource } = subscription;
  const isOn = isRenewing || isFree;
  const names = getNames(subscription);
  const wasByCard = paymentSource === 'card';
  const [resumeLabel, resumeText] = getResumeTexts(subscription);
  // A card is not charged again, so a press by mistake cannot be undone, but the balance can renew it.
  const offLabel = isUndo && !wasByCard ? texts.undoCancellation : resumeLabel;
  const offText = isUndo && !wasByCard ? texts.undo : resumeText;
  const { cancel, resume } = actions;
  return (
    <Button
      icon={isOn || !isUndo || wasByCard ? undefined : 'undo'}
      className="max-lg:min-w-30"
      aria-label={formatText(isOn ? texts.cancelSubscription : offLabel, names)}
      busy={cancel.isPending || resume.isPending}
      busyText={isOn ? texts.canceling : texts.resuming}
      onClick={() => {
        onChange();
        if (isOn) cancel.mutate({ params: { id } });
        else resume.mutate({ params: { id } });
      }}
    >
      {isOn ? texts.cancel : offText}
    </Button>
  );
}

/** The buttons for what the fan can do with a subscription now. */
export function SubscriptionActions({
  subscription,
  actions,
  isHeld,
  onChange,
}: {
  subscription: Subscription;
  actions: Actions;
  isHeld: boolean;
  onChange: () => void;
}) {
  const { id, failure, newPrice } = subscription;
  const cancelButton = <CancelButton {...{ subscription, actions, onChange }} isUndo={isHeld} />;
  if (getGroup(subscription) !== 'answer') return cancelButton;
  if (failure)
    return (
      <>
        <PayNow subscription={subscription} actions={actions} />
        <EndNow subscription={subscription} actions={actions} />
      </>
    );
  if (!newPrice) return cancelButton;
  return (
    <>
      <PriceButton
        variant="ink"
        verb={texts.accept}
        price={formatUsd(newPrice.price) + formatPeriodUnit(subscription)}
        busy={actions.accept.isPending}
        busyText={texts.accepting}
        onClick={() => actions.accept.mutate({ params: { id }, body: { price: newPrice.price } })}
      />
      <Button
        busy={actions.cancel.isPending}
        busyText={texts.canceling}
        onClick={() => {
          onChange();
          actions.cancel.mutate({ params: { id } });
        }}
      >
        {texts.letItEnd}
      </Button>
    </>
  );
}
