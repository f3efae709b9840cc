/** The mail that says what was paid and what came of it. Its subject names no sum. */
import { depositReturnPath } from '@stagedoor/contract/addresses.ts';
import { asCents, formatCents } from '@stagedoor/contract/atoms/money.ts';
import { minuteText } from '@stagedoor/contract/atoms/times.ts';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import { findUser } from '../accounts/index.ts';
import type { DepositRow } from './deposits-store.ts';
import { cardWords } from './present.ts';

type Paid = { cardBrand: string | null; cardLast4: string | null; keptCents: number; at: Date };

/** Sends it in the transaction that credits the deposit: once, as that is. */
export async function sendReceipt(
  ctx: Pick<Context, 'config' | 'mailer'>,
  tx: Transaction,
  deposit: DepositRow,
  { cardBrand, cardLast4, keptCents, at }: Paid,
): Promise<void> {
  const fan = await findUser(tx, deposit.fan_id);
  if (!fan) return;
  const { publicUrl, payments } = ctx.config;
  const sum = (cents: number) => formatCents(asCents(cents));
  const card = cardWords({ card_brand: cardBrand, card_last4: cardLast4 });
  const kept = keptCents > 0 ? [`Of it went to what you owed: ${sum(keptCents)}`] : [];
  const lines = [
    `Added to your balance: ${sum(deposit.amount_cents)}`,
    ...kept,
    `Fee: ${sum(deposit.fee_cents)}`,
    `You paid: ${sum(deposit.payable_cents)}${card ? `, ${card}` : ''}`,
    `On your card’s statement: ${payments.descriptor}`,
    `When: ${minuteText(at)}`,
    `Number: ${deposit.id}`,
  ];
  await ctx.mailer.send(tx, {
    to: fan.email,
    subject: 'Your deposit arrived',
    text: `Hello ${fan.username},

this is the receipt of what you added at Stagedoor.

${lines.join('\n')}

${publicUrl}${depositReturnPath(deposit.id)}
`,
  });
}
