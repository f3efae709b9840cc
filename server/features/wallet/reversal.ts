import type { Transaction } from '../../kernel/db.ts';
import { account, balanceOf, post } from '../ledger/index.ts';
export async function reverseDeposit(
  tx: Transaction,
  r: {
    depositTransactionId: string;
    cardCents: number;
    isChargeback: boolean;
    provider: string;
    ref: string;
    eventKey: string;
    at: Date;
  },
) {
  const d = await tx.query
    .selectFrom('deposits')
    .selectAll()
    .where('transaction_id', '=', r.depositTransactionId)
    .executeTakeFirstOrThrow();
  const amountCents = Math.round((d.amount_cents * r.cardCents) / d.payable_cents);
  const fee = r.cardCents - amountCents;
  const have = await balanceOf(tx, account.wallet(d.fan_id));
  const fromWallet = Math.min(have, amountCents);
  const posted = await post(tx, {
    kind: r.isChargeback ? 'chargeback' : 'refund',
    legs: [
      [account.wallet(d.fan_id), fromWallet],
      [account.depositFee, fee],
      [account.chargebackLoss, amountCents - fromWallet],
      [account.clearing(r.provider), -r.cardCents],
    ],
    external: { provider: r.provider, ref: r.ref, eventKey: r.eventKey },
    reversesId: r.depositTransactionId,
    at: r.at,
  });
  return { ...posted, amountCents, lossCents: amountCents - fromWallet, balanceCents: have - fromWallet };
}
