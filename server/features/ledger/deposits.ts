/** Deposits and what processors take back: refunds, chargebacks, voids and returns. */
import { asCents, type Cents } from '@stagedoor/contract/atoms/money.ts';
import type { Transaction } from '../../kernel/db.ts';
import { account, balanceOf, post } from './post.ts';

export type Deposit = {
  fanId: string;
  /** What the wallet gets. */
  amountCents: number;
  /** What the card paid on top of it. */
  feeCents: number;
  provider: string;
  /** The processor's transaction. */
  ref: string;
  /** The processor's event, unique per provider: told twice, credited once. */
  eventKey: string;
  /** Small facts for the statement, such as the card's last four. */
  metadata?: Record<string, string | number | null>;
  at?: Date;
};

export type Credited = { transactionId: string; isReplayed: boolean; balanceCents: Cents };

/** Credits a deposit that the processor confirmed. An event told again changes nothing (`isReplayed`). */
export async function creditDeposit(tx: Transaction, deposit: Deposit): Promise<Credited> {
  const { fanId, provider, ref, eventKey, amountCents, feeCents } = deposit;
  const posted = await post(tx, {
    kind: 'deposit',
    legs: [
      [account.clearing(provider), amountCents + feeCents],
      [account.wallet(fanId), -amountCents],
      [account.depositFee, -feeCents],
    ],
    external: { provider, ref, eventKey },
    ...(deposit.metadata && { metadata: deposit.metadata }),
    at: deposit.at,
  });
  return { ...posted, balanceCents: asCents(await balanceOf(tx, account.wallet(fanId))) };
}
