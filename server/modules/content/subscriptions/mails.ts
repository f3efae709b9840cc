/** Mails about charges and ends. No subject contains a name or an amount. */

import { listRetryHours } from '@stagedoor/contract/admin/subscription-settings.ts';
import type { PaymentSource, SubscriptionEnd } from '@stagedoor/contract/content/subscriptions.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { asCents, formatCents } from '@stagedoor/contract/shared/money.ts';
import { formatLongDay } from '@stagedoor/contract/shared/restrictions.ts';
import type { Context } from '../../../platform/context.ts';
import type { EventPayload } from '../../../platform/events/event-types.ts';
import { findUser } from '../../identity/accounts/index.ts';
import { loadSubscriptionSettings } from '../subscription-tiers/index.ts';
import './events.ts';
import { getGraceEnd } from './grants.ts';
import { findView, type SubscriptionView } from './store.ts';

type MailContext = Pick<Context, 'config' | 'db' | 'mailer'>;
type SubscriptionMail = { subject: string; text: string };

const formatSum = (cents: number) => formatCents(asCents(cents));
const SOURCES: Readonly<Record<PaymentSource, string>> = {
  balance: 'paid from your balance',
  card: 'charged to your card',
};
const formatName = ({ name, tier_name: tierName }: SubscriptionView) => `${name} (${tierName})`;

/** Sends what `write` returns to the fan, unless it is undefined or the account is deleted. */
async function mailFan(
  ctx: MailContext,
  { subscriptionId }: { subscriptionId: string },
  write: (view: SubscriptionView) => SubscriptionMail | undefined,
): Promise<void> {
  const view = await findView(ctx.db, subscriptionId);
  const fan = view && (await findUser(ctx.db, view.fan_id));
  if (!view || !fan || fan.is_erasing) return;
  const mail = write(view);
  if (!mail) return;
  const { subject, text } = mail;
  const url = `${ctx.config.publicUrl}${PATHS.fanSubscriptions}`;
  await ctx.mailer.send(ctx.db, { to: fan.email, subject, text: `Hello ${fan.username},\n\n${text}\n\n${url}\n` });
}

/** Only the first and the last failed attempt are mailed. A renewal that was paid meanwhile is not. */
export async function mailFailedRenewal(
  ctx: MailContext,
  failed: EventPayload<'subscription.renewalFailed'>,
): Promise<void> {
  const settings = await loadSubscriptionSettings(ctx.db);
  return mailFan(ctx, failed, (view) => {
    const attempts = view.failed_attempts;
    const isLast = view.payment_source === 'balance' && attempts === listRetryHours(settings).length;
    if (!view.paid_until || (attempts !== 1 && !isLast)) return undefined;
    const end = formatLongDay(getGraceEnd(view.paid_until, settings).toISOString());
    if (view.payment_source === 'card')
      return {
        subject: 'A renewal failed',
        text: `Your card was declined for your subscription to ${formatName(view)}: ${formatSum(failed.priceCents)}.

We’ll try again automatically. You don’t need to do anything if your card has funds. You can also pay from your balance, and future renewals will use it too. Without a payment, your subscription ends on ${end}.`,
      };
    return {
      subject: attempts === 1 ? 'A renewal failed' : 'Your subscription is about to end',
      text: `We couldn’t renew your subscription to ${formatName(view)}: ${formatSum(failed.priceCents)} isn’t available in your balance.

Add funds to keep your access. We’ll try again, or you can pay now. Without a payment, your subscription ends on ${end}.`,
    };
  });
}

const REMINDERS: Readonly<
  Record<
    EventPayload<'subscription.reminded'>['reminder'],
    (name: string, sum: string, day: string, source: string) => SubscriptionMail
  >
> = {
  renewal: (name, sum, day, source) => ({
    subject: 'Your subscription renews soon',
    text: `Your subscription to ${name} renews on ${day} for ${sum}, ${source}.

Don’t want to renew? Cancel before then. You keep access until that day.`,
  }),
  trial: (name, sum, day, source) => ({
    subject: 'Your trial ends soon',
    text: `Your trial of ${name} ends on ${day}. Then your subscription starts for ${sum}, ${source}.

Don’t want to continue? Cancel before then and you won’t be charged.`,
  }),
  fullPrice: (name, sum, day) => ({
    subject: 'Your discount ends soon',
    text: `The discount on your subscription to ${name} ends on ${day}. It then renews at the full price of ${sum}, paid from your balance.

Don’t want to renew? Cancel before then. You keep access until that day.`,
  }),
  newPrice: (name, sum, day) => ({
    subject: 'Accept the new price to keep your subscription',
    text: `From ${day}, your subscription to ${name} costs ${sum}. You haven’t accepted the new price yet.

Accept it to keep your subscription. Otherwise it ends on ${day}, and you won’t be charged.`,
  }),
};

