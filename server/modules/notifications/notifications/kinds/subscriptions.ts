import type { SubscriptionEnd } from '@stagedoor/contract/content/subscriptions.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatLongDay } from '@stagedoor/contract/shared/restrictions.ts';
import type { Context } from '../../../../platform/context.ts';
import type { EventPayload } from '../../../../platform/events/event-types.ts';
import { findUser } from '../../../identity/accounts/index.ts';
import * as events from '../subscribe.ts';
import * as texts from '../texts.ts';
import { getActorName, type NotificationDetails, type NotificationKind } from './kind.ts';

type FanNotification = { text: string; detail: string };

const toSubject = ({ fanId, creatorId, subscriptionId }: EventPayload<'subscription.changed'>) => ({
  userId: fanId,
  byId: creatorId,
  subjectId: subscriptionId,
});

/** A note starts with the day that the text names. What follows the space is what happens on that day. */
function parseNote(note: string): { day: string; what: string } {
  const [at = '', ...rest] = note.split(' ');
  return { day: Number.isNaN(Date.parse(at)) ? '' : formatLongDay(at), what: rest.join(' ') };
}

function formatReminder(details: NotificationDetails): FanNotification {
  const { day, what } = parseNote(details.note);
  const values = { creatorName: getActorName(details), sum: details.sum, day };
  if (what === 'trial')
    return { text: formatText(texts.trialEnds, values), detail: formatText(texts.trialEndsHint, values) };
  if (what === 'newPrice')
    return { text: formatText(texts.acceptNewPrice, values), detail: formatText(texts.acceptNewPriceHint, values) };
  if (what === 'fullPrice')
    return { text: formatText(texts.discountEnds, values), detail: formatText(texts.discountEndsHint, values) };
  return {
    text: formatText(texts.subscriptionRenews, values),
    detail: formatText(what === 'card' ? texts.cardRenewsHint : texts.subscriptionRenewsHint, values),
  };
}

const PRICE_TEXTS: Readonly<Record<string, { text: string; detail: string }>> = {
  higher: { text: texts.priceRises, detail: texts.priceRisesHint },
  lower: { text: texts.priceDrops, detail: texts.priceDropsHint },
  same: { text: texts.priceStays, detail: texts.priceStaysHint },
};

function formatNewPrice(details: NotificationDetails): FanNotification {
  const { day, what } = parseNote(details.note);
  const values = { creatorName: getActorName(details), sum: details.sum, day };
  const { text, detail } = PRICE_TEXTS[what] ?? { text: texts.priceDrops, detail: '' };
  return { text: formatText(text, values), detail: formatText(detail, values) };
}

const comparePrices = ({ priceCents, newPriceCents }: EventPayload<'subscription.repriced'>) => {
  if (newPriceCents === priceCents) return 'same';
  return newPriceCents > priceCents ? 'higher' : 'lower';
};

/** Why a subscription ended. Others are a part of something that the fan does, and are no news. */
const END_DETAILS: Readonly<Partial<Record<SubscriptionEnd, string>>> = {
  canceled: texts.endedByCancellation,
  giftOver: texts.endedGift,
  unpaid: texts.endedUnpaid,
  priceChange: texts.endedByPrice,
  tierDeleted: texts.endedWithTier,
  creatorUnavailable: texts.endedUnavailable,
  blocked: texts.endedByCreator,
  refunded: texts.endedByRefund,
  chargeback: texts.endedByChargeback,
  accountDeleted: texts.endedWithAccount,
  operator: texts.endedByOperator,
};
/** Why a fan left. Ends that the creator caused are not in this list. */
const LEFT_DETAILS: Readonly<Partial<Record<SubscriptionEnd, string>>> = {
  canceled: '',
  giftOver: texts.leftGift,
  unpaid: texts.leftUnpaid,
  priceChange: texts.leftByPrice,
  refunded: texts.leftByRefund,
  chargeback: texts.leftByChargeback,
  operator: texts.endedByOperator,
};
const isEnd = (note: string): note is SubscriptionEnd => note in END_DETAILS;

function formatEnd({ note, sum }: NotificationDetails): string {
  const reason = (isEnd(note) && END_DETAILS[note]) || '';
  return sum === '' || note === 'refunded' ? reason : `${reason} ${formatText(texts.restRefunded, { sum })}`;
}

/** A user whose account is being deleted gets no more notifications. */
const isReachable = async (ctx: Context, { fanId }: { fanId: string }) =>
  (await findUser(ctx.db, fanId))?.is_erasing === false;

