import type { Subscriber } from '@stagedoor/contract/finance/subscription-figures.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { formatShortDay } from '../../../platform/dates.ts';
import * as texts from './texts.ts';

const MONTH_NAMES = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });
/** Of a month in UTC, such as `2026-11`. */
export const formatMonth = (month: string) => MONTH_NAMES.format(new Date(`${month}-01`));

const PERIODS = { weekly: texts.weekly, monthaly: texts.monthly, yearly: texts.yearly } as const;
export function formatPeriod({ recurrence, count, isFree }: Subscriber): string {
  if (isFree) return texts.free;
  return count === 1 ? PERIODS[recurrence] : formatText(texts.months, { count });
}

const REASONS = {
  canceled: texts.reasonCanceled,
  unpaid: texts.reasonUnpaid,
  priceChange: texts.reasonPriceChange,
  tierDeleted: texts.reasonTierDeleted,
  refunded: texts.reasonRefunded,
  giftOver: texts.reasonGift,
  other: texts.reasonOther,
} as const;

const isCanceled = ({ state, isFree, isRenewing }: Subscriber) => state !== 'ended' && !isFree && !isRenewing;

export type SubscriberStatus = { text: string; indicator: '' | 'lamp--busy' | 'lamp--off' };
/** `now` is an ISO timestamp. */
export function getStatus(subscriber: Subscriber, now: string): SubscriberStatus {
  const { state, canceledAt, newPrice, endReason } = subscriber;
  if (state === 'ended')
    return { text: formatText(texts.endedReason, { reason: REASONS[endReason ?? 'other'] }), indicator: 'lamp--off' };
  if (isCanceled(subscriber) && subscriber.isGift && !canceledAt) return { text: texts.gift, indicator: 'lamp--off' };
  if (isCanceled(subscriber))
    return {
      text: canceledAt ? formatText(texts.canceledOn, { day: formatShortDay(canceledAt, now) }) : texts.canceled,
      indicator: 'lamp--off',
    };
  if (state === 'pastDue') return { text: texts.pastDue, indicator: 'lamp--busy' };
  if (newPrice !== null)
    return { text: formatText(texts.newPriceProposed, { price: formatUsd(newPrice) }), indicator: 'lamp--busy' };
  return { text: state === 'trial' ? texts.trialState : texts.active, indicator: '' };
}

export function formatAccess(subscriber: Subscriber, now: string): string {
  const { state, endedAt, paidUntil } = subscriber;
  if (endedAt) return formatText(texts.endedOn, { day: formatShortDay(endedAt, now) });
  if (!paidUntil) return texts.openEnd;
  const day = formatShortDay(paidUntil, now);
  if (isCanceled(subscriber)) return formatText(texts.paidUntil, { day });
  if (state === 'pastDue') return formatText(texts.wasDue, { day });
  return formatText(state === 'trial' ? texts.firstCharge : texts.renews, { day });
}

export const PAYMENT_SOURCE_NAMES: Readonly<Record<Subscriber['paymentSource'], string>> = {
  balance: texts.balanceSource,
  card: texts.cardSource,
};