export function mailReminder(ctx: MailContext, reminded: EventPayload<'subscription.reminded'>): Promise<void> {
  const { reminder, priceCents, at } = reminded;
  return mailFan(ctx, reminded, (view) =>
    view.ended_at || !view.is_renewing
      ? undefined
      : REMINDERS[reminder](formatName(view), formatSum(priceCents), formatLongDay(at), SOURCES[view.payment_source]),
  );
}

export function mailNewPrice(ctx: MailContext, repriced: EventPayload<'subscription.repriced'>): Promise<void> {
  const { priceCents, newPriceCents, from } = repriced;
  const [before, after, day] = [formatSum(priceCents), formatSum(newPriceCents), formatLongDay(from)];
  return mailFan(ctx, repriced, (view) => {
    const name = formatName(view);
    if (newPriceCents === priceCents)
      return {
        subject: 'Your subscription keeps its price',
        text: `The price change for ${name} was withdrawn. Your subscription still costs ${before}.`,
      };
    if (newPriceCents < priceCents)
      return {
        subject: 'Your subscription costs less',
        text: `Your subscription to ${name} costs ${after} instead of ${before} from ${day}. You don’t need to do anything.`,
      };
    return {
      subject: 'The price of your subscription changes',
      text: `From ${day}, your subscription to ${name} costs ${after} instead of ${before}.

Accept the new price to keep your subscription. Otherwise it ends on ${day}, and you won’t be charged.`,
    };
  });
}

export function mailTierDeleted(ctx: MailContext, deleted: EventPayload<'subscription.tierDeleted'>): Promise<void> {
  return mailFan(ctx, deleted, (view) => ({
    subject: 'Your subscription won’t renew',
    text: `${view.name} no longer offers ${deleted.tierName}. You keep access until ${formatLongDay(deleted.until)}, and you won’t be charged again.`,
  }));
}

export function mailWaivedPeriod(ctx: MailContext, waived: EventPayload<'subscription.waived'>): Promise<void> {
  return mailFan(ctx, waived, (view) => ({
    subject: 'Your current period is free',
    text: `We couldn’t renew your subscription to ${formatName(view)} in time because we had to pause renewals. The period until ${formatLongDay(waived.until)} is free, and your access continues.

Renewals resume after that day. Don’t want to renew? Cancel before then.`,
  }));
}

export function mailGift(ctx: MailContext, gift: EventPayload<'subscription.gifted'>): Promise<void> {
  return mailFan(ctx, gift, (view) => ({
    subject: 'You received a gift',
    text: `${view.payer_name ?? 'Another fan'} gave you a subscription to ${formatName(view)}. It’s paid until ${formatLongDay(gift.paidUntil)}.

It doesn’t renew, and you won’t be charged. To keep your access after that, continue it from your own balance.`,
  }));
}

/** The reasons that are mailed. The fan knows the others, and a refund has its own notification. */
const END_REASONS: Readonly<Partial<Record<SubscriptionEnd, string>>> = {
  giftOver: 'The period that you were given is over. You weren’t charged.',
  unpaid: 'The renewal couldn’t be paid. Nothing was charged.',
  priceChange: 'You didn’t accept the new price. Nothing was charged.',
  tierDeleted: 'The tier is no longer offered.',
  creatorUnavailable: 'The creator can’t offer subscriptions at the moment.',
  blocked: 'The creator ended it.',
  chargeback: 'A payment to your balance was reversed.',
  accountDeleted: 'The creator closed their account.',
  operator: 'Our team ended it.',
};

export function mailEnd(ctx: MailContext, ended: EventPayload<'subscription.ended'>): Promise<void> {
  return mailFan(ctx, ended, (view) => {
    const reason = END_REASONS[ended.reason];
    if (reason === undefined) return undefined;
    const refund =
      ended.refundedCents > 0
        ? [`We refunded ${formatSum(ended.refundedCents)} to your balance for the rest of the period.`]
        : [];
    return {
      subject: 'Your subscription has ended',
      text: [`Your subscription to ${formatName(view)} has ended. ${reason}`, ...refund].join('\n\n'),
    };
  });
}
