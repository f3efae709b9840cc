/**
 * Debts of fans: the part of a reversed deposit that the wallet could not cover. Incoming money repays it, a won
 * chargeback cancels it, and an operator can write it off. A debt blocks spending until it is paid.
 */
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { asCents, type Cents } from '@stagedoor/contract/shared/money.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import type { EventPayload } from '../../../platform/events/event-types.ts';
import { type DebtLine, type DebtPart, toDebtParts } from './debt-parts.ts';
import './events.ts';
import { account, postTransaction } from './post.ts';
import * as texts from './texts.ts';
import { getWalletBalance, lockWallet, type WalletBalance } from './transaction-legs.ts';

const LINES: SqlStatement = {
  name: 'debt-lines',
  text: `select l.account_id as "accountId", l.transaction_id as "transactionId", l.kind, l.amount_cents as cents, t.id as "causeId", t.kind as "causeKind", t.occurred_at as at
    from ledger_lines l left join ledger_reversals r on r.transaction_id = l.transaction_id
    left join ledger_reversals w on w.transaction_id = r.reverses_id and l.kind = 'chargeback_upheld'
    left join ledger_transactions t on t.id = coalesce(w.reverses_id, r.reverses_id)
    where l.account_id = any (array(select id from ledger_accounts where code = any ($1))) order by l.account_id, l.line`,
};

export async function listDebtParts(db: Executor, fanId: string): Promise<DebtPart[]> {
  return toDebtParts(await db.run<DebtLine>(LINES, [[account.owed(fanId)]]));
}

const SPENDING_STATUS: SqlStatement = {
  name: 'debt-spending-status',
  text: `select w.balance_cents as "balanceCents", w.lines as "balanceLine", w.is_frozen as "isBlocked", w.is_frozen_for_debt as "isForDebt",
      coalesce(o.balance_cents, 0)::bigint as "owedCents"
    from ledger_accounts w left join ledger_accounts o on o.code = $2 where w.code = $1`,
};

/** `isForDebt` means that the block ends automatically once the debt is paid. */
export type SpendingStatus = WalletBalance & { isBlocked: boolean; isForDebt: boolean; owedCents: Cents };

export async function getSpendingStatus(db: Executor, fanId: string): Promise<SpendingStatus> {
  const [spendingStatus] = await db.run<SpendingStatus>(SPENDING_STATUS, [account.wallet(fanId), account.owed(fanId)]);
  return (
    spendingStatus ?? {
      balanceCents: asCents(0),
      balanceLine: 0,
      isBlocked: false,
      isForDebt: false,
      owedCents: asCents(0),
    }
  );
}

const BLOCK: SqlStatement = {
  name: 'debt-block',
  text: 'update ledger_accounts set is_frozen = $2, is_frozen_for_debt = false where code = $1',
};
const FREEZE: SqlStatement = {
  name: 'debt-freeze',
  text: 'update ledger_accounts set is_frozen = true, is_frozen_for_debt = not is_frozen or is_frozen_for_debt where code = $1',
};
const THAW: SqlStatement = {
  name: 'debt-thaw',
  text: `update ledger_accounts w set is_frozen = false, is_frozen_for_debt = false
    from ledger_accounts o where w.code = $1 and w.is_frozen_for_debt and o.code = $2 and o.balance_cents = 0`,
};

async function emitDebtChanged(
  tx: DbTransaction,
  fanId: string,
  change: EventPayload<'debt.changed'>['change'],
  cents: number,
): Promise<void> {
  const { owedCents, isBlocked } = await getSpendingStatus(tx, fanId);
  await tx.emit('debt.changed', { fanId, change, cents, owedCents, isBlocked });
}

/**
 * Books the part of a reversal beyond the wallet as debt of the fan and blocks their spending. Requires the wallet
 * lock.
 */
export async function recordDebt(
  tx: DbTransaction,
  debt: { fanId: string; reversalId: string; cents: number; at: Date | undefined },
): Promise<void> {
  const { fanId, reversalId, cents, at } = debt;
  const legs = [
    [account.owed(fanId), cents],
    [account.chargebackLoss, -cents],
  ] as const;
  await postTransaction(tx, { kind: 'debt', legs, reversesId: reversalId, at });
  await tx.run(FREEZE, [account.wallet(fanId)]);
  await emitDebtChanged(tx, fanId, 'owed', cents);
}

