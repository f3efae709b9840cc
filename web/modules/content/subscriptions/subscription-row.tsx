import type { Subscription } from '@stagedoor/contract/content/subscriptions.ts';
import { PATHS, profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { type ReactNode, useState } from 'react';
import { addFundsHref } from '../../../platform/address.ts';
import { findErrorHref } from '../../../platform/api-error.ts';
import { isolateText } from '../../../platform/bidi.ts';
import { formatDayTime, formatShortDay, lowercaseDayWord } from '../../../platform/dates.ts';
import { useLeavingLinkProps } from '../../../platform/running-call.ts';
import { useViewer } from '../../../platform/session.ts';
import { SpendingBoundNote, usePurchaseObstacle } from '../../../platform/spending-bound.tsx';
import { Avatar, StatusDot } from '../../../ui/avatar.tsx';
import { Button, PriceButton } from '../../../ui/button.tsx';
import { cx } from '../../../ui/class-names.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { VerifiedName } from '../../../ui/label.tsx';
import { formatPeriodName, formatPeriodUnit, subtractUsd } from './billing.ts';
import { getGroup } from './groups.ts';
import * as texts from './texts.ts';
import { isNewPriceDiscounted } from './upcoming-charges.ts';
import { useSingleFlight } from './use-single-flight.ts';
import { useSubscriptionActions } from './use-subscription-actions.ts';

type Actions = ReturnType<typeof useSubscriptionActions>;
type PartProps = { subscription: Subscription; now: string };

function getNames({ tier, creator }: Subscription) {
  return { tierName: isolateText(tier.name), creatorName: isolateText(creator.name) };
}

function formatOwnPeriod(subscription: Subscription): string {
  const { cardPeriodDays: days } = subscription;
  return days === null ? formatPeriodName(subscription) : formatText(texts.periodOfDays, { days });
}

function StateNote({ status, children }: { status: ReactNode; children?: ReactNode }) {
  return (
    <div className="min-w-0 text-small">
      <p role="status" className="font-semibold">
        {status}
      </p>
      {children && <p className="num text-pretty whitespace-normal! text-muted">{children}</p>}
    </div>
  );
}

function formatFailure({ purse }: Subscription, failure: NonNullable<Subscription['failure']>, now: string): string {
  const { nextAttemptAt, endsAt } = failure;
  const endDay = formatShortDay(endsAt, now);
  const [retryNote, lastNote] =
    purse === 'card' ? [texts.cardRetryNote, texts.cardDeclinedNote] : [texts.retryNote, texts.lastTryNote];
  const note =
    nextAttemptAt && nextAttemptAt < endsAt
      ? formatText(retryNote, { nextDay: formatShortDay(nextAttemptAt, now), endDay })
      : formatText(lastNote, { endDay });
  return purse === 'card' ? `${note} ${texts.cardSwitchNote}` : note;
}

function SubscriptionState({ subscription, now }: PartProps) {
  const { failure, newPrice, nextCharge, paidUntil, state, startedAt, isRenewing, isFree, price, discount, gift } =
    subscription;
  const format = (at: string) => formatShortDay(at, now);
  if (gift && !isRenewing && paidUntil)
    return (
      <StateNote status={<StatusDot>{formatText(texts.giftFrom, { giverName: isolateText(gift.name) })}</StatusDot>}>
        {formatText(texts.giftNote, {
          day: format(paidUntil),
          price: formatUsd(price),
          unit: formatPeriodUnit(subscription),
        })}
      </StateNote>
    );
  if (!isRenewing && !isFree)
    return (
      <StateNote
        status={
          <StatusDot state="off">
            {formatText(texts.openUntilDay, { day: paidUntil ? format(paidUntil) : '' })}
          </StatusDot>
        }
      >
        {subscription.purse === 'card' ? texts.cardCanceledNow : texts.canceledNow}
      </StateNote>
    );
  if (failure)
    return (
      <StateNote
        status={
          <span className="inline-flex items-center gap-1.5 text-danger">
            <Icon name="warning" size={18} />
            {texts.paymentFailed}
          </span>
        }
      >
        {formatFailure(subscription, failure, now)}
      </StateNote>
    );
  if (newPrice)
    return (
      <StateNote
        status={
          <StatusDot state="busy">{formatText(texts.newPriceTitle, { price: formatUsd(newPrice.price) })}</StatusDot>
        }
      >
        {formatText(texts.newPriceNote, { day: format(newPrice.from), oldPrice: formatUsd(price) })}
        {discount &&
          isNewPriceDiscounted(subscription) &&
          ` ${formatText(texts.newPriceDiscounted, { percent: discount.percentOff })}`}
      </StateNote>
    );
  if (state === 'trial' && nextCharge)
    return (
      <StateNote status={<StatusDot>{texts.freeTrial}</StatusDot>}>
        {formatText(texts.trialEnds, { day: format(nextCharge.at) })}
      </StateNote>
    );
  return (
    <StateNote status={<StatusDot>{texts.active}</StatusDot>}>
      {formatText(texts.sinceDay, { day: format(startedAt) })}
      {discount && nextCharge && `. ${formatRemainingDiscount(discount, price)}`}
    </StateNote>
  );
}

function formatRemainingDiscount(
  { percentOff, periodsLeft }: NonNullable<Subscription['discount']>,
  price: number,
): string {
  const values = { percent: percentOff, count: periodsLeft, price: formatUsd(price) };
  return formatText(periodsLeft === 1 ? texts.oneDiscountLeft : texts.discountsLeft, values);
}

function SubscriptionSum({ subscription, now }: PartProps) {
  const { failure, nextCharge, newPrice, paidUntil, price, isFree } = subscription;
  const format = (at: string) => formatShortDay(at, now);
  const [amount, note] = failure
    ? [failure.amount, paidUntil ? formatText(texts.wasDueOn, { day: format(paidUntil) }) : '']
    : nextCharge
      ? [nextCharge.amount, formatText(texts.onDay, { day: format(nextCharge.at) })]
      : newPrice && getGroup(subscription) === 'answer'
        ? [price, formatText(texts.untilDayOnly, { day: format(newPrice.from) })]
        : [0, isFree ? texts.noCharges : texts.noMoreCharges];
  return (
    <p className="num text-right">
      <b className="block leading-5 font-[640]">{formatUsd(amount)}</b>
      <small className="block text-small text-muted">{note}</small>
    </p>
  );
}

function PayNow({ subscription, actions }: { subscription: Subscription; actions: Actions }) {
  const balance = useViewer()?.deposit ?? 0;
  const { failure, price, purse } = subscription;
  // The balance pays the price without the fee of the card.
  const amount = purse === 'card' ? price : (failure?.amount ?? 0);
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
        verb={purse === 'card' ? texts.payFromBalance : texts.payNow}
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

const isRefundable = ({ refundableUntil }: Subscription, now: string) =>
  refundableUntil !== null && refundableUntil > now;

function RefundNote({ subscription, now }: PartProps) {
  const { refundableUntil } = subscription;
  if (refundableUntil === null || !isRefundable(subscription, now)) return null;
  return (
    <p className="num pt-1.5 text-small text-pretty whitespace-normal! text-muted">
      {formatText(texts.refundableUntil, { time: lowercaseDayWord(formatDayTime(refundableUntil, now)) })}
    </p>
  );
}

function RefundButton({ subscription, now, actions }: PartProps & { actions: Actions }) {
  const [isOpen, setIsOpen] = useState(false);
  const { id, price, purse } = subscription;
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
        lead={formatText(purse === 'card' ? texts.cardRefundLead : texts.refundLead, {
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

function getResumeTexts({ gift, purse }: Subscription): readonly [label: string, text: string] {
  if (gift !== null) return [texts.continueSubscription, texts.continueGift];
  if (purse === 'card') return [texts.renewSubscription, texts.renewFromBalance];
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
  const { id, isRenewing, isFree, purse } = subscription;
  const isOn = isRenewing || isFree;
  const names = getNames(subscription);
  const wasByCard = purse === 'card';
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

function RowActions({
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
        verb={texts.agree}
        price={formatUsd(newPrice.price) + formatPeriodUnit(subscription)}
        busy={actions.accept.isPending}
        busyText={texts.agreeing}
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

export type SubscriptionRowProps = PartProps & {
  /** The fan changed it on this page. It stays in its group, and the change can be undone. */
  isHeld: boolean;
  onChange: () => void;
};

export function SubscriptionRow({ subscription, now, isHeld, onChange }: SubscriptionRowProps) {
  const actions = useSubscriptionActions();
  const { creator, tier, isFree } = subscription;
  const isAnswer = getGroup(subscription) === 'answer';
  return (
    <li className="grid grid-cols-[44px_minmax(0,1fr)_auto] items-start gap-x-3.5 gap-y-2 border-b border-line py-4 lg:grid-cols-[44px_minmax(0,2fr)_minmax(0,3fr)_7rem_11.5rem] lg:gap-x-4">
      <Avatar name={creator.name} src={creator.avatarUrl} className="max-lg:row-span-3" />
      <div className="min-w-0">
        <VerifiedName href={profilePath(creator.username)}>{creator.name}</VerifiedName>
        <p className="num text-small wrap-anywhere whitespace-normal! text-muted">
          {isFree ? (
            <bdi>{tier.name}</bdi>
          ) : (
            formatText(texts.tierPeriodAndPurse, {
              tierName: isolateText(tier.name),
              period: formatOwnPeriod(subscription),
              purse: subscription.purse === 'card' ? texts.cardPurse : texts.balancePurse,
            })
          )}
        </p>
      </div>
      <div className="max-lg:col-start-3 max-lg:row-start-1 lg:order-1">
        <SubscriptionSum subscription={subscription} now={now} />
      </div>
      <div className="min-w-0 max-lg:col-span-2 max-lg:col-start-2">
        <SubscriptionState subscription={subscription} now={now} />
        <RefundNote subscription={subscription} now={now} />
        {actions.error && <InlineError message={actions.error.message} href={findErrorHref(actions.error)} />}
      </div>
      <div
        className={cx(
          'flex flex-wrap gap-2 max-lg:col-span-2 max-lg:col-start-2 lg:order-2',
          isAnswer ? 'lg:grid lg:[&>.btn]:px-3' : 'lg:flex-col lg:items-end',
          isAnswer && 'max-lg:[&>.btn]:flex-1',
        )}
      >
        <RowActions {...{ subscription, actions, isHeld, onChange }} />
        <RefundButton subscription={subscription} now={now} actions={actions} />
      </div>
    </li>
  );
}
