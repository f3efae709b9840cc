/** Clearing: pending money becomes available after its waiting period. It pays off the debt of its owner first. */
import type { Database, DbTransaction, SqlStatement } from '../../../platform/database/db.ts';
import { postTransaction } from './post.ts';
import { lockAccounts } from './transaction-legs.ts';

const TAKE_DUE: SqlStatement = {
  name: 'clearing-take',
  text: `with due as (
      select due_at, transaction_id, account_id from ledger_pending_clearings where due_at <= $1 order by due_at limit $2 for update skip locked
    ), taken as (
      delete from ledger_pending_clearings m using due d
        where m.due_at = d.due_at and m.transaction_id = d.transaction_id and m.account_id = d.account_id returning m.account_id, m.transaction_id, m.amount_cents
    )
    select a.code, a.owner_id as "ownerId", sum(t.amount_cents)::bigint as cents, (select count(*) from due)::int as "takenCount",
      array_agg(t.transaction_id) as "earnedIds", array_agg(t.amount_cents) as amounts
      from taken t join ledger_accounts a on a.id = t.account_id group by a.code, a.owner_id order by a.code`,
};
type DueAmount = {
  code: string;
  ownerId: string;
  cents: number;
  takenCount: number;
  earnedIds: string[];
  amounts: string[];
};

const INSERT_CLEARING: SqlStatement = {
  name: 'clearing-note',
  text: `insert into ledger_clearings (transaction_id, account_id, clearing_id, amount_cents)
    select e.id, a.id, $1, e.cents from ledger_accounts a, unnest($3::uuid[], $4::bigint[]) as e (id, cents) where a.code = $2`,
};

function getRelatedAccounts(pending: string) {
  const owner = pending.replace(/^liab:|:pending$/g, '');
  const isAffiliate = owner.startsWith('affiliate:');
  return {
    available: `liab:${owner}:available`,
    receivable: `asset:${owner}:receivable`,
    reversalKind: isAffiliate ? 'commission_uncleared' : 'clearing_return',
    /** Null because clearing a creator’s earnings repays the debt itself. */
    repaymentKind: isAffiliate ? 'commission_repayment' : null,
  };
}

async function clearOne(tx: DbTransaction, due: DueAmount, now: Date): Promise<void> {
  if (due.cents === 0) return;
  const { available, receivable, repaymentKind } = getRelatedAccounts(due.code);
  const [, owed = 0] = await lockAccounts(tx, [available, receivable]);
  const repaid = Math.min(owed, due.cents);
  const repaidAtOnce = repaymentKind === null ? repaid : 0;
  const cleared = await postTransaction(tx, {
    kind: 'clearing',
    legs: [
      [due.code, due.cents],
      [available, repaidAtOnce - due.cents],
      [receivable, -repaidAtOnce],
    ],
    at: now,
  });
  await tx.run(INSERT_CLEARING, [cleared.transactionId, due.code, due.earnedIds, due.amounts]);
  if (repaymentKind !== null && repaid > 0) {
    const legs = [
      [available, repaid],
      [receivable, -repaid],
    ] as const;
    await postTransaction(tx, { kind: repaymentKind, legs, at: now });
  }
}

const SUM_DUE_INFLOWS: SqlStatement = {
  name: 'clearing-roll',
  text: 'select ledger_sum_inflows(50000, null, true) as count',
};
const SUM_ACCOUNT_INFLOWS: SqlStatement = {
  name: 'clearing-roll-one',
  text: 'select ledger_sum_inflows(1000000000, $1, true) as count',
};

/**
 * Clears what is due at `now` from pending to available, summed per owner. Safe to run concurrently: each amount clears
 * once, because it leaves the queue and is posted in the same transaction. Refunded amounts have left the queue before.
 * Returns the number of amounts cleared.
 */
export async function clearDue(db: Database, now: Date, limit = 5_000): Promise<number> {
  while (((await db.run<{ count: number }>(SUM_DUE_INFLOWS, []))[0]?.count ?? 0) > 0) {}
  let total = 0;
  for (;;) {
    const takenCount = await db.transaction(async (tx) => {
      const rows = await tx.run<DueAmount>(TAKE_DUE, [now, limit]);
      for (const row of rows) await clearOne(tx, row, now);
      return rows[0]?.takenCount ?? 0;
    });
    total += takenCount;
    if (takenCount < limit) return total;
  }
}

const INSERT_PENDING: SqlStatement = {
  name: 'clearing-add',
  text: 'insert into ledger_pending_clearings (due_at, transaction_id, account_id, amount_cents) select $1, $2, id, $4 from ledger_accounts where code = $3',
};

export async function addPendingClearing(
  tx: DbTransaction,
  due: { dueAt: Date; transactionId: string; code: string; cents: number },
): Promise<void> {
  await tx.run(INSERT_PENDING, [due.dueAt, due.transactionId, due.code, due.cents]);
}

const PENDING: SqlStatement = {
  name: 'clearing-pending',
  text: `select m.amount_cents as cents from ledger_pending_clearings m join ledger_accounts a on a.id = m.account_id
    where m.due_at = $1 and m.transaction_id = $2 and a.code = $3 for update of m`,
};
const REDUCE_PENDING: SqlStatement = {
  name: 'clearing-shrink',
  text: `update ledger_pending_clearings m set amount_cents = m.amount_cents - $4 from ledger_accounts a
    where a.id = m.account_id and m.due_at = $1 and m.transaction_id = $2 and a.code = $3`,
};
const DELETE_PENDING: SqlStatement = {
  name: 'clearing-drop',
  text: `delete from ledger_pending_clearings m using ledger_accounts a
    where a.id = m.account_id and m.due_at = $1 and m.transaction_id = $2 and a.code = $3 and m.amount_cents <= 0`,
};

/**
 * Removes `cents` of a transaction from what waits to clear. If they already cleared, moves them back from available to
 * pending, and the missing part becomes a debt (receivable). Returns the new debt in cents.
 */
export async function reverseClearing(
  tx: DbTransaction,
  share: { pending: string; transactionId: string; clearsAt: Date; cents: number; at: Date },
): Promise<number> {
  const { pending, transactionId, clearsAt, cents, at } = share;
  if (cents === 0) return 0;
  const key = [clearsAt, transactionId, pending];
  // A recent sale may not be rolled up yet.
  await tx.run(SUM_ACCOUNT_INFLOWS, [pending]);
  const [pendingRow] = await tx.run<{ cents: number }>(PENDING, key);
  if (pendingRow) {
    await tx.run(REDUCE_PENDING, [...key, cents]);
    await tx.run(DELETE_PENDING, key);
    return 0;
  }
  const { available, receivable, reversalKind } = getRelatedAccounts(pending);
  const [balance = 0] = await lockAccounts(tx, [available, receivable]);
  const fromBalance = Math.min(balance, cents);
  const owed = cents - fromBalance;
  await postTransaction(tx, {
    kind: reversalKind,
    legs: [
      [available, fromBalance],
      [receivable, owed],
      [pending, -cents],
    ],
    reversesId: transactionId,
    at,
  });
  return owed;
}
