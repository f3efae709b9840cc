/** Mails about payouts. Plain text without login links. */
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { asCents, formatCents } from '@stagedoor/contract/shared/money.ts';
import type { Context } from '../../../platform/context.ts';
import type { EventPayload } from '../../../platform/events/event-types.ts';
import type { Mail } from '../../../platform/mail.ts';
import { findUser } from '../../identity/accounts/index.ts';
import './events.ts';
import * as store from './store.ts';

type MailRecipient = { username: string; email: string };

const CHANGES = {
  added: 'was added to your payout methods',
  replaced: 'replaced a payout method',
  removed: 'was removed from your payout methods',
} as const;

export function buildMethodMail(
  to: MailRecipient,
  publicUrl: string,
  change: keyof typeof CHANGES,
  method: Pick<store.MethodRow, 'label' | 'usable_at'>,
): Mail {
  const usable = method.usable_at.toISOString().slice(0, 16).replace('T', ' ');
  return {
    to: to.email,
    subject: 'Your payout methods were changed',
    text: `Hello ${to.username},

${method.label} ${CHANGES[change]}.${change === 'removed' ? '' : ` It can be used from ${usable} UTC.`}

Wasn’t you? Change your password now (that logs out all other devices) and contact us:

${publicUrl}${PATHS.forgotPassword}
`,
  };
}

type MailTemplate = { subject: string; text: (payout: store.RequestRow, sum: string) => string };

const getDestination = (payout: store.RequestRow) => payout.label;
const getReason = ({ reason }: store.RequestRow) => reason ?? '';

/** A debt is repaid from returned money, so the mail does not name the final amount. */
const RETURNED_TEXT = 'The full amount is back in your available balance, minus anything you owe.';

const MAILS: Readonly<Partial<Record<EventPayload<'payout.changed'>['event'], MailTemplate>>> = {
  requested: {
    subject: 'You requested a payout',
    text: (payout, sum) =>
      `You requested ${sum} to ${getDestination(payout)}. Wasn’t you? Cancel it and change your password.`,
  },
  approved: {
    subject: 'Your payout was approved',
    text: (payout, sum) => `Your payout of ${sum} was approved and will be sent to ${getDestination(payout)}.`,
  },
  sent: {
    subject: 'Your payout is on its way',
    text: (payout, sum) => `${sum} is on its way to ${getDestination(payout)}.`,
  },
  broadcast: {
    subject: 'Your payout is on its way',
    text: (payout, sum) => `${sum} is on its way to ${getDestination(payout)}.`,
  },
  paid: {
    subject: 'Your payout arrived',
    text: (payout, sum) => `${sum} arrived at ${getDestination(payout)}.`,
  },
  rejected: {
    subject: 'Your payout was declined',
    text: (payout, sum) => `Your payout of ${sum} was declined: ${getReason(payout)}\n\n${RETURNED_TEXT}`,
  },
  failed: {
    subject: 'Your payout failed',
    text: (payout, sum) =>
      `Your payout of ${sum} to ${getDestination(payout)} failed. ${getReason(payout)}\n\n${RETURNED_TEXT}`,
  },
  returned: {
    subject: 'Your payout was returned',
    text: (payout, sum) =>
      `Your payout of ${sum} to ${getDestination(payout)} was returned. ${getReason(payout)}\n\n${RETURNED_TEXT}`,
  },
};

export async function mailPayoutChange(
  ctx: Pick<Context, 'config' | 'db' | 'mailer'>,
  { payoutId, event }: EventPayload<'payout.changed'>,
): Promise<void> {
  const template = MAILS[event];
  const payout = template && (await store.findPayout(ctx.db, payoutId));
  const user = payout && (await findUser(ctx.db, payout.user_id));
  if (!template || !user) return;
  const sum = formatCents(asCents(payout.amount_cents - payout.fee_cents));
  const referrals = user.type === 'creator' ? PATHS.creatorReferral : PATHS.fanReferral;
  const page = payout.source === 'referrals' ? referrals : PATHS.creatorEarning;
  await ctx.mailer.send(ctx.db, {
    to: user.email,
    subject: template.subject,
    text: `Hello ${user.username},\n\n${template.text(payout, sum)}\n\n${ctx.config.publicUrl}${page}\n`,
  });
}
