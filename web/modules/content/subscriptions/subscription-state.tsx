import type { Subscription } from '@stagedoor/contract/content/subscriptions.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { ReactNode } from 'react';
import { isolateText } from '../../../platform/bidi.ts';
import { formatShortDay } from '../../../platform/dates.ts';
import { StatusDot } from '../../../ui/avatar.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { formatPeriodUnit } from './billing.ts';
import * as texts from './texts.ts';
import { isNewPriceDiscounted } from './upcoming-charges.ts';

type SubscriptionStateProps = { subscription: Subscription; now: string };

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

function formatFailure(
  { paymentSource }: Subscription,
  failure: NonNullable<Subscription['failure']>,
  now: string,
): string {
  const { nextAttemptAt, endsAt } = failure;
  const endDay = formatShortDay(endsAt, now);
  const [retryNote, lastNote] =
    paymentSource === 'card' ? [texts.cardRetryNote, texts.cardDeclinedNote] : [texts.retryNote, texts.lastTryNote];
  const note =
    nextAttemptAt && nextAttemptAt < endsAt
      ? formatText(retryNote, { nextDay: formatShortDay(nextAttemptAt, now), endDay })
      : formatText(lastNote, { endDay });
  return paymentSource === 'card' ? `${note} ${texts.cardSwitchNote}` : note;
}

/** What the status of a subscription means for the fan. */
export function SubscriptionState({ subscription, now }: SubscriptionStateProps) {
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
        {subscription.paymentSource === 'card' ? texts.cardCanceledNow : texts.canceledNow}
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
