import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { asCents, type Cents } from '@stagedoor/contract/atoms/money.ts';
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import { giveBackWon, owe, type Settled, settledBalance, takeBackWin } from './debts.ts';
import { legsOf, lockWallet, movedOn, type WalletBalance, walletBalance } from './lines.ts';
import { account, post } from './post.ts';

export type Deposit = {
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

export type Credited = Settled & { transactionId: string; isReplayed: boolean };

/**
 * Credits a confirmed deposit and repays the debt of the fan first (`keptCents`). A repeated event changes nothing
 * (`isReplayed`).
 */
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
  return { ...posted, ...(await settledBalance(tx, fanId, deposit.at)) };
}

export type Reversal = {
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

export type Reversed = WalletBalance & {
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
  leftCents: Cents;
};

/** A won chargeback no longer counts as reversed, unless the win itself was reversed. */
const TAKEN_BACK: Statement = {
  name: 'ledger-taken-back',
  text: `with recursive moved as (select transaction_id as id from ledger_reversals where reverses_id = $1
        union all select r.transaction_id from moved join ledger_reversals r on r.reverses_id = moved.id),
      legs as (select a.code, case e.side when 'D' then e.amount_cents else -e.amount_cents end as cents
        from moved join ledger_entries e on e.transaction_id = moved.id join ledger_accounts a on a.id = e.account_id)
    select coalesce(-sum(cents) filter (where code like 'asset:processor:%'), 0)::bigint as "cardCents",
      coalesce(sum(cents) filter (where code = 'rev:deposit_fee'), 0)::bigint as "feeCents" from legs`,
};
const BY_EVENT: Statement = {
  name: 'ledger-by-event',
  text: 'select transaction_id as "transactionId" from ledger_externals where provider = $1 and event_key = $2',
};

export async function findByEvent(db: Executor, provider: string, eventKey: string): Promise<string | undefined> {
  const [known] = await db.run<{ transactionId: string }>(BY_EVENT, [provider, eventKey]);
  return known?.transactionId;
}

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
 * Reverses a deposit or a part of it, as reported by the processor (money 9). The fee is reversed in proportion, and
 * parts sum to the whole fee. The fan owes what the wallet cannot cover (`shortfallCents`). A repeated event changes
 * nothing. Throws NOT_FOUND for anything but a deposit.
 */
export async function reverseDeposit(tx: Transaction, reversal: Reversal): Promise<Reversed> {
  const { depositTransactionId, provider, ref, eventKey, kind } = reversal;
  const deposit = await loadDeposit(tx, depositTransactionId);
  const { fanId } = deposit;
  const { balanceCents, balanceLine } = await lockWallet(tx, fanId);
  const wallet = { balanceCents, balanceLine };
  const known = await findByEvent(tx, provider, eventKey);
  const before = await takenBack(tx, depositTransactionId);
  const leftBefore = deposit.cardCents - before.cardCents;
  if (known)
    return {
      ...(await storedReversal(tx, known)),
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
  // The total so far is rounded instead of each part, so that the parts sum to the fee.
  const feeCents =
    Math.round((deposit.feeCents * (before.cardCents + cardCents)) / deposit.cardCents) - before.feeCents;
  const amountCents = cardCents - feeCents;
  const fromWallet = Math.min(balanceCents, amountCents);
  const posted = await post(tx, {
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
    await owe(tx, { fanId, reversalId: posted.transactionId, cents: shortfallCents, at: reversal.at });
  return {
    ...posted,
    fanId,
    cardCents: asCents(cardCents),
    amountCents: asCents(amountCents),
    feeCents: asCents(feeCents),
    shortfallCents,
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

type OfCard = { transactionId: string; fanId: string; cardCents: Cents; amountCents: Cents };
export type Won = Settled & OfCard;
export type NotWon = WalletBalance & OfCard;

const REVERSED: Statement = {
  name: 'ledger-reversed-deposit',
  text: `select r.reverses_id as "depositId", (select w.transaction_id from ledger_reversals w join ledger_transactions k on k.id = w.transaction_id
      where w.reverses_id = $1 and k.kind = 'chargeback_won' and not exists (select from ledger_reversals b where b.reverses_id = w.transaction_id)) as "winId"
    from ledger_reversals r join ledger_transactions t on t.id = r.transaction_id where r.transaction_id = $1 and t.kind = 'deposit_chargeback'`,
};

async function lockChargeback(tx: Transaction, chargebackId: string) {
  const [found] = await tx.run<{ depositId: string }>(REVERSED, [chargebackId]);
  if (!found) throw new AppError('NOT_FOUND');
  const { depositId } = found;
  const { feeCents, ...deposit } = await loadDeposit(tx, depositId);
  const { balanceCents } = await lockWallet(tx, deposit.fanId);
  const [now] = await tx.run<{ winId: string | null }>(REVERSED, [chargebackId]);
  const before = await takenBack(tx, depositId);
  const feeAfter = (cents: number) => Math.round((feeCents * (before.cardCents + cents)) / deposit.cardCents);
  return { ...deposit, balanceCents, before, feeAfter, winId: now?.winId ?? null };
}

/**
 * Records that a chargeback was won and the processor returned the money. Cancels the debt for it and credits the rest
 * to the wallet. The deposit can be reversed again. Throws NOT_FOUND (no chargeback), CONFLICT (already won).
 */
export async function winChargeback(tx: Transaction, chargebackId: string, at: Date): Promise<Won> {
  const { fanId, clearing, before, feeAfter, winId } = await lockChargeback(tx, chargebackId);
  if (winId !== null) throw new AppError('CONFLICT', { message: 'This chargeback was won already.' });
  const cardCents = asCents(-movedOn(await legsOf(tx, chargebackId), 'asset:processor:'));
  const feeCents = before.feeCents - feeAfter(-cardCents);
  return { ...(await giveBackWon(tx, { fanId, chargebackId, clearing, cardCents, feeCents, at })), fanId, cardCents };
}

/**
 * Undoes a win that was recorded by mistake, so that the chargeback is in force again. Throws NOT_FOUND (no
 * chargeback), CONFLICT (it is not won, or the payment was reversed again since).
 */
export async function unwinChargeback(tx: Transaction, chargebackId: string, at: Date): Promise<NotWon> {
  const { before, feeAfter, winId, ...deposit } = await lockChargeback(tx, chargebackId);
  if (winId === null) throw new AppError('CONFLICT', { message: 'This chargeback isn’t marked as reversed.' });
  const legs = await legsOf(tx, winId);
  const cardCents = asCents(movedOn(legs, 'asset:processor:'));
  if (before.cardCents + cardCents > deposit.cardCents)
    throw new AppError('CONFLICT', { message: 'The payment was reversed again since.' });
  const { fanId, clearing, balanceCents } = deposit;
  const taken = { cardCents, feeCents: feeAfter(cardCents) - before.feeCents, balanceCents, at };
  const lossCents = -movedOn(legs, account.chargebackLoss);
  return { ...(await takeBackWin(tx, { fanId, winId, clearing, lossCents, ...taken })), fanId, cardCents };
}
