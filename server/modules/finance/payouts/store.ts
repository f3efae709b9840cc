import type { PayoutQueue, PayoutRail } from '@stagedoor/contract/admin/payouts.ts';
import type {
  PAYOUT_EVENTS,
  PayoutKind,
  PayoutSource,
  PayoutState,
  TransferState,
} from '@stagedoor/contract/finance/payouts.ts';
import type { Insertable, Selectable } from 'kysely';
import type { Executor, Tables } from '../../../platform/database/db.ts';

export type MethodRow = Selectable<Tables['payout_methods']>;
export type PayoutRow = Selectable<Tables['payouts']>;
export type PayoutEventRow = Selectable<Tables['payout_events']>;
export type RequestRow = PayoutRow & Pick<MethodRow, 'kind' | 'rail' | 'label' | 'network' | 'invalid_at'>;

export async function listMethods(db: Executor, userId: string): Promise<MethodRow[]> {
  return db.query
    .selectFrom('payout_methods')
    .selectAll()
    .where('user_id', '=', userId)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute();
}

/** Returns an own method that was not removed, and prevents its removal until the transaction ends. */
export async function lockMethodForShare(tx: Executor, userId: string, id: string): Promise<MethodRow | undefined> {
  return tx.query
    .selectFrom('payout_methods')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('removed_at', 'is', null)
    .forShare()
    .executeTakeFirst();
}

export async function lockMethod(tx: Executor, userId: string, id: string): Promise<MethodRow | undefined> {
  return tx.query
    .selectFrom('payout_methods')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('removed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

export async function insertMethod(tx: Executor, row: Insertable<Tables['payout_methods']>): Promise<MethodRow> {
  return tx.query.insertInto('payout_methods').values(row).returningAll().executeTakeFirstOrThrow();
}

export async function removeMethod(tx: Executor, id: string, at: Date): Promise<void> {
  await tx.query.updateTable('payout_methods').set({ removed_at: at }).where('id', '=', id).execute();
}

export async function hasOpenPayout(tx: Executor, methodId: string): Promise<boolean> {
  const row = await tx.query
    .selectFrom('payouts')
    .select('id')
    .where('method_id', '=', methodId)
    .where('status', 'in', ['requested', 'inreview', 'approved'])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertPayout(tx: Executor, row: Insertable<Tables['payouts']>): Promise<void> {
  await tx.query.insertInto('payouts').values(row).execute();
}

export async function lockPayout(tx: Executor, id: string): Promise<PayoutRow | undefined> {
  return tx.query.selectFrom('payouts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export type PayoutUpdate = {
  status: PayoutState;
  transfer?: TransferState | null;
  reason?: string | null;
  at: Date;
};

export async function updatePayout(
  tx: Executor,
  id: string,
  { status, transfer = null, reason = null, at }: PayoutUpdate,
): Promise<void> {
  await tx.query
    .updateTable('payouts')
    .set({ status, transfer, reason, updated_at: at })
    .where('id', '=', id)
    .execute();
}

export async function insertPayoutEvent(
  tx: Executor,
  event: {
    payoutId: string;
    at: Date;
    event: (typeof PAYOUT_EVENTS)[number];
    byId: string | null;
    reason?: string;
    transactionId?: string;
  },
): Promise<void> {
  await tx.query
    .insertInto('payout_events')
    .values({
      payout_id: event.payoutId,
      at: event.at,
      event: event.event,
      by_id: event.byId,
      reason: event.reason ?? '',
      transaction_id: event.transactionId ?? null,
    })
    .execute();
}

export async function listPayoutEvents(db: Executor, payoutIds: readonly string[]): Promise<PayoutEventRow[]> {
  if (payoutIds.length === 0) return [];
  return db.query.selectFrom('payout_events').selectAll().where('payout_id', 'in', payoutIds).orderBy('seq').execute();
}

const selectRequests = (db: Executor) =>
  db.query.selectFrom('payouts as p').innerJoin('payout_methods as m', 'm.id', 'p.method_id');

export async function findPayout(db: Executor, id: string): Promise<RequestRow | undefined> {
  return selectRequests(db)
    .selectAll('p')
    .select(['m.kind', 'm.rail', 'm.label', 'm.network', 'm.invalid_at'])
    .where('p.id', '=', id)
    .executeTakeFirst();
}

export type PayoutFilter = {
  userId?: string | undefined;
  kind?: PayoutKind | undefined;
  rail?: PayoutRail | undefined;
  batchId?: string | undefined;
  source?: PayoutSource | undefined;
  status?: PayoutState | undefined;
  queue?: PayoutQueue | undefined;
  /** Only these ids. Must not be empty. */
  ids?: readonly string[] | undefined;
  number?: number | undefined;
  /** The range of request times: `since` inclusive, `before` exclusive. */
  since?: Date | undefined;
  before?: Date | undefined;
};

export async function listPayouts(
  db: Executor,
  { userId, source, status, queue, ids, number, kind, rail, batchId, since, before }: PayoutFilter,
  page: { limit: number; skip: number },
): Promise<{ rows: RequestRow[]; total: number }> {
  let query = selectRequests(db);
  if (userId !== undefined) query = query.where('p.user_id', '=', userId);
  if (source !== undefined) query = query.where('p.source', '=', source);
  if (status !== undefined) query = query.where('p.status', '=', status);
  if (queue === 'toApprove') query = query.where('p.status', 'in', ['requested', 'inreview']);
  if (queue === 'toSend' || queue === 'inTransit')
    query = query.where('p.status', '=', 'approved').where('p.batch_id', queue === 'toSend' ? 'is' : 'is not', null);
  if (ids !== undefined) query = query.where('p.id', 'in', [...ids]);
  if (number !== undefined) query = query.where('p.number', '=', number);
  if (kind !== undefined) query = query.where('m.kind', '=', kind);
  if (rail !== undefined) query = query.where('m.rail', '=', rail);
  if (batchId !== undefined)
    query = query.where((row) => row.or([row('p.batch_id', '=', batchId), row('p.refused_batch_id', '=', batchId)]));
  if (since !== undefined) query = query.where('p.created_at', '>=', since);
  if (before !== undefined) query = query.where('p.created_at', '<', before);
  const order = queue === 'toApprove' || queue === 'toSend' || queue === 'onHold' ? 'asc' : 'desc';
  const [rows, { total }] = await Promise.all([
    query
      .selectAll('p')
      .select(['m.kind', 'm.rail', 'm.label', 'm.network', 'm.invalid_at'])
      .orderBy('p.updated_at', order)
      .orderBy('p.id', order)
      .limit(page.limit)
      .offset(page.skip)
      .execute(),
    query.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

export async function findMethod(db: Executor, id: string): Promise<MethodRow> {
  return db.query.selectFrom('payout_methods').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

export async function countArrived(db: Executor, methodId: string): Promise<number> {
  const { count } = await db.query
    .selectFrom('payouts')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('method_id', '=', methodId)
    .where('status', '=', 'transfered')
    .executeTakeFirstOrThrow();
  return count;
}
