/**
 * Debts of fans: the part of a reversed deposit that the wallet could not cover. Incoming money repays it, a won
 * chargeback cancels it, and an operator can write it off. A debt blocks spending until it is paid.
 */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { asCents, type Cents } from '@stagedoor/contract/atoms/money.ts';
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import type { EventPayload } from '../../kernel/events.ts';
import { type DebtPart, type OwedLine, partsOf } from './debt-parts.ts';
import './events.ts';
import { lockWallet, type WalletBalance, walletBalance } from './lines.ts';
import { account, post } from './post.ts';

const LINES: Statement = {
  name: 'debt-lines',
  text: `select l.account_id as "accountId", l.transaction_id as "transactionId", l.kind, l.amount_cents as cents, t.id as "ofId", t.kind as "ofKind", t.occurred_at as at
    from ledger_lines l left join ledger_reversals r on r.transaction_id = l.transaction_id
    left join ledger_reversals w on w.transaction_id = r.reverses_id and l.kind = 'chargeback_stands'
    left join ledger_transactions t on t.id = coalesce(w.reverses_id, r.reverses_id)
    where l.account_id = any (array(select id from ledger_accounts where code = any ($1))) order by l.account_id, l.line`,
};

export async function debtParts(db: Executor, fanId: string): Promise<DebtPart[]> {
  return partsOf(await db.run<OwedLine>(LINES, [[account.owed(fanId)]]));
}

const STANDING: Statement = {
  name: 'debt-standing',
  text: `select w.balance_cents as "balanceCents", w.lines as "balanceLine", w.is_frozen as "isBlocked", w.is_frozen_for_debt as "isForDebt",
      coalesce(o.balance_cents, 0)::bigint as "owedCents"
    from ledger_accounts w left join ledger_accounts o on o.code = $2 where w.code = $1`,
};

/** `isForDebt` means that the block ends automatically once the debt is paid. */
export type Standing = WalletBalance & { isBlocked: boolean; isForDebt: boolean; owedCents: Cents };

export async function standingOf(db: Executor, fanId: string): Promise<Standing> {
  const [standing] = await db.run<Standing>(STANDING, [account.wallet(fanId), account.owed(fanId)]);
  return (
    standing ?? { balanceCents: asCents(0), balanceLine: 0, isBlocked: false, isForDebt: false, owedCents: asCents(0) }
  );
}

const BLOCK: Statement = {
  name: 'debt-block',
  text: 'update ledger_accounts set is_frozen = $2, is_frozen_for_debt = false where code = $1',
};
const FREEZE: Statement = {
  name: 'debt-freeze',
  text: 'update ledger_accounts set is_frozen = true, is_frozen_for_debt = not is_frozen or is_frozen_for_debt where code = $1',
};
const THAW: Statement = {
  name: 'debt-thaw',
  text: `update ledger_accounts w set is_frozen = false, is_frozen_for_debt = false
    from ledger_accounts o where w.code = $1 and w.is_frozen_for_debt and o.code = $2 and o.balance_cents = 0`,
};

async function tell(
  tx: Transaction,
  fanId: string,
  change: EventPayload<'debt.changed'>['change'],
  cents: number,
): Promise<void> {
  const { owedCents, isBlocked } = await standingOf(tx, fanId);
  await tx.emit('debt.changed', { fanId, change, cents, owedCents, isBlocked });
}

/**
 * Books the part of a reversal beyond the wallet as debt of the fan and blocks their spending. Requires the wallet
 * lock.
 */
export async function owe(
  tx: Transaction,
  debt: { fanId: string; reversalId: string; cents: number; at: Date | undefined },
): Promise<void> {
  const { fanId, reversalId, cents, at } = debt;
  const legs = [
    [account.owed(fanId), cents],
    [account.chargebackLoss, -cents],
  ] as const;
  await post(tx, { kind: 'debt', legs, reversesId: reversalId, at });
  await tx.run(FREEZE, [account.wallet(fanId)]);
  await tell(tx, fanId, 'owed', cents);
}

export type Settled = WalletBalance & {
  keptCents: Cents;
};

/**
 * Repays debt from the balance and returns the balance after it. Call it under the wallet lock after posting incoming
 * money. Spending is unblocked once nothing is owed, unless an operator set the block.
 */
export async function settledBalance(tx: Transaction, fanId: string, at: Date | undefined): Promise<Settled> {
  const { balanceCents, balanceLine, owedCents } = await standingOf(tx, fanId);
  const keptCents = asCents(Math.min(balanceCents, owedCents));
  if (keptCents === 0) return { balanceCents, balanceLine, keptCents };
  const legs = [
    [account.wallet(fanId), keptCents],
    [account.owed(fanId), -keptCents],
  ] as const;
  await post(tx, { kind: 'debt_repayment', legs, at });
  await tx.run(THAW, [account.wallet(fanId), account.owed(fanId)]);
  await tell(tx, fanId, 'workedOff', keptCents);
  return { balanceCents: asCents(balanceCents - keptCents), balanceLine: balanceLine + 1, keptCents };
}

