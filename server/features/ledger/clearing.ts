/** Clearing: pending money becomes available after its waiting period. It pays off the debt of its owner first. */
import type { Database, Statement, Transaction } from '../../kernel/db.ts';
import { lockAccounts } from './lines.ts';
import { post } from './post.ts';

const TAKE: Statement = {
  name: 'clearing-take',
  text: `with due as (
      select due_at, transaction_id, account_id from ledger_maturities where due_at <= $1 order by due_at limit $2 for update skip locked
    ), taken as (
      delete from ledger_maturities m using due d
        where m.due_at = d.due_at and m.transaction_id = d.transaction_id and m.account_id = d.account_id returning m.account_id, m.transaction_id, m.amount_cents
    )
    select a.code, a.owner_id as "ownerId", sum(t.amount_cents)::bigint as cents, (select count(*) from due)::int as taken,
      array_agg(t.transaction_id) as "earnedIds", array_agg(t.amount_cents) as amounts
      from taken t join ledger_accounts a on a.id = t.account_id group by a.code, a.owner_id order by a.code`,
};
type Due = { code: string; ownerId: string; cents: number; taken: number; earnedIds: string[]; amounts: string[] };

const NOTE: Statement = {
  name: 'clearing-note',
  text: `insert into ledger_clearings (transaction_id, account_id, clearing_id, amount_cents)
    select e.id, a.id, $1, e.cents from ledger_accounts a, unnest($3::uuid[], $4::bigint[]) as e (id, cents) where a.code = $2`,
};

function besides(pending: string) {
  const owner = pending.replace(/^liab:|:pending$/g, '');
  const isAffiliate = owner.startsWith('affiliate:');
  return {
    available: `liab:${owner}:available`,
    receivable: `asset:${owner}:receivable`,
    unclearing: isAffiliate ? 'commission_uncleared' : 'clearing_return',
    /** Null because clearing a creator’s earnings repays the debt itself. */
    repayment: isAffiliate ? 'commission_repayment' : null,
  };
}

async function clearOne(tx: Transaction, due: Due, now: Date): Promise<void> {
  if (due.cents === 0) return;
  const { available, receivable, repayment } = besides(due.code);
  const [, owed = 0] = await lockAccounts(tx, [available, receivable]);
  const repaid = Math.min(owed, due.cents);
  const repaidAtOnce = repayment === null ? repaid : 0;
  const cleared = await post(tx, {
    kind: 'clearing',
    legs: [
      [due.code, due.cents],
      [available, repaidAtOnce - due.cents],
      ...(repaidAtOnce > 0 ? ([[receivable, -repaidAtOnce]] as const) : []),
    ],
    at: now,
  });
  await tx.run(NOTE, [cleared.transactionId, due.code, due.earnedIds, due.amounts]);
  if (repayment !== null && repaid > 0) {
    const legs = [
      [available, repaid],
      [receivable, -repaid],
    ] as const;
    await post(tx, { kind: repayment, legs, at: now });
  }
}

const ROLL_DUE: Statement = { name: 'clearing-roll', text: 'select ledger_roll(50000, null, true) as count' };
const ROLL_ONE: Statement = { name: 'clearing-roll-one', text: 'select ledger_roll(1000000000, $1, true) as count' };

/**
 * Clears what is due at `now` from pending to available, summed per owner. Safe to run concurrently: each amount clears
 * once, because it leaves the queue and is posted in the same transaction. Refunded amounts have left the queue before.
 * Returns the number of amounts cleared.
 */
export async function clearDue(db: Database, now: Date, limit = 5_000): Promise<number> {
  while (((await db.run<{ count: number }>(ROLL_DUE, []))[0]?.count ?? 0) > 0) {}
  let total = 0;
  for (;;) {
    const taken = await db.transaction(async (tx) => {
      const rows = await tx.run<Due>(TAKE, [now, limit]);
      for (const row of rows) await clearOne(tx, row, now);
      return rows[0]?.taken ?? 0;
    });
    total += taken;
    if (taken < limit) return total;
  }
}

const ADD: Statement = {
  name: 'clearing-add',
  text: 'insert into ledger_maturities (due_at, transaction_id, account_id, amount_cents) select $1, $2, id, $4 from ledger_accounts where code = $3',
};

export async function addMaturity(
  tx: Transaction,
  due: { dueAt: Date; transactionId: string; code: string; cents: number },
): Promise<void> {
  await tx.run(ADD, [due.dueAt, due.transactionId, due.code, due.cents]);
}

const PENDING: Statement = {
  name: 'clearing-pending',
  text: `select m.amount_cents as cents from ledger_maturities m join ledger_accounts a on a.id = m.account_id
    where m.due_at = $1 and m.transaction_id = $2 and a.code = $3 for update of m`,
};
const SHRINK: Statement = {
  name: 'clearing-shrink',
  text: `update ledger_maturities m set amount_cents = m.amount_cents - $4 from ledger_accounts a
    where a.id = m.account_id and m.due_at = $1 and m.transaction_id = $2 and a.code = $3`,
};
const DROP: Statement = {
  name: 'clearing-drop',
  text: `delete from ledger_maturities m using ledger_accounts a
    where a.id = m.account_id and m.due_at = $1 and m.transaction_id = $2 and a.code = $3 and m.amount_cents <= 0`,
};

/**
 * Removes `cents` of a transaction from what waits to clear. If they already cleared, moves them back from available to
 * pending, and the missing part becomes a debt (receivable). Returns the new debt in cents.
 */
export async function unclear(
  tx: Transaction,
  share: { pending: string; transactionId: string; clearsAt: Date; cents: number; at: Date },
): Promise<number> {
  const { pending, transactionId, clearsAt, cents, at } = share;
  if (cents === 0) return 0;
  const key = [clearsAt, transactionId, pending];
  // A recent sale may not be rolled up yet.
  await tx.run(ROLL_ONE, [pending]);
  const [waiting] = await tx.run<{ cents: number }>(PENDING, key);
  if (waiting) {
    await tx.run(SHRINK, [...key, cents]);
    await tx.run(DROP, key);
    return 0;
  }
  const { available, receivable, unclearing } = besides(pending);
  const [balance = 0] = await lockAccounts(tx, [available, receivable]);
  const taken = Math.min(balance, cents);
  const owed = cents - taken;
  await post(tx, {
    kind: unclearing,
    legs: [[available, taken], ...(owed > 0 ? ([[receivable, owed]] as const) : []), [pending, -cents]],
    reversesId: transactionId,
    at,
  });
  return owed;
}
