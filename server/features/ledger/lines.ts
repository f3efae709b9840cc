/** Reading back what was posted: the legs of a transaction, and the place where locks on a fan's money begin. */
import { asCents, type Cents } from '@stagedoor/contract/atoms/money.ts';
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import { account } from './post.ts';

export type PostedLeg = {
  code: string;
  /** Positive: debit; negative: credit. */
  cents: number;
  /** Whose account it is, if anybody's. */
  ownerId: string | null;
};

const LEGS: Statement = {
  name: 'ledger-legs',
  text: `select a.code, case e.side when 'D' then e.amount_cents else -e.amount_cents end as cents, a.owner_id as "ownerId"
    from ledger_entries e join ledger_accounts a on a.id = e.account_id where e.transaction_id = $1 order by e.leg`,
};

/** The legs of a transaction in their order; none when there is no such transaction. */
export async function legsOf(db: Executor, transactionId: string): Promise<PostedLeg[]> {
  return db.run<PostedLeg>(LEGS, [transactionId]);
}

/** What the legs moved on accounts whose code begins so, in cents: debits less credits. */
export function movedOn(legs: readonly PostedLeg[], prefix: string, suffix = ''): number {
  return legs
    .filter(({ code }) => code.startsWith(prefix) && code.endsWith(suffix))
    .reduce((sum, { cents }) => sum + cents, 0);
}

/** What is in a wallet, and after which line of its statement. */
export type WalletBalance = { balanceCents: Cents; balanceLine: number };

export type Wallet = WalletBalance & {
  isFrozen: boolean;
  dayLimitCents: number | null;
  /** Spent on `spentDay` (YYYY-MM-DD, UTC), with what is held. */
  spentDay: string | null;
  spentCents: number;
};

const OPEN: Statement = { name: 'ledger-account', text: 'select ledger_account($1)' };
const LOCK: Statement = {
  name: 'ledger-lock-wallet',
  text: `select balance_cents as "balanceCents", lines as "balanceLine", is_frozen as "isFrozen", day_limit_cents as "dayLimitCents", spent_day::text as "spentDay",
    spent_cents as "spentCents" from ledger_accounts where code = $1 for update`,
};

/**
 * Locks a fan's wallet, made when it is missing, until the transaction ends. Whatever moves a fan's money locks it before
 * anything else, so that two such things never wait for each other in a circle.
 */
export async function lockWallet(tx: Transaction, fanId: string): Promise<Wallet> {
  const code = account.wallet(fanId);
  await tx.run(OPEN, [code]);
  const [wallet] = await tx.run<Wallet>(LOCK, [code]);
  if (!wallet) throw new Error(`no account ${code}`);
  return wallet;
}

const BALANCE: Statement = {
  name: 'ledger-wallet-balance',
  text: 'select balance_cents as "balanceCents", lines as "balanceLine" from ledger_accounts where code = $1',
};

/** A fan's balance, to be told; nothing on no line for a wallet that is not there yet. */
export async function walletBalance(db: Executor, fanId: string): Promise<WalletBalance> {
  const [balance] = await db.run<WalletBalance>(BALANCE, [account.wallet(fanId)]);
  return balance ?? { balanceCents: asCents(0), balanceLine: 0 };
}

const LOCK_ALL: Statement = {
  name: 'ledger-lock-all',
  text: 'select code, balance_cents as cents from ledger_accounts where code = any ($1) and spendable order by id for update',
};

/**
 * Locks spendable accounts, made when they are missing, in the order in which posting locks them; answers their balances in
 * the order asked. A fan's wallet comes before these.
 */
export async function lockAccounts(tx: Transaction, codes: readonly string[]): Promise<number[]> {
  for (const code of codes.toSorted()) await tx.run(OPEN, [code]);
  const rows = await tx.run<{ code: string; cents: number }>(LOCK_ALL, [codes]);
  return codes.map((code) => rows.find((row) => row.code === code)?.cents ?? 0);
}

const LIMIT: Statement = {
  name: 'ledger-limit',
  text: 'update ledger_accounts set day_limit_cents = $2 where code = $1',
};

/** Sets what a fan may spend in one UTC day, in cents; null is the operator's default. */
export async function setDailyLimit(tx: Transaction, fanId: string, limitCents: number | null): Promise<void> {
  await lockWallet(tx, fanId);
  await tx.run(LIMIT, [account.wallet(fanId), limitCents]);
}

const MOVED: Statement = {
  name: 'ledger-has-moved',
  text: `select exists (select 1 from ledger_accounts where code = $1 and lines > 0 or code = $2) as "hasMoved"`,
};

/** Whether money ever went through somebody's wallet, or commission was ever theirs. */
export async function hasMoved(db: Executor, userId: string): Promise<boolean> {
  const [row] = await db.run<{ hasMoved: boolean }>(MOVED, [account.wallet(userId), account.affiliatePending(userId)]);
  return row?.hasMoved === true;
}
