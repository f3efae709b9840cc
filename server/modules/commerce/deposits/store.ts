import type { Selectable } from 'kysely';
import type { DbTransaction, Executor, SqlStatement, Tables } from '../../../platform/database/db.ts';

export type DepositRow = Selectable<Tables['deposits']>;

export type NewDeposit = {
  id: string;
  orderId: string;
  fanId: string;
  provider: string;
  amountCents: number;
  feeCents: number;
  payableCents: number;
  credits: number | null;
  /** Null for a deposit that adds funds. */
  recurringPaymentId: string | null;
  returnPath: string | null;
  createdAt: Date;
  expiresAt: Date;
};

export async function insertDeposit(db: Executor, deposit: NewDeposit): Promise<DepositRow> {
  return db.query
    .insertInto('deposits')
    .values({
      id: deposit.id,
      order_id: deposit.orderId,
      fan_id: deposit.fanId,
      provider: deposit.provider,
      amount_cents: deposit.amountCents,
      fee_cents: deposit.feeCents,
      payable_cents: deposit.payableCents,
      credits: deposit.credits,
      recurring_payment_id: deposit.recurringPaymentId,
      return_path: deposit.returnPath,
      created_at: deposit.createdAt,
      updated_at: deposit.createdAt,
      expires_at: deposit.expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function findDepositByIdOrOrder(db: Executor, id: string): Promise<DepositRow | undefined> {
  return db.query
    .selectFrom('deposits')
    .selectAll()
    .where((or) => or.or([or('id', '=', id), or('order_id', '=', id)]))
    .executeTakeFirst();
}

export async function findFanByOrder(db: Executor, provider: string, orderId: string): Promise<string | undefined> {
  const row = await db.query
    .selectFrom('deposits')
    .select('fan_id')
    .where('provider', '=', provider)
    .where('order_id', '=', orderId)
    .executeTakeFirst();
  return row?.fan_id;
}

export async function lockDepositByOrder(
  db: Executor,
  provider: string,
  orderId: string,
): Promise<DepositRow | undefined> {
  return db.query
    .selectFrom('deposits')
    .selectAll()
    .where('provider', '=', provider)
    .where('order_id', '=', orderId)
    .forUpdate()
    .executeTakeFirst();
}

export async function lockDepositsBySale(
  db: Executor,
  provider: string,
  ids: readonly string[],
): Promise<DepositRow[]> {
  return db.query
    .selectFrom('deposits')
    .selectAll()
    .where('provider', '=', provider)
    .where((or) => or.or([or('processor_subscription_id', 'in', ids), or('processor_transaction_id', 'in', ids)]))
    .orderBy('id')
    .limit(2)
    .forUpdate()
    .execute();
}

export function findDepositBySale(db: Executor, provider: string, id: string): Promise<DepositRow | undefined> {
  return db.query
    .selectFrom('deposits')
    .selectAll()
    .where('provider', '=', provider)
    .where((or) => or.or([or('processor_subscription_id', '=', id), or('processor_transaction_id', '=', id)]))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

export function lockDepositsByTransaction(
  db: Executor,
  provider: string,
  transactionId: string,
): Promise<DepositRow[]> {
  return db.query
    .selectFrom('deposits')
    .selectAll()
    .where('provider', '=', provider)
    .where('processor_transaction_id', '=', transactionId)
    .forUpdate()
    .execute();
}

export type PaidDeposit = {
  subscriptionId: string;
  transactionId: string;
  cardBrand: string | null;
  cardLast4: string | null;
  ledgerTransactionId: string;
  debtPaidCents: number;
  at: Date;
};

export async function markPaid(db: Executor, id: string, paid: PaidDeposit): Promise<void> {
  await db.query
    .updateTable('deposits')
    .set({
      status: 'success',
      reason: null,
      processor_subscription_id: paid.subscriptionId,
      processor_transaction_id: paid.transactionId,
      card_brand: paid.cardBrand,
      card_last4: paid.cardLast4,
      transaction_id: paid.ledgerTransactionId,
      debt_paid_cents: paid.debtPaidCents,
      paid_at: paid.at,
      updated_at: paid.at,
    })
    .where('id', '=', id)
    .execute();
}

export async function markUnused(tx: DbTransaction, id: string): Promise<void> {
  await tx.query.updateTable('deposits').set({ is_unused: true }).where('id', '=', id).execute();
}

export async function markFailed(
  db: Executor,
  id: string,
  failed: { reason: string; cardBrand: string | null; cardLast4: string | null; at: Date },
): Promise<void> {
  await db.query
    .updateTable('deposits')
    .set({
      status: 'failed',
      reason: failed.reason,
      card_brand: failed.cardBrand,
      card_last4: failed.cardLast4,
      updated_at: failed.at,
    })
    .where('id', '=', id)
    .where('status', '<>', 'success')
    .execute();
}

export async function addReversedAmount(
  db: Executor,
  id: string,
  reversed: { payableCents: number; amountCents: number; reason: string | null; at: Date },
): Promise<void> {
  await db.query
    .updateTable('deposits')
    .set((row) => ({
      reversed_payable_cents: row('reversed_payable_cents', '+', reversed.payableCents),
      reversed_cents: row('reversed_cents', '+', reversed.amountCents),
      reason: reversed.reason,
      updated_at: reversed.at,
    }))
    .where('id', '=', id)
    .execute();
}

export async function failNextExpired(db: Executor, now: Date, reason: string): Promise<DepositRow | undefined> {
  return db.query
    .updateTable('deposits')
    .set({ status: 'failed', reason, updated_at: now })
    .where('id', '=', (sub) =>
      sub
        .selectFrom('deposits')
        .select('id')
        .where('status', '=', 'pending')
        .where('expires_at', '<', now)
        .orderBy('expires_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();
}

export async function deleteReturnPaths(db: Executor, expiredBefore: Date): Promise<void> {
  await db.query
    .updateTable('deposits')
    .set({ return_path: null })
    .where('return_path', 'is not', null)
    .where('expires_at', '<', expiredBefore)
    .execute();
}

export type DepositFilter = { fanId: string; status: string | undefined; minAmountCents: number | undefined };

export async function listDeposits(
  db: Executor,
  filter: DepositFilter,
  page: { limit: number; skip: number },
): Promise<{ rows: DepositRow[]; total: number }> {
  let query = db.query.selectFrom('deposits').where('fan_id', '=', filter.fanId);
  if (filter.status) query = query.where('status', '=', filter.status);
  if (filter.minAmountCents !== undefined) query = query.where('amount_cents', '>=', filter.minAmountCents);
  const [rows, count] = await Promise.all([
    query.selectAll().orderBy('updated_at', 'desc').orderBy('id', 'desc').limit(page.limit).offset(page.skip).execute(),
    query.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: count.total };
}

export async function listDepositsByTransactions(
  db: Executor,
  transactionIds: readonly string[],
): Promise<DepositRow[]> {
  if (transactionIds.length === 0) return [];
  return db.query.selectFrom('deposits').selectAll().where('transaction_id', 'in', transactionIds).execute();
}

export async function findFirstOrderTime(db: Executor, provider: string): Promise<Date | undefined> {
  const row = await db.query
    .selectFrom('deposits')
    .select('created_at')
    .where('provider', '=', provider)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.created_at;
}

const HAS_PAID: SqlStatement = {
  name: 'deposits-has-paid',
  text: 'select exists (select from deposits where fan_id = $1 and paid_at is not null) as paid',
};

export async function hasPaid(db: Executor, fanId: string): Promise<boolean> {
  return (await db.run<{ paid: boolean }>(HAS_PAID, [fanId]))[0]?.paid ?? false;
}
