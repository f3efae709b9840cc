import { asCents, type Cents } from '@stagedoor/contract/shared/money.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { account } from './post.ts';

export type PostedLeg = {
  code: string;
  /** Positive: debit. Negative: credit. */
  cents: number;
  ownerId: string | null;
};

const LEGS: SqlStatement = {
  name: 'ledger-legs',
  text: `select a.code, case e.side when 'D' then e.amount_cents else -e.amount_cents end as cents, a.owner_id as "ownerId"
    from ledger_entries e join ledger_accounts a on a.id = e.account_id where e.transaction_id = $1 order by e.leg`,
};

export async function listLegs(db: Executor, transactionId: string): Promise<PostedLeg[]> {
  return db.run<PostedLeg>(LEGS, [transactionId]);
}

export function sumLegs(legs: readonly PostedLeg[], prefix: string, suffix = ''): number {
  return legs
    .filter(({ code }) => code.startsWith(prefix) && code.endsWith(suffix))
    .reduce((sum, { cents }) => sum + cents, 0);
}

export type WalletBalance = { balanceCents: Cents; balanceLine: number };

export type Wallet = WalletBalance & {
  isFrozen: boolean;
  dayLimitCents: number | null;
  /** Spending on `spentDay` (YYYY-MM-DD, UTC), including held money. */
  spentDay: string | null;
  spentCents: number;
};

const OPEN: SqlStatement = { name: 'ledger-account', text: 'select ledger_account($1)' };
const LOCK: SqlStatement = {
  name: 'ledger-lock-wallet',
  text: `select balance_cents as "balanceCents", lines as "balanceLine", is_frozen as "isFrozen", day_limit_cents as "dayLimitCents", spent_day::text as "spentDay",
    spent_cents as "spentCents" from ledger_accounts where code = $1 for update`,
};

/**
 * Locks the wallet of a fan until the transaction ends and creates it if needed. Take this lock before any other when
 * you move money of a fan, to avoid deadlocks.
 */
export async function lockWallet(tx: DbTransaction, fanId: string): Promise<Wallet> {
  const code = account.wallet(fanId);
  await tx.run(OPEN, [code]);
  const [wallet] = await tx.run<Wallet>(LOCK, [code]);
  if (!wallet) throw new Error(`no account ${code}`);
  return wallet;
}

const BALANCE: SqlStatement = {
  name: 'ledger-wallet-balance',
  text: 'select balance_cents as "balanceCents", lines as "balanceLine" from ledger_accounts where code = $1',
};

export async function getWalletBalance(db: Executor, fanId: string): Promise<WalletBalance> {
  const [balance] = await db.run<WalletBalance>(BALANCE, [account.wallet(fanId)]);
  return balance ?? { balanceCents: asCents(0), balanceLine: 0 };
}

const LOCK_ALL: SqlStatement = {
  name: 'ledger-lock-all',
  text: 'select code, balance_cents as cents from ledger_accounts where code = any ($1) and spendable order by id for update',
};

/**
 * Locks spendable accounts in the same order as posting does and creates them if needed. Returns their balances in the
 * order of `codes`. Lock the wallet of a fan before these.
 */
export async function lockAccounts(tx: DbTransaction, codes: readonly string[]): Promise<number[]> {
  for (const code of codes.toSorted()) await tx.run(OPEN, [code]);
  const rows = await tx.run<{ code: string; cents: number }>(LOCK_ALL, [codes]);
  return codes.map((code) => rows.find((row) => row.code === code)?.cents ?? 0);
}

const LIMIT: SqlStatement = {
  name: 'ledger-limit',
  text: 'update ledger_accounts set day_limit_cents = $2 where code = $1',
};

/** Sets how many cents a fan may spend per UTC day. Null means the default of the operator. */
export async function setDailyLimit(tx: DbTransaction, fanId: string, limitCents: number | null): Promise<void> {
  await lockWallet(tx, fanId);
  await tx.run(LIMIT, [account.wallet(fanId), limitCents]);
}

const MOVED: SqlStatement = {
  name: 'ledger-has-moved',
  text: `select exists (select 1 from ledger_accounts where code = $1 and lines > 0 or code = $2) as "hasMovedMoney"`,
};

export async function hasMovedMoney(db: Executor, userId: string): Promise<boolean> {
  const [row] = await db.run<{ hasMovedMoney: boolean }>(MOVED, [
    account.wallet(userId),
    account.affiliatePending(userId),
  ]);
  return row?.hasMovedMoney === true;
}
