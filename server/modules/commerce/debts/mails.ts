import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { asCents, formatCents } from '@stagedoor/contract/shared/money.ts';
import type { Context } from '../../../platform/context.ts';
import type { EventPayload } from '../../../platform/events/event-types.ts';
import { findUser } from '../../identity/accounts/index.ts';

type DebtChange = EventPayload<'debt.changed'>;

const MAILS: Readonly<Record<DebtChange['change'], { subject: string; text: (cents: string) => string }>> = {
  owed: {
    subject: 'Spending is paused on your account',
    text: (cents) => `One of your payments was reversed and your balance didn’t cover it. You owe ${cents}.`,
  },
  repaid: {
    subject: 'Part of your funds paid your outstanding balance',
    text: (cents) => `${cents} of the funds added to your balance was used to pay what you owed.`,
  },
  writtenOff: { subject: 'Your debt was canceled', text: (cents) => `We canceled the ${cents} you owed.` },
  won: {
    subject: 'A chargeback was reversed',
    text: (cents) => `Your bank reversed a chargeback, so ${cents} is back in your balance and nothing is owed for it.`,
  },
  notWon: {
    subject: 'A chargeback was reinstated',
    text: (cents) =>
      `We told you that a chargeback was reversed. That was our mistake. ${cents} was removed from your balance.`,
  },
  blocked: {
    subject: 'Spending is paused on your account',
    text: () => 'We paused spending on your account. Contact us to resolve this.',
  },
  unblocked: { subject: 'You can spend again', text: () => 'Spending is no longer paused on your account.' },
};

function formatDebtStatus({ change, owedCents, isBlocked }: DebtChange): string {
  const owed = formatCents(asCents(owedCents));
  if (owedCents > 0 && isBlocked)
    return `You owe ${owed} in total. You can’t spend until it’s paid. Add funds to pay it off, or contact us if this is a mistake.`;
  if (owedCents > 0) return `You still owe ${owed}. Funds you add pay this off first.`;
  return isBlocked || change === 'unblocked' ? '' : 'You don’t owe anything and can spend your balance.';
}

export async function mailDebtChange(
  ctx: Pick<Context, 'config' | 'db' | 'mailer'>,
  changed: DebtChange,
): Promise<void> {
  const fan = await findUser(ctx.db, changed.fanId);
  if (!fan) return;
  const { subject, text } = MAILS[changed.change];
  await ctx.mailer.send(ctx.db, {
    to: fan.email,
    subject,
    text: [
      `Hello ${fan.username},`,
      text(formatCents(asCents(changed.cents))),
      formatDebtStatus(changed),
      `See your transactions: ${ctx.config.publicUrl}${PATHS.fanWallet}`,
    ]
      .filter((part) => part !== '')
      .join('\n\n')
      .concat('\n'),
  });
}
