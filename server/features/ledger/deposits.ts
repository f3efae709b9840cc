/** Deposits, and what processors take back of them: refunds, chargebacks, voids and returns. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { asCents, type Cents } from '@stagedoor/contract/atoms/money.ts';
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import { giveBackWon, owe, type Settled, settledBalance, takeBackWin } from './debts.ts';
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

export type Credited = Settled & { transactionId: string; isReplayed: boolean };

/**
 * Credits a deposit that the processor confirmed; what the fan owes is kept of it (`keptCents`). An event told again changes
 * nothing (`isReplayed`).
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
  /** The part of `amountCents` that the wallet could not cover: owed by the fan, whose spending is blocked for it. */
  shortfallCents: Cents;
  /** What is left of the card payment to take back. */
  leftCents: Cents;
};

/** What was won again is no longer taken back, unless that was taken back in its turn. */
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

/** The transaction that answers to an outside event, if one does. */
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
 * Takes back a deposit, or a part of it, as the processor says (money 9). The fee goes back in proportion; parts
 * sum to the whole fee. What the wallet cannot cover is owed by the fan from then on, and told as `shortfallCents`.
 * An event told again changes nothing. Throws NOT_FOUND when it is no deposit.
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
  // Rounding what was given back in total, not each part, makes the parts sum to the fee.
  const feeCents =
    Math.round((deposit.feeCents * (before.cardCents + cardCents)) / deposit.cardCents) - before.feeCents;
  const amountCents = cardCents - feeCents;
  const fromWallet = Math.min(balanceCents, amountCents);
  const posted = await post(tx, {
    kind: `deposit_${kind}`,
    legs: [
      [account.wallet(fanId), fromWallet],
      // Taken over by the debt of the fan at once (debts.ts).
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

/** What came back of the card payment, or went again, and of it the balance that it had added. */
type OfCard = { transactionId: string; fanId: string; cardCents: Cents; amountCents: Cents };
export type Won = Settled & OfCard;
export type NotWon = WalletBalance & OfCard;

/** Of a chargeback: the deposit, and the win that stands. */
const REVERSED: Statement = {
  name: 'ledger-reversed-deposit',
  text: `select r.reverses_id as "depositId", (select w.transaction_id from ledger_reversals w join ledger_transactions k on k.id = w.transaction_id
      where w.reverses_id = $1 and k.kind = 'chargeback_won' and not exists (select from ledger_reversals b where b.reverses_id = w.transaction_id)) as "winId"
    from ledger_reversals r join ledger_transactions t on t.id = r.transaction_id where r.transaction_id = $1 and t.kind = 'deposit_chargeback'`,
};

/** A chargeback with its deposit, under the lock of its fan's wallet. Throws NOT_FOUND. */
async function lockChargeback(tx: Transaction, chargebackId: string) {
  const [found] = await tx.run<{ depositId: string }>(REVERSED, [chargebackId]);
  if (!found) throw new AppError('NOT_FOUND');
  const { depositId } = found;
  const { feeCents, ...deposit } = await loadDeposit(tx, depositId);
  const { balanceCents } = await lockWallet(tx, deposit.fanId);
  const [now] = await tx.run<{ winId: string | null }>(REVERSED, [chargebackId]);
  const before = await takenBack(tx, depositId);
  /** The whole fee's share of what is taken back once `cents` more are: rounded in total, so that it sums to the cent. */
  const feeAfter = (cents: number) => Math.round((feeCents * (before.cardCents + cents)) / deposit.cardCents);
  return { ...deposit, balanceCents, before, feeAfter, winId: now?.winId ?? null };
}

/**
 * Takes a chargeback back that was won: the processor gave the money back. What it had left owed is owed no longer, and the
 * rest is in the wallet again; the deposit may be taken back anew. Throws NOT_FOUND (no chargeback), CONFLICT (won already).
 */
export async function winChargeback(tx: Transaction, chargebackId: string, at: Date): Promise<Won> {
  const { fanId, clearing, before, feeAfter, winId } = await lockChargeback(tx, chargebackId);
  if (winId !== null) throw new AppError('CONFLICT', { message: 'This chargeback was won already.' });
  const cardCents = asCents(-movedOn(await legsOf(tx, chargebackId), 'asset:processor:'));
  const feeCents = before.feeCents - feeAfter(-cardCents);
  return { ...(await giveBackWon(tx, { fanId, chargebackId, clearing, cardCents, feeCents, at })), fanId, cardCents };
}

/**
 * Takes a win back that was none: the chargeback stands as before it. Throws NOT_FOUND (no chargeback), CONFLICT (it is not won, or
 * its payment was taken back again since).
 */
export async function unwinChargeback(tx: Transaction, chargebackId: string, at: Date): Promise<NotWon> {
  const { before, feeAfter, winId, ...deposit } = await lockChargeback(tx, chargebackId);
  if (winId === null) throw new AppError('CONFLICT', { message: 'This chargeback is not won.' });
  const legs = await legsOf(tx, winId);
  const cardCents = asCents(movedOn(legs, 'asset:processor:'));
  if (before.cardCents + cardCents > deposit.cardCents)
    throw new AppError('CONFLICT', { message: 'Its payment was taken back again since it was won.' });
  const { fanId, clearing, balanceCents } = deposit;
  const taken = { cardCents, feeCents: feeAfter(cardCents) - before.feeCents, balanceCents, at };
  const lossCents = -movedOn(legs, account.chargebackLoss);
  return { ...(await takeBackWin(tx, { fanId, winId, clearing, lossCents, ...taken })), fanId, cardCents };
}
