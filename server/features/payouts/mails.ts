/** Mails about payouts. Plain text without login links. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { asCents, formatCents } from '@stagedoor/contract/atoms/money.ts';
import type { Context } from '../../kernel/context.ts';
import type { EventPayload } from '../../kernel/events.ts';
import type { Mail } from '../../kernel/mail.ts';
import { findUser } from '../accounts/index.ts';
import './events.ts';
import * as store from './store.ts';

type To = { username: string; email: string };

const CHANGES = {
  added: 'was added to your payout methods',
  replaced: 'replaced a payout method',
  removed: 'was removed from your payout methods',
} as const;

export function methodMail(
  to: To,
  publicUrl: string,
  change: keyof typeof CHANGES,
  method: Pick<store.MethodRow, 'words' | 'usable_at'>,
): Mail {
  const usable = method.usable_at.toISOString().slice(0, 16).replace('T', ' ');
  return {
    to: to.email,
    subject: 'Your payout methods were changed',
    text: `Hello ${to.username},

${method.words} ${CHANGES[change]}.${change === 'removed' ? '' : ` It can be used from ${usable} UTC.`}

Wasn’t you? Change your password now (that logs out all other devices) and contact us:

${publicUrl}${PATHS.forgotPassword}
`,
  };
}

type Words = { subject: string; text: (payout: store.RequestRow, sum: string) => string };

const where = (payout: store.RequestRow) => payout.words;
const why = ({ reason }: store.RequestRow) => reason ?? '';

/** A debt is repaid from returned money, so the mail does not name the final amount. */
const BACK = 'The full amount is back in your available balance, minus anything you owe.';

const MAILS: Readonly<Partial<Record<EventPayload<'payout.changed'>['moment'], Words>>> = {
  requested: {
    subject: 'You requested a payout',
    text: (payout, sum) => `You requested ${sum} to ${where(payout)}. Wasn’t you? Cancel it and change your password.`,
  },
  approved: {
    subject: 'Your payout was approved',
    text: (payout, sum) => `Your payout of ${sum} was approved and will be sent to ${where(payout)}.`,
  },
  sent: {
    subject: 'Your payout is on its way',
    text: (payout, sum) => `${sum} is on its way to ${where(payout)}.`,
  },
  broadcast: {
    subject: 'Your payout is on its way',
    text: (payout, sum) => `${sum} is on its way to ${where(payout)}.`,
  },
  paid: {
    subject: 'Your payout arrived',
    text: (payout, sum) => `${sum} arrived at ${where(payout)}.`,
  },
  rejected: {
    subject: 'Your payout was declined',
    text: (payout, sum) => `Your payout of ${sum} was declined: ${why(payout)}\n\n${BACK}`,
  },
  failed: {
    subject: 'Your payout failed',
    text: (payout, sum) => `Your payout of ${sum} to ${where(payout)} failed. ${why(payout)}\n\n${BACK}`,
  },
  returned: {
    subject: 'Your payout was returned',
    text: (payout, sum) => `Your payout of ${sum} to ${where(payout)} was returned. ${why(payout)}\n\n${BACK}`,
  },
};

export async function payoutMail(
  ctx: Pick<Context, 'config' | 'db' | 'mailer'>,
  { payoutId, moment }: EventPayload<'payout.changed'>,
): Promise<void> {
  const words = MAILS[moment];
  const payout = words && (await store.findPayout(ctx.db, payoutId));
  const user = payout && (await findUser(ctx.db, payout.user_id));
  if (!words || !user) return;
  const sum = formatCents(asCents(payout.amount_cents - payout.fee_cents));
  const referrals = user.type === 'creator' ? PATHS.creatorReferral : PATHS.fanReferral;
  const page = payout.source === 'referrals' ? referrals : PATHS.creatorEarning;
  await ctx.mailer.send(ctx.db, {
    to: user.email,
    subject: words.subject,
    text: `Hello ${user.username},\n\n${words.text(payout, sum)}\n\n${ctx.config.publicUrl}${page}\n`,
  });
}
