import type { AdminSubscription, SubscriptionList } from '@stagedoor/contract/admin/subscriptions.ts';
import type { SubscriptionEnd } from '@stagedoor/contract/content/subscriptions.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { isolateText } from '../../../../platform/bidi.ts';
import * as texts from './texts.ts';

export const LIST_LABELS: Readonly<Record<SubscriptionList, string>> = {
  due: 'Due',
  failing: texts.failing,
  unpaid: texts.unpaid,
  refunded: texts.refunded,
  chargeback: texts.chargedBack,
};

const END_LABELS: Readonly<Record<SubscriptionEnd, string>> = {
  canceled: texts.endedCanceled,
  changed: texts.endedChanged,
  unpaid: texts.endedUnpaid,
  priceChange: texts.endedByPrice,
  tierDeleted: texts.endedWithTier,
  creatorUnavailable: texts.endedUnavailable,
  blocked: texts.endedByBlock,
  refunded: texts.endedByRefund,
  chargeback: texts.endedByChargeback,
  accountDeleted: texts.endedWithAccount,
  giftOver: texts.endedGift,
  operator: texts.endedByStaff,
};
const STATE_LABELS = {
  trial: texts.trialState,
  active: texts.activeState,
  pastDue: texts.pastDueState,
  ended: texts.endedUnpaid,
} as const;

export const PAYMENT_SOURCE_LABELS: Readonly<Record<AdminSubscription['paymentSource'], string>> = {
  balance: texts.balanceSource,
  card: texts.cardSource,
};

type LabelledSubscription = Pick<AdminSubscription, 'state' | 'isRenewing' | 'dueAt' | 'endReason'>;
/** A free subscription does not renew and is not canceled. */
export function formatState({ state, isRenewing, dueAt, endReason }: LabelledSubscription): string {
  if (endReason !== null) return END_LABELS[endReason];
  return isRenewing || dueAt === null ? STATE_LABELS[state] : texts.canceledState;
}

export function formatTier({
  tierName,
  recurrence,
  count,
}: Pick<AdminSubscription, 'tierName' | 'recurrence' | 'count'>): string {
  const values = { tierName: isolateText(tierName), count };
  if (count > 1) return formatText(texts.months, values);
  return formatText({ weekly: texts.week, monthaly: texts.month, yearly: texts.year }[recurrence], values);
}