/** Writes off the whole debt of a fan as a loss and returns its amount. Throws CONFLICT when nothing is owed. */
export async function writeOffDebt(tx: Transaction, fanId: string, at: Date): Promise<Cents> {
  await lockWallet(tx, fanId);
  const { owedCents } = await standingOf(tx, fanId);
  if (owedCents === 0) throw new AppError('CONFLICT', { message: 'Nothing is owed.' });
  const legs = [
    [account.chargebackLoss, owedCents],
    [account.owed(fanId), -owedCents],
  ] as const;
  await post(tx, { kind: 'debt_write_off', legs, at });
  await tx.run(THAW, [account.wallet(fanId), account.owed(fanId)]);
  await tell(tx, fanId, 'writtenOff', owedCents);
  return owedCents;
}

/**
 * Returns the money of a won chargeback to the fan: cancels what is still owed for it, reverses what was written off
 * and credits the rest. Requires the wallet lock.
 */
export async function giveBackWon(
  tx: Transaction,
  won: { fanId: string; chargebackId: string; clearing: string; cardCents: number; feeCents: number; at: Date },
): Promise<Settled & { transactionId: string; amountCents: Cents }> {
  const { fanId, chargebackId, clearing, cardCents, feeCents, at } = won;
  const amountCents = asCents(cardCents - feeCents);
  const part = (await debtParts(tx, fanId)).find(({ reversalId }) => reversalId === chargebackId);
  const openCents = Math.min(part?.openCents ?? 0, amountCents);
  const lossCents = Math.min(part?.writtenOffCents ?? 0, amountCents - openCents);
  const { transactionId } = await post(tx, {
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
  const settled = await settledBalance(tx, fanId, at);
  await tx.run(THAW, [account.wallet(fanId), account.owed(fanId)]);
  await tell(tx, fanId, 'won', amountCents);
  return { ...settled, transactionId, amountCents };
}

/**
 * Undoes a won chargeback that was recorded by mistake: the written-off part is a loss again, the rest comes out of the
 * wallet, and what the wallet cannot cover becomes debt. Requires the wallet lock, under which the wallet holds
 * `balanceCents`.
 */
export async function takeBackWin(
  tx: Transaction,
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
  const { transactionId } = await post(tx, {
    kind: 'chargeback_stands',
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
  await tell(tx, fanId, 'notWon', amountCents);
  return { ...(await walletBalance(tx, fanId)), transactionId, amountCents };
}

/**
 * Blocks or allows spending by decision of an operator. Charges and holds throw FORBIDDEN while blocked, but money
 * still comes in. Takes over a block for a debt, which then no longer ends with the debt.
 */
export async function setSpendingBlocked(tx: Transaction, fanId: string, isBlocked: boolean): Promise<void> {
  await lockWallet(tx, fanId);
  await tx.run(BLOCK, [account.wallet(fanId), isBlocked]);
  await tell(tx, fanId, isBlocked ? 'blocked' : 'unblocked', 0);
}

const IN_DEBT: Statement = {
  name: 'debt-all',
  text: `with all_of as (
      select owner_id as id from ledger_accounts where code like 'asset:fan:%:receivable' and balance_cents > 0
      union select owner_id from ledger_accounts where is_frozen)
    select id as "fanId", count(*) over () as total from all_of order by id limit $1 offset $2`,
};

export async function fansInDebt(
  db: Executor,
  page: { limit: number; skip: number },
): Promise<{ fanIds: string[]; total: number }> {
  const rows = await db.run<{ fanId: string; total: number }>(IN_DEBT, [page.limit, page.skip]);
  return { fanIds: rows.map(({ fanId }) => fanId), total: rows[0]?.total ?? 0 };
}

export async function countDebtors(db: Executor): Promise<{ count: number; since: null }> {
  const { total } = await fansInDebt(db, { limit: 1, skip: 0 });
  return { count: total, since: null };
}

const STANDINGS: Statement = {
  name: 'debt-standings',
  text: `select f.id as "fanId", coalesce(w.balance_cents, 0)::bigint as "balanceCents", coalesce(w.lines, 0)::bigint as "balanceLine",
      coalesce(w.is_frozen, false) as "isBlocked", coalesce(w.is_frozen_for_debt, false) as "isForDebt",
      coalesce(o.balance_cents, 0)::bigint as "owedCents", o.id as "owedId"
    from unnest($1::uuid[]) as f (id) left join ledger_accounts w on w.code = 'liab:fan:' || f.id || ':wallet'
    left join ledger_accounts o on o.code = 'asset:fan:' || f.id || ':receivable'`,
};

export type Debt = Standing & { fanId: string; parts: DebtPart[] };

export async function debtsOf(db: Executor, fanIds: readonly string[]): Promise<Debt[]> {
  const [standings, lines] = await Promise.all([
    db.run<Standing & { fanId: string; owedId: number | null }>(STANDINGS, [fanIds]),
    db.run<OwedLine & { accountId: number }>(LINES, [fanIds.map(account.owed)]),
  ]);
  return standings.map(({ owedId, ...standing }) => ({
    ...standing,
    parts: partsOf(lines.filter(({ accountId }) => accountId === owedId)),
  }));
}
