/** Mails about deposits, each sent in the transaction that it describes. No subject contains an amount. */
import { depositReturnPath, PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { asCents, formatCents } from '@stagedoor/contract/shared/money.ts';
import { formatMinute } from '@stagedoor/contract/shared/times.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { findUser } from '../../identity/accounts/index.ts';
import { formatCardLabel } from './present.ts';
import type { DepositRow } from './store.ts';

type ReceiptDetails = {
  cardBrand: string | null;
  cardLast4: string | null;
  debtPaidCents: number;
  purpose: keyof typeof RECEIPTS;
  at: Date;
};

type MailContext = Pick<Context, 'config' | 'mailer'>;
const formatSum = (cents: number) => formatCents(asCents(cents));

async function sendDepositMail(
  { config, mailer }: MailContext,
  tx: DbTransaction,
  { id, fan_id: fanId }: DepositRow,
  { subject, text }: { subject: string; text: string },
): Promise<void> {
  const fan = await findUser(tx, fanId);
  if (!fan) return;
  const url = `${config.publicUrl}${depositReturnPath(id)}`;
  await mailer.send(tx, { to: fan.email, subject, text: `Hello ${fan.username},\n\n${text}\n\n${url}\n` });
}

const RECEIPTS = {
  funds: { subject: 'Receipt: funds added', intro: 'Here’s your receipt.' },
  subscription: {
    subject: 'Receipt: your subscription',
    intro:
      'Here’s the receipt for your subscription. The payment went through your balance, which paid for the period.',
  },
  /** A subscription could not use the payment. */
  unused: {
    subject: 'Receipt: funds added',
    intro:
      'Your card was charged for a subscription that couldn’t start or renew. The amount is in your balance, and your card won’t be charged for it again.',
  },
} as const;

export async function mailReceipt(
  ctx: MailContext,
  tx: DbTransaction,
  deposit: DepositRow,
  { cardBrand, cardLast4, debtPaidCents, purpose, at }: ReceiptDetails,
): Promise<void> {
  const { payments } = ctx.config;
  const card = formatCardLabel({ card_brand: cardBrand, card_last4: cardLast4 });
  const debtLines = debtPaidCents > 0 ? [`Paid toward outstanding balance: ${formatSum(debtPaidCents)}`] : [];
  const lines = [
    `Added to your balance: ${formatSum(deposit.amount_cents)}`,
    ...debtLines,
    `Fee: ${formatSum(deposit.fee_cents)}`,
    `You paid: ${formatSum(deposit.payable_cents)}${card ? `, ${card}` : ''}`,
    `On your card statement: ${payments.descriptor}`,
    `Date: ${formatMinute(at)}`,
    `Reference: ${deposit.id}`,
  ];
  const { subject, intro } = RECEIPTS[purpose];
  await sendDepositMail(ctx, tx, deposit, {
    subject,
    text: `${intro}\n\n${lines.join('\n')}`,
  });
}

export async function mailFailure(
  ctx: MailContext,
  tx: DbTransaction,
  deposit: DepositRow,
  reason: string,
): Promise<void> {
  if (deposit.recurring_payment_id !== null)
    return sendDepositMail(ctx, tx, deposit, {
      subject: 'Your subscription payment failed',
      text: `Your card wasn’t charged ${formatSum(deposit.payable_cents)}, and your subscription didn’t start. ${reason}

You can try again or use a different card.`,
    });
  await sendDepositMail(ctx, tx, deposit, {
    subject: 'Your deposit failed',
    text: `Your deposit of ${formatSum(deposit.amount_cents)} failed, and nothing was added to your balance. ${reason}

You can try again or use a different card.`,
  });
}

export async function mailReversal(
  ctx: MailContext,
  tx: DbTransaction,
  deposit: DepositRow,
  { message, amountCents, cardCents }: { message: string; amountCents: number; cardCents: number },
): Promise<void> {
  await sendDepositMail(ctx, tx, deposit, {
    subject: 'Your deposit was reversed',
    text: `${formatSum(cardCents)} of a deposit was refunded to your card, and ${formatSum(amountCents)} was removed from your balance. ${message}

You don’t owe anything for it. See your transactions: ${ctx.config.publicUrl}${PATHS.fanWallet}`,
  });
}