export const SUBSCRIPTION_KINDS: Readonly<Record<string, NotificationKind>> = {
  renewalFailed: {
    subscribe: events.onDomainEvent('subscription.renewalFailed', (failed) => [
      {
        ...toSubject(failed),
        cents: failed.priceCents,
        note: `${failed.nextAttemptAt ?? ''}${failed.paymentSource === 'card' ? ' card' : ''}`,
      },
    ]),
    icon: 'card',
    isPaid: true,
    format: (details) => {
      const { day, what } = parseNote(details.note);
      const balanceHint = day === '' ? texts.renewalFailedHint : texts.renewalRetryHint;
      return {
        text: formatText(texts.renewalFailed, { creatorName: getActorName(details) }),
        detail: formatText(what === 'card' ? texts.cardDeclinedHint : balanceHint, { sum: details.sum, day }),
        href: PATHS.fanSubscriptions,
      };
    },
  },
  renewalReminder: {
    subscribe: events.onDomainEvent('subscription.reminded', (reminded) => [
      {
        ...toSubject(reminded),
        cents: reminded.priceCents,
        note: `${reminded.at} ${reminded.paymentSource === 'card' ? 'card' : reminded.reminder}`,
      },
    ]),
    icon: 'card',
    isPaid: true,
    format: (details) => ({ ...formatReminder(details), href: PATHS.fanSubscriptions }),
  },
  newPrice: {
    subscribe: events.onDomainEvent('subscription.repriced', (repriced) => [
      { ...toSubject(repriced), cents: repriced.newPriceCents, note: `${repriced.from} ${comparePrices(repriced)}` },
    ]),
    icon: 'card',
    isPaid: true,
    format: (details) => ({ ...formatNewPrice(details), href: PATHS.fanSubscriptions }),
  },
  tierDeleted: {
    subscribe: events.onDomainEvent('subscription.tierDeleted', (deleted) => [
      { ...toSubject(deleted), note: `${deleted.until} ${deleted.tierName}` },
    ]),
    icon: 'undo',
    isPaid: true,
    format: (details) => {
      const { day, what: tierName } = parseNote(details.note);
      return {
        text: formatText(texts.tierDeleted, { creatorName: getActorName(details), tierName }),
        detail: formatText(texts.tierDeletedHint, { day }),
        href: PATHS.fanSubscriptions,
      };
    },
  },
  periodWaived: {
    subscribe: events.onDomainEvent('subscription.waived', (waived) => [{ ...toSubject(waived), note: waived.until }]),
    icon: 'card',
    format: (details) => ({
      text: formatText(texts.periodWaived, { creatorName: getActorName(details), day: parseNote(details.note).day }),
      detail: texts.periodWaivedHint,
      href: PATHS.fanSubscriptions,
    }),
  },
  giftReceived: {
    subscribe: events.onDomainEvent('subscription.gifted', (gift) => [
      { ...toSubject(gift), note: `${gift.paidUntil} ${gift.tierName}` },
    ]),
    icon: 'key',
    format: (details) => {
      const { day, what: tierName } = parseNote(details.note);
      return {
        text: formatText(texts.giftReceived, { creatorName: getActorName(details) }),
        detail: formatText(texts.giftReceivedHint, { tierName, day }),
        href: PATHS.fanSubscriptions,
      };
    },
  },
  subscriptionEnded: {
    subscribe: events.onDomainEvent(
      'subscription.ended',
      ({ reason, refundedCents, ...ended }) =>
        reason in END_DETAILS
          ? [{ ...toSubject(ended), note: reason, ...(refundedCents > 0 && { cents: refundedCents }) }]
          : [],
      isReachable,
    ),
    icon: 'undo',
    isPaid: true,
    format: (details) => ({
      text: formatText(texts.subscriptionEnded, { creatorName: getActorName(details) }),
      detail: formatEnd(details),
      href: PATHS.fanSubscriptions,
    }),
  },
  newSubscriber: {
    subscribe: events.onDomainEvent('subscription.started', ({ creatorId, fanId, tierName, isTrial }) => [
      { userId: creatorId, byId: fanId, note: isTrial ? formatText(texts.tierOnTrial, { tierName }) : tierName },
    ]),
    icon: 'key',
    isGrouped: true,
    hasUserPrefix: true,
    format: ({ count, note }) => ({
      text: 'subscribed to you',
      detail: count === 1 ? note : formatText(texts.newSubscribers, { count }),
      href: PATHS.creatorSubscribers,
    }),
  },
  subscriberLeft: {
    subscribe: events.onDomainEvent('subscription.ended', ({ creatorId, fanId, reason }) =>
      reason in LEFT_DETAILS ? [{ userId: creatorId, byId: fanId, note: reason }] : [],
    ),
    icon: 'undo',
    isGrouped: true,
    hasUserPrefix: true,
    format: ({ count, note }) => ({
      text: 'unsubscribed',
      detail: count === 1 && isEnd(note) ? (LEFT_DETAILS[note] ?? '') : formatText(texts.subscribersLeft, { count }),
      href: PATHS.creatorSubscribers,
    }),
  },
};