export type SettledBalance = WalletBalance & {
  debtPaidCents: Cents;
};

/**
 * Repays debt from the balance and returns the balance after it. Call it under the wallet lock after posting incoming
 * money. Spending is unblocked once nothing is owed, unless an operator set the block.
 */
export async function settleDebt(tx: DbTransaction, fanId: string, at: Date | undefined): Promise<SettledBalance> {
  const { balanceCents, balanceLine, owedCents } = await getSpendingStatus(tx, fanId);
  const debtPaidCents = asCents(Math.min(balanceCents, owedCents));
  if (debtPaidCents === 0) return { balanceCents, balanceLine, debtPaidCents };
  const legs = [
    [account.wallet(fanId), debtPaidCents],
    [account.owed(fanId), -debtPaidCents],
  ] as const;
  await postTransaction(tx, { kind: 'debt_repayment', legs, at });
  await tx.run(THAW, [account.wallet(fanId), account.owed(fanId)]);
  await emitDebtChanged(tx, fanId, 'repaid', debtPaidCents);
  return { balanceCents: asCents(balanceCents - debtPaidCents), balanceLine: balanceLine + 1, debtPaidCents };
}

/** Writes off the whole debt of a fan as a loss and returns its amount. Throws CONFLICT when nothing is owed. */
export async function writeOffDebt(tx: DbTransaction, fanId: string, at: Date): Promise<Cents> {
  await lockWallet(tx, fanId);
  const { owedCents } = await getSpendingStatus(tx, fanId);
  if (owedCents === 0) throw new AppError('CONFLICT', { message: texts.nothingIsOwed });
  const legs = [
    [account.chargebackLoss, owedCents],
    [account.owed(fanId), -owedCents],
  ] as const;
  await postTransaction(tx, { kind: 'debt_write_off', legs, at });
  await tx.run(THAW, [account.wallet(fanId), account.owed(fanId)]);
  await emitDebtChanged(tx, fanId, 'writtenOff', owedCents);
  return owedCents;
}

/**
 * Returns the money of a won chargeback to the fan: cancels what is still owed for it, reverses what was written off
 * and credits the rest. Requires the wallet lock.
 */
export async function creditWonChargeback(
  tx: DbTransaction,
  won: { fanId: string; chargebackId: string; clearing: string; cardCents: number; feeCents: number; at: Date },
): Promise<SettledBalance & { transactionId: string; amountCents: Cents }> {
  const { fanId, chargebackId, clearing, cardCents, feeCents, at } = won;
  const amountCents = asCents(cardCents - feeCents);
  const part = (await listDebtParts(tx, fanId)).find(({ reversalId }) => reversalId === chargebackId);
  const openCents = Math.min(part?.openCents ?? 0, amountCents);
  const lossCents = Math.min(part?.writtenOffCents ?? 0, amountCents - openCents);
  const { transactionId } = await postTransaction(tx, {
    kind: 'chargeback_won',
    legs: [
      [clearing, cardCents],
      [account.owed(fanId), -openCents],
      [account.chargebackLoss, -lossCents],
      [account.depositFee, -feeCents],
      [account.wallet(fanId), openCents + lossCents - amountCents],
    ],
    reversesId: chargebackId,
    at,
  });
  const settled = await settleDebt(tx, fanId, at);
  await tx.run(THAW, [account.wallet(fanId), account.owed(fanId)]);
  await emitDebtChanged(tx, fanId, 'won', amountCents);
  return { ...settled, transactionId, amountCents };
}

/**
 * Undoes a won chargeback that was recorded by mistake: the written-off part is a loss again, the rest comes out of the
 * wallet, and what the wallet cannot cover becomes debt. Requires the wallet lock, under which the wallet holds
 * `balanceCents`.
 */
