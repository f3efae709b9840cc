/** Deposits, and what processors take back of them: refunds, chargebacks, voids and returns. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { asCents, type Cents } from '@stagedoor/contract/atoms/money.ts';
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import { legsOf, lockWallet, movedOn, type WalletBalance, walletBalance } from './lines.ts';
import { account, post } from './post.ts';

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

export type Credited = WalletBalance & { transactionId: string; isReplayed: boolean };

/** Credits a deposit that the processor confirmed. An event told again changes nothing (`isReplayed`). */
export async function creditDeposit(tx: Transaction, deposit: Deposit): Promise<Credited> {
  const { fanId, provider, ref, eventKey, amountCents, feeCents } = deposit;
  await lockWallet(tx, fanId);
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
  return { ...posted, ...(await walletBalance(tx, fanId)) };
}

export type Reversal = {
  /** The ledger transaction of the deposit. */
  depositTransactionId: string;
  kind: 'refund' | 'chargeback' | 'void' | 'return';
  /** What the processor took back, in cents of the card payment, fee included. Capped by what is left; all of it if absent. */
  cardCents?: number;
  provider: string;
  ref: string;
  eventKey: string;
  metadata?: Record<string, string | number | null>;
  at?: Date;
};

export type Reversed = WalletBalance & {
  /** Null when nothing was left to take back. */
  transactionId: string | null;
  isReplayed: boolean;
  fanId: string;
  /** What was taken back of the card payment, and how it was made up: of the balance it had added, and of the fee. */
  cardCents: Cents;
  amountCents: Cents;
  feeCents: Cents;
  /** The part of `amountCents` that the wallet could not cover: booked as a loss. Block spending when it is not 0. */
  shortfallCents: Cents;
  /** What is left of the card payment to take back. */
  leftCents: Cents;
};

const TAKEN_BACK: Statement = {
  name: 'ledger-taken-back',
  text: `select coalesce(sum(e.amount_cents) filter (where a.code like 'asset:processor:%'), 0)::bigint as "cardCents",
      coalesce(sum(e.amount_cents) filter (where a.code = 'rev:deposit_fee'), 0)::bigint as "feeCents"
    from ledger_reversals r join ledger_entries e on e.transaction_id = r.transaction_id join ledger_accounts a on a.id = e.account_id
    where r.reverses_id = $1`,
};
const BY_EVENT: Statement = {
  name: 'ledger-by-event',
  text: 'select transaction_id as "transactionId" from ledger_externals where provider = $1 and event_key = $2',
};

async function takenBack(db: Executor, depositId: string): Promise<{ cardCents: number; feeCents: number }> {
  const [sums] = await db.run<{ cardCents: number; feeCents: number }>(TAKEN_BACK, [depositId]);
  return sums ?? { cardCents: 0, feeCents: 0 };
}

async function loadDeposit(
  db: Executor,
  id: string,
): Promise<{ fanId: string; clearing: string; cardCents: number; feeCents: number }> {
  const legs = await legsOf(db, id);
  const wallet = legs.find(({ code }) => code.endsWith(':wallet'));
  const clearing = legs.find(({ code, cents }) => code.startsWith('asset:processor:') && cents > 0);
  if (!wallet?.ownerId || !clearing) throw new AppError('NOT_FOUND');
  return {
    fanId: wallet.ownerId,
    clearing: clearing.code,
    cardCents: clearing.cents,
    feeCents: -movedOn(legs, account.depositFee),
  };
}

/**
 * Takes back a deposit, or a part of it, as the processor says (money 9). The fee goes back in proportion; parts
 * sum to the whole fee. What the wallet cannot cover is booked to exp:chargeback_loss and told as `shortfallCents`.
 * An event told again changes nothing. Throws NOT_FOUND when it is no deposit.
 */
export async function reverseDeposit(tx: Transaction, reversal: Reversal): Promise<Reversed> {
  const { depositTransactionId, provider, ref, eventKey, kind } = reversal;
  const deposit = await loadDeposit(tx, depositTransactionId);
  const { fanId } = deposit;
  const { balanceCents, balanceLine } = await lockWallet(tx, fanId);
  const wallet = { balanceCents, balanceLine };
  const [known] = await tx.run<{ transactionId: string }>(BY_EVENT, [provider, eventKey]);
  const before = await takenBack(tx, depositTransactionId);
  const leftBefore = deposit.cardCents - before.cardCents;
  if (known)
    return {
      ...(await storedReversal(tx, known.transactionId)),
      fanId,
      leftCents: asCents(leftBefore),
      ...wallet,
    };

  const cardCents = Math.min(asCents(reversal.cardCents ?? leftBefore), leftBefore);
  const none = { isReplayed: false, fanId, ...wallet };
  if (cardCents <= 0) {
    return {
      transactionId: null,
      ...none,
      cardCents: asCents(0),
      amountCents: asCents(0),
      feeCents: asCents(0),
      shortfallCents: asCents(0),
      leftCents: asCents(leftBefore),
    };
  }
  // Rounding what was given back in total, not each part, makes the parts sum to the fee.
  const feeCents =
    Math.round((deposit.feeCents * (before.cardCents + cardCents)) / deposit.cardCents) - before.feeCents;
  const amountCents = cardCents - feeCents;
  const fromWallet = Math.min(balanceCents, amountCents);
  const posted = await post(tx, {
    kind: `deposit_${kind}`,
    legs: [
      [account.wallet(fanId), fromWallet],
      [account.chargebackLoss, amountCents - fromWallet],
      [account.depositFee, feeCents],
      [deposit.clearing, -cardCents],
    ],
    external: { provider, ref, eventKey },
    reversesId: depositTransactionId,
    ...(reversal.metadata && { metadata: reversal.metadata }),
    at: reversal.at,
  });
  return {
    ...posted,
    fanId,
    cardCents: asCents(cardCents),
    amountCents: asCents(amountCents),
    feeCents: asCents(feeCents),
    shortfallCents: asCents(amountCents - fromWallet),
    leftCents: asCents(leftBefore - cardCents),
    ...(await walletBalance(tx, fanId)),
  };
}

async function storedReversal(db: Executor, transactionId: string) {
  const legs = await legsOf(db, transactionId);
  const shortfall = movedOn(legs, account.chargebackLoss);
  return {
    transactionId,
    isReplayed: true,
    cardCents: asCents(-movedOn(legs, 'asset:processor:')),
    feeCents: asCents(movedOn(legs, account.depositFee)),
    amountCents: asCents(movedOn(legs, 'liab:fan:') + shortfall),
    shortfallCents: asCents(shortfall),
  };
}
