/** Mails about deposits, each sent in the transaction that it describes. No subject contains an amount. */
import { depositReturnPath, PATHS } from '@stagedoor/contract/addresses.ts';
import { asCents, formatCents } from '@stagedoor/contract/atoms/money.ts';
import { minuteText } from '@stagedoor/contract/atoms/times.ts';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import { findUser } from '../accounts/index.ts';
import type { DepositRow } from './deposits-store.ts';
import { cardWords } from './present.ts';

type Paid = { cardBrand: string | null; cardLast4: string | null; keptCents: number; at: Date };

type Sending = Pick<Context, 'config' | 'mailer'>;
const sum = (cents: number) => formatCents(asCents(cents));

async function send(
  { config, mailer }: Sending,
  tx: Transaction,
  { id, fan_id: fanId }: DepositRow,
  { subject, text }: { subject: string; text: string },
): Promise<void> {
  const fan = await findUser(tx, fanId);
  if (!fan) return;
  const place = `${config.publicUrl}${depositReturnPath(id)}`;
  await mailer.send(tx, { to: fan.email, subject, text: `Hello ${fan.username},\n\n${text}\n\n${place}\n` });
}

export async function sendReceipt(
  ctx: Sending,
  tx: Transaction,
  deposit: DepositRow,
  { cardBrand, cardLast4, keptCents, at }: Paid,
): Promise<void> {
  const { payments } = ctx.config;
  const card = cardWords({ card_brand: cardBrand, card_last4: cardLast4 });
  const kept = keptCents > 0 ? [`Paid toward outstanding balance: ${sum(keptCents)}`] : [];
  const lines = [
    `Added to your balance: ${sum(deposit.amount_cents)}`,
    ...kept,
    `Fee: ${sum(deposit.fee_cents)}`,
    `You paid: ${sum(deposit.payable_cents)}${card ? `, ${card}` : ''}`,
    `On your card statement: ${payments.descriptor}`,
    `Date: ${minuteText(at)}`,
    `Reference: ${deposit.id}`,
  ];
  await send(ctx, tx, deposit, {
    subject: 'Receipt: funds added',
    text: `Here’s your receipt.\n\n${lines.join('\n')}`,
  });
}

export async function sendFailed(ctx: Sending, tx: Transaction, deposit: DepositRow, reason: string): Promise<void> {
  await send(ctx, tx, deposit, {
    subject: 'Your deposit failed',
    text: `Your deposit of ${sum(deposit.amount_cents)} failed, and nothing was added to your balance. ${reason}

You can try again or use a different card.`,
  });
}

export async function sendTakenBack(
  ctx: Sending,
  tx: Transaction,
  deposit: DepositRow,
  { words, amountCents, cardCents }: { words: string; amountCents: number; cardCents: number },
): Promise<void> {
  await send(ctx, tx, deposit, {
    subject: 'Your deposit was reversed',
    text: `${sum(cardCents)} of a deposit was refunded to your card, and ${sum(amountCents)} was removed from your balance. ${words}

You don’t owe anything for it. See your transactions: ${ctx.config.publicUrl}${PATHS.fanWallet}`,
  });
}