export async function debitReversedWin(
  tx: DbTransaction,
  win: {
    fanId: string;
    winId: string;
    clearing: string;
    cardCents: number;
    feeCents: number;
    lossCents: number;
    balanceCents: number;
    at: Date;
  },
): Promise<WalletBalance & { transactionId: string; amountCents: Cents }> {
  const { fanId, winId, clearing, cardCents, feeCents, at } = win;
  const amountCents = asCents(cardCents - feeCents);
  const lossCents = Math.min(win.lossCents, amountCents);
  const fromWallet = Math.min(win.balanceCents, amountCents - lossCents);
  const owedCents = amountCents - lossCents - fromWallet;
  const { transactionId } = await postTransaction(tx, {
    kind: 'chargeback_upheld',
    legs: [
      [account.wallet(fanId), fromWallet],
      [account.owed(fanId), owedCents],
      [account.chargebackLoss, lossCents],
      [account.depositFee, feeCents],
      [clearing, -cardCents],
    ],
    reversesId: winId,
    at,
  });
  if (owedCents > 0) await tx.run(FREEZE, [account.wallet(fanId)]);
  await emitDebtChanged(tx, fanId, 'notWon', amountCents);
  return { ...(await getWalletBalance(tx, fanId)), transactionId, amountCents };
}

/**
 * Blocks or allows spending by decision of an operator. Charges and holds throw FORBIDDEN while blocked, but money
 * still comes in. Takes over a block for a debt, which then no longer ends with the debt.
 */
export async function setSpendingBlocked(tx: DbTransaction, fanId: string, isBlocked: boolean): Promise<void> {
  await lockWallet(tx, fanId);
  await tx.run(BLOCK, [account.wallet(fanId), isBlocked]);
  await emitDebtChanged(tx, fanId, isBlocked ? 'blocked' : 'unblocked', 0);
}

const LIST_DEBTORS: SqlStatement = {
  name: 'debt-all',
  text: `with all_of as (
      select owner_id as id from ledger_accounts where code like 'asset:fan:%:receivable' and balance_cents > 0
      union select owner_id from ledger_accounts where is_frozen)
    select id as "fanId", count(*) over () as total from all_of order by id limit $1 offset $2`,
};

export async function listDebtorIds(
  db: Executor,
  page: { limit: number; skip: number },
): Promise<{ fanIds: string[]; total: number }> {
  const rows = await db.run<{ fanId: string; total: number }>(LIST_DEBTORS, [page.limit, page.skip]);
  return { fanIds: rows.map(({ fanId }) => fanId), total: rows[0]?.total ?? 0 };
}

export async function countDebtors(db: Executor): Promise<{ count: number; since: null }> {
  const { total } = await listDebtorIds(db, { limit: 1, skip: 0 });
  return { count: total, since: null };
}

const SPENDING_STATUSES: SqlStatement = {
  name: 'debt-spending-statuses',
  text: `select f.id as "fanId", coalesce(w.balance_cents, 0)::bigint as "balanceCents", coalesce(w.lines, 0)::bigint as "balanceLine",
      coalesce(w.is_frozen, false) as "isBlocked", coalesce(w.is_frozen_for_debt, false) as "isForDebt",
      coalesce(o.balance_cents, 0)::bigint as "owedCents", o.id as "owedId"
    from unnest($1::uuid[]) as f (id) left join ledger_accounts w on w.code = 'liab:fan:' || f.id || ':wallet'
    left join ledger_accounts o on o.code = 'asset:fan:' || f.id || ':receivable'`,
};

export type FanDebt = SpendingStatus & { fanId: string; parts: DebtPart[] };

export async function listDebts(db: Executor, fanIds: readonly string[]): Promise<FanDebt[]> {
  const [statuses, lines] = await Promise.all([
    db.run<SpendingStatus & { fanId: string; owedId: number | null }>(SPENDING_STATUSES, [fanIds]),
    db.run<DebtLine & { accountId: number }>(LINES, [fanIds.map(account.owed)]),
  ]);
  return statuses.map(({ owedId, ...spendingStatus }) => ({
    ...spendingStatus,
    parts: toDebtParts(lines.filter(({ accountId }) => accountId === owedId)),
  }));
}
