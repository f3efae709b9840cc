import type { Subscription } from '@stagedoor/contract/content/subscriptions.ts';
import { profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { findErrorHref } from '../../../platform/api-error.ts';
import { isolateText } from '../../../platform/bidi.ts';
import { formatDayTime, formatShortDay, lowercaseDayWord } from '../../../platform/dates.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { cx } from '../../../ui/class-names.ts';
import { InlineError } from '../../../ui/inline-error.tsx';
import { VerifiedName } from '../../../ui/label.tsx';
import { formatPeriodName } from './billing.ts';
import { getGroup } from './groups.ts';
import { isRefundable, RefundButton, SubscriptionActions } from './subscription-actions.tsx';
import { SubscriptionState } from './subscription-state.tsx';
import * as texts from './texts.ts';
import { useSubscriptionActions } from './use-subscription-actions.ts';

type PartProps = { subscription: Subscription; now: string };

function formatOwnPeriod(subscription: Subscription): string {
  const { cardPeriodDays: days } = subscription;
  return days === null ? formatPeriodName(subscription) : formatText(texts.periodOfDays, { days });
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

function RefundNote({ subscription, now }: PartProps) {
  const { refundableUntil } = subscription;
  if (refundableUntil === null || !isRefundable(subscription, now)) return null;
  return (
    <p className="num pt-1.5 text-small text-pretty whitespace-normal! text-muted">
      {formatText(texts.refundableUntil, { time: lowercaseDayWord(formatDayTime(refundableUntil, now)) })}
    </p>
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
      <div className="relative min-h-11 min-w-0 [&_a]:after:absolute [&_a]:after:inset-0">
        <VerifiedName href={profilePath(creator.username)}>{creator.name}</VerifiedName>
        <p className="num text-small wrap-anywhere whitespace-normal! text-muted">
          {isFree ? (
            <bdi>{tier.name}</bdi>
          ) : (
            formatText(texts.tierPeriodAndSource, {
              tierName: isolateText(tier.name),
              period: formatOwnPeriod(subscription),
              paymentSource: subscription.paymentSource === 'card' ? texts.cardSource : texts.balanceSource,
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
        <SubscriptionActions {...{ subscription, actions, isHeld, onChange }} />
        <RefundButton subscription={subscription} now={now} actions={actions} />
      </div>
    </li>
  );
}
