import type { PayoutQueue, Rail } from '@stagedoor/contract/payout-desk.ts';
import type { PayoutKind, PayoutSource, PayoutState, TransferState } from '@stagedoor/contract/payouts.ts';
import type { Insertable, Selectable } from 'kysely';
import type { Executor, Tables } from '../../kernel/db.ts';
import type { momentOf } from './present.ts';

export type MethodRow = Selectable<Tables['payout_methods']>;
export type PayoutRow = Selectable<Tables['payouts']>;
export type MomentRow = Selectable<Tables['payout_moments']>;
export type RequestRow = PayoutRow & Pick<MethodRow, 'kind' | 'rail' | 'words' | 'network' | 'invalid_at'>;

export async function methodsOf(db: Executor, userId: string): Promise<MethodRow[]> {
  return db.query
    .selectFrom('payout_methods')
    .selectAll()
    .where('user_id', '=', userId)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute();
}

/** Returns an own method that was not removed, and prevents its removal until the transaction ends. */
export async function holdMethod(tx: Executor, userId: string, id: string): Promise<MethodRow | undefined> {
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

export async function isAwaited(tx: Executor, methodId: string): Promise<boolean> {
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

export type Standing = {
  status: PayoutState;
  transfer?: TransferState | null;
  reason?: string | null;
  at: Date;
};

export async function updatePayout(
  tx: Executor,
  id: string,
  { status, transfer = null, reason = null, at }: Standing,
): Promise<void> {
  await tx.query
    .updateTable('payouts')
    .set({ status, transfer, reason, updated_at: at })
    .where('id', '=', id)
    .execute();
}

export async function addMoment(
  tx: Executor,
  moment: {
    payoutId: string;
    at: Date;
    moment: ReturnType<typeof momentOf>;
    byId: string | null;
    ground?: string;
    transactionId?: string;
  },
): Promise<void> {
  await tx.query
    .insertInto('payout_moments')
    .values({
      payout_id: moment.payoutId,
      at: moment.at,
      moment: moment.moment,
      by_id: moment.byId,
      ground: moment.ground ?? '',
      transaction_id: moment.transactionId ?? null,
    })
    .execute();
}

export async function momentsOf(db: Executor, payoutIds: readonly string[]): Promise<MomentRow[]> {
  if (payoutIds.length === 0) return [];
  return db.query.selectFrom('payout_moments').selectAll().where('payout_id', 'in', payoutIds).orderBy('n').execute();
}

const requests = (db: Executor) =>
  db.query.selectFrom('payouts as p').innerJoin('payout_methods as m', 'm.id', 'p.method_id');

export async function findPayout(db: Executor, id: string): Promise<RequestRow | undefined> {
  return requests(db)
    .selectAll('p')
    .select(['m.kind', 'm.rail', 'm.words', 'm.network', 'm.invalid_at'])
    .where('p.id', '=', id)
    .executeTakeFirst();
}

export type PayoutFilter = {
  userId?: string | undefined;
  kind?: PayoutKind | undefined;
  rail?: Rail | undefined;
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
  let of = requests(db);
  if (userId !== undefined) of = of.where('p.user_id', '=', userId);
  if (source !== undefined) of = of.where('p.source', '=', source);
  if (status !== undefined) of = of.where('p.status', '=', status);
  if (queue === 'toApprove') of = of.where('p.status', 'in', ['requested', 'inreview']);
  if (queue === 'toSend' || queue === 'onTheWay')
    of = of.where('p.status', '=', 'approved').where('p.batch_id', queue === 'toSend' ? 'is' : 'is not', null);
  if (ids !== undefined) of = of.where('p.id', 'in', [...ids]);
  if (number !== undefined) of = of.where('p.number', '=', number);
  if (kind !== undefined) of = of.where('m.kind', '=', kind);
  if (rail !== undefined) of = of.where('m.rail', '=', rail);
  if (batchId !== undefined)
    of = of.where((row) => row.or([row('p.batch_id', '=', batchId), row('p.refused_batch_id', '=', batchId)]));
  if (since !== undefined) of = of.where('p.created_at', '>=', since);
  if (before !== undefined) of = of.where('p.created_at', '<', before);
  const order = queue === 'toApprove' || queue === 'toSend' || queue === 'heldBack' ? 'asc' : 'desc';
  const [rows, { total }] = await Promise.all([
    of
      .selectAll('p')
      .select(['m.kind', 'm.rail', 'm.words', 'm.network', 'm.invalid_at'])
      .orderBy('p.updated_at', order)
      .orderBy('p.id', order)
      .limit(page.limit)
      .offset(page.skip)
      .execute(),
    of.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
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
