import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { asCents, type Cents } from '@stagedoor/contract/shared/money.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { creditWonChargeback, debitReversedWin, recordDebt, type SettledBalance, settleDebt } from './debts.ts';
import { account, postTransaction } from './post.ts';
import * as texts from './texts.ts';
import { getWalletBalance, listLegs, lockWallet, sumLegs, type WalletBalance } from './transaction-legs.ts';

export type LedgerDeposit = {
  fanId: string;
  amountCents: number;
  feeCents: number;
  provider: string;
  ref: string;
  /** The event id of the processor, unique per provider. A repeated event is credited once. */
  eventKey: string;
  metadata?: Record<string, string | number | null>;
  at?: Date;
};

export type CreditedDeposit = SettledBalance & { transactionId: string; isReplayed: boolean };

/**
 * Credits a confirmed deposit and repays the debt of the fan first (`debtPaidCents`). A repeated event changes nothing
 * (`isReplayed`).
 */
export async function creditDeposit(tx: DbTransaction, deposit: LedgerDeposit): Promise<CreditedDeposit> {
  const { fanId, provider, ref, eventKey, amountCents, feeCents } = deposit;
  await lockWallet(tx, fanId);
  const posted = await postTransaction(tx, {
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
  return { ...posted, ...(await settleDebt(tx, fanId, deposit.at)) };
}

export type DepositReversal = {
  depositTransactionId: string;
  kind: 'refund' | 'chargeback' | 'void' | 'return';
  /**
   * Cents of the card payment that were reversed, including the fee. Capped by what is left, and all of it when absent.
   */
  cardCents?: number;
  provider: string;
  ref: string;
  eventKey: string;
  metadata?: Record<string, string | number | null>;
  at?: Date;
};

export type ReversedDeposit = WalletBalance & {
  /** Null when nothing was left to reverse. */
  transactionId: string | null;
  isReplayed: boolean;
  fanId: string;
  /** The reversed part of the card payment. `amountCents` is its share of the balance, the rest is the fee. */
  cardCents: Cents;
  amountCents: Cents;
  feeCents: Cents;
  /** The part of `amountCents` that the wallet could not cover. The fan owes it and cannot spend until it is paid. */
  shortfallCents: Cents;
  remainingCents: Cents;
};

/** A won chargeback no longer counts as reversed, unless the win itself was reversed. */
const SUM_REVERSED: SqlStatement = {
  name: 'ledger-sum-reversed',
  text: `with recursive moved as (select transaction_id as id from ledger_reversals where reverses_id = $1
        union all select r.transaction_id from moved join ledger_reversals r on r.reverses_id = moved.id),
      legs as (select a.code, case e.side when 'D' then e.amount_cents else -e.amount_cents end as cents
        from moved join ledger_entries e on e.transaction_id = moved.id join ledger_accounts a on a.id = e.account_id)
    select coalesce(-sum(cents) filter (where code like 'asset:processor:%'), 0)::bigint as "cardCents",
      coalesce(sum(cents) filter (where code = 'rev:deposit_fee'), 0)::bigint as "feeCents" from legs`,
};
const FIND_BY_EVENT: SqlStatement = {
  name: 'ledger-by-event',
  text: 'select transaction_id as "transactionId" from ledger_external_refs where provider = $1 and event_key = $2',
};

export async function findTransactionByEvent(
  db: Executor,
  provider: string,
  eventKey: string,
): Promise<string | undefined> {
  const [known] = await db.run<{ transactionId: string }>(FIND_BY_EVENT, [provider, eventKey]);
  return known?.transactionId;
}

async function sumReversed(db: Executor, depositId: string): Promise<{ cardCents: number; feeCents: number }> {
  const [sums] = await db.run<{ cardCents: number; feeCents: number }>(SUM_REVERSED, [depositId]);
  return sums ?? { cardCents: 0, feeCents: 0 };
}

async function loadDeposit(
  db: Executor,
  id: string,
): Promise<{ fanId: string; clearing: string; cardCents: number; feeCents: number }> {
  const legs = await listLegs(db, id);
  const wallet = legs.find(({ code }) => code.endsWith(':wallet'));
  const clearing = legs.find(({ code, cents }) => code.startsWith('asset:processor:') && cents > 0);
  if (!wallet?.ownerId || !clearing) throw new AppError('NOT_FOUND');
  return {
    fanId: wallet.ownerId,
    clearing: clearing.code,
    cardCents: clearing.cents,
    feeCents: -sumLegs(legs, account.depositFee),
  };
}

type CardParts = { cardCents: number; feeCents: number };

/** The total so far is rounded instead of each part, so that the parts sum to the fee. */
function splitReversal(deposit: CardParts, before: CardParts, cardCents: number) {
  const feeCents =
    Math.round((deposit.feeCents * (before.cardCents + cardCents)) / deposit.cardCents) - before.feeCents;
  return { feeCents, amountCents: cardCents - feeCents };
}

/** Returns what {@link reverseDeposit} would deduct from the balance, without the fee. Throws NOT_FOUND without a deposit. */
export async function calculateReversal(tx: DbTransaction, reversal: DepositReversal): Promise<Cents> {
  const deposit = await loadDeposit(tx, reversal.depositTransactionId);
  if (await findTransactionByEvent(tx, reversal.provider, reversal.eventKey)) return asCents(0);
  const before = await sumReversed(tx, reversal.depositTransactionId);
  const remainingCents = deposit.cardCents - before.cardCents;
  const cardCents = Math.min(reversal.cardCents ?? remainingCents, remainingCents);
  return asCents(cardCents > 0 ? splitReversal(deposit, before, cardCents).amountCents : 0);
}

/**
 * Reverses a deposit or a part of it, as reported by the processor (money 9). The fee is reversed in proportion, and
 * parts sum to the whole fee. The fan owes what the wallet cannot cover (`shortfallCents`). A repeated event changes
 * nothing. Throws NOT_FOUND for anything but a deposit.
 */
export async function reverseDeposit(tx: DbTransaction, reversal: DepositReversal): Promise<ReversedDeposit> {
  const { depositTransactionId, provider, ref, eventKey, kind } = reversal;
  const deposit = await loadDeposit(tx, depositTransactionId);
  const { fanId } = deposit;
  const { balanceCents, balanceLine } = await lockWallet(tx, fanId);
  const wallet = { balanceCents, balanceLine };
  const known = await findTransactionByEvent(tx, provider, eventKey);
  const before = await sumReversed(tx, depositTransactionId);
  const remainingBefore = deposit.cardCents - before.cardCents;
  if (known)
    return {
      ...(await loadReversal(tx, known)),
      fanId,
      remainingCents: asCents(remainingBefore),
      ...wallet,
    };

  const cardCents = Math.min(asCents(reversal.cardCents ?? remainingBefore), remainingBefore);
  const none = { isReplayed: false, fanId, ...wallet };
  if (cardCents <= 0) {
    return {
      transactionId: null,
      ...none,
      cardCents: asCents(0),
      amountCents: asCents(0),
      feeCents: asCents(0),
      shortfallCents: asCents(0),
      remainingCents: asCents(remainingBefore),
    };
  }
  const { feeCents, amountCents } = splitReversal(deposit, before, cardCents);
  const fromWallet = Math.min(balanceCents, amountCents);
  const posted = await postTransaction(tx, {
    kind: `deposit_${kind}`,
    legs: [
      [account.wallet(fanId), fromWallet],
      // Moved to the debt account of the fan right after (debts.ts).
      [account.chargebackLoss, amountCents - fromWallet],
      [account.depositFee, feeCents],
      [deposit.clearing, -cardCents],
    ],
    external: { provider, ref, eventKey },
    reversesId: depositTransactionId,
    ...(reversal.metadata && { metadata: reversal.metadata }),
    at: reversal.at,
  });
  const shortfallCents = asCents(amountCents - fromWallet);
  if (shortfallCents > 0)
    await recordDebt(tx, { fanId, reversalId: posted.transactionId, cents: shortfallCents, at: reversal.at });
  return {
    ...posted,
    fanId,
    cardCents: asCents(cardCents),
    amountCents: asCents(amountCents),
    feeCents: asCents(feeCents),
    shortfallCents,
    remainingCents: asCents(remainingBefore - cardCents),
    ...(await getWalletBalance(tx, fanId)),
  };
}

async function loadReversal(db: Executor, transactionId: string) {
  const legs = await listLegs(db, transactionId);
  const shortfall = sumLegs(legs, account.chargebackLoss);
  return {
    transactionId,
    isReplayed: true,
    cardCents: asCents(-sumLegs(legs, 'asset:processor:')),
    feeCents: asCents(sumLegs(legs, account.depositFee)),
    amountCents: asCents(sumLegs(legs, 'liab:fan:') + shortfall),
    shortfallCents: asCents(shortfall),
  };
}

type CardTransaction = { transactionId: string; fanId: string; cardCents: Cents; amountCents: Cents };
export type WonChargeback = SettledBalance & CardTransaction;
export type ReversedWin = WalletBalance & CardTransaction;

const FIND_CHARGEBACK: SqlStatement = {
  name: 'ledger-reversed-deposit',
  text: `select r.reverses_id as "depositId", (select w.transaction_id from ledger_reversals w join ledger_transactions k on k.id = w.transaction_id
      where w.reverses_id = $1 and k.kind = 'chargeback_won' and not exists (select from ledger_reversals b where b.reverses_id = w.transaction_id)) as "winId"
    from ledger_reversals r join ledger_transactions t on t.id = r.transaction_id where r.transaction_id = $1 and t.kind = 'deposit_chargeback'`,
};

async function lockChargeback(tx: DbTransaction, chargebackId: string) {
  const [chargeback] = await tx.run<{ depositId: string }>(FIND_CHARGEBACK, [chargebackId]);
  if (!chargeback) throw new AppError('NOT_FOUND');
  const { depositId } = chargeback;
  const { feeCents, ...deposit } = await loadDeposit(tx, depositId);
  const { balanceCents } = await lockWallet(tx, deposit.fanId);
  const [current] = await tx.run<{ winId: string | null }>(FIND_CHARGEBACK, [chargebackId]);
  const before = await sumReversed(tx, depositId);
  const calculateFeeAfter = (cents: number) => Math.round((feeCents * (before.cardCents + cents)) / deposit.cardCents);
  return { ...deposit, balanceCents, before, calculateFeeAfter, winId: current?.winId ?? null };
}

/**
 * Records that a chargeback was won and the processor returned the money. Cancels the debt for it and credits the rest
 * to the wallet. The deposit can be reversed again. Throws NOT_FOUND (no chargeback), CONFLICT (already won).
 */
export async function recordChargebackWin(tx: DbTransaction, chargebackId: string, at: Date): Promise<WonChargeback> {
  const { fanId, clearing, before, calculateFeeAfter, winId } = await lockChargeback(tx, chargebackId);
  if (winId !== null) throw new AppError('CONFLICT', { message: texts.chargebackAlreadyWon });
  const cardCents = asCents(-sumLegs(await listLegs(tx, chargebackId), 'asset:processor:'));
  const feeCents = before.feeCents - calculateFeeAfter(-cardCents);
  return {
    ...(await creditWonChargeback(tx, { fanId, chargebackId, clearing, cardCents, feeCents, at })),
    fanId,
    cardCents,
  };
}

/**
 * Undoes a win that was recorded by mistake, so that the chargeback is in force again. Throws NOT_FOUND (no
 * chargeback), CONFLICT (it is not won, or the payment was reversed again since).
 */
export async function reverseChargebackWin(tx: DbTransaction, chargebackId: string, at: Date): Promise<ReversedWin> {
  const { before, calculateFeeAfter, winId, ...deposit } = await lockChargeback(tx, chargebackId);
  if (winId === null) throw new AppError('CONFLICT', { message: texts.chargebackNotReversed });
  const legs = await listLegs(tx, winId);
  const cardCents = asCents(sumLegs(legs, 'asset:processor:'));
  if (before.cardCents + cardCents > deposit.cardCents)
    throw new AppError('CONFLICT', { message: texts.paymentReversedAgain });
  const { fanId, clearing, balanceCents } = deposit;
  const reversal = { cardCents, feeCents: calculateFeeAfter(cardCents) - before.feeCents, balanceCents, at };
  const lossCents = -sumLegs(legs, account.chargebackLoss);
  return { ...(await debitReversedWin(tx, { fanId, winId, clearing, lossCents, ...reversal })), fanId, cardCents };
}
