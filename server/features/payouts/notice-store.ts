import type { Selectable } from 'kysely';
import type { Executor, Tables } from '../../kernel/db.ts';

export type Notice = {
  id: string;
  eventType: string;
  batchRef: string | null;
  itemRef: string | null;
  payoutRef: string | null;
};

/** Stores a webhook, or counts a repetition. Returns whether it must be processed. */
export async function keepNotice(tx: Executor, notice: Notice, at: Date): Promise<boolean> {
  const { state } = await tx.query
    .insertInto('payout_notices')
    .values({
      id: notice.id,
      event_type: notice.eventType,
      batch_ref: notice.batchRef,
      item_ref: notice.itemRef,
      payout_ref: notice.payoutRef,
      state: 'received',
      received_at: at,
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((row) => ({
        received_count: row('payout_notices.received_count', '+', row.lit(1)),
      })),
    )
    .returning('state')
    .executeTakeFirstOrThrow();
  return state === 'received';
}

export async function findReceived(db: Executor, id: string): Promise<Notice | undefined> {
  return db.query
    .selectFrom('payout_notices')
    .select([
      'id',
      'event_type as eventType',
      'batch_ref as batchRef',
      'item_ref as itemRef',
      'payout_ref as payoutRef',
    ])
    .where('id', '=', id)
    .where('state', '=', 'received')
    .executeTakeFirst();
}

export type NoticeRow = Selectable<Tables['payout_notices']>;

export async function moveNotice(
  db: Executor,
  id: string,
  { from, to, reason }: { from: string; to: string; reason: string | null },
): Promise<NoticeRow | undefined> {
  return db.query
    .updateTable('payout_notices')
    .set({ state: to, reason })
    .where('id', '=', id)
    .where('state', '=', from)
    .returningAll()
    .executeTakeFirst();
}

export async function lockNotice(tx: Executor, id: string): Promise<NoticeRow | undefined> {
  return tx.query.selectFrom('payout_notices').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function listNotices(db: Executor, state: string, page: { limit: number; skip: number }) {
  const of = db.query.selectFrom('payout_notices').where('state', '=', state);
  const [found, { count }] = await Promise.all([
    of.selectAll().orderBy('received_at', 'desc').orderBy('id', 'desc').limit(page.limit).offset(page.skip).execute(),
    of.select((row) => row.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ]);
  return { found, total: count };
}

export async function payoutsNamed(db: Executor, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db.query
    .selectFrom('payouts')
    .select(['id', 'number', 'user_id', 'amount_cents', 'fee_cents'])
    .where('id', 'in', ids)
    .execute();
}

export async function decisionsOf(db: Executor, noticeIds: readonly string[]) {
  if (noticeIds.length === 0) return [];
  return db.query
    .selectFrom('payout_notice_decisions')
    .selectAll()
    .where('notice_id', 'in', noticeIds)
    .orderBy('id')
    .execute();
}

export async function keepDecision(
  tx: Executor,
  of: { noticeId: string; actorId: string; decision: string; ground: string; at: Date },
): Promise<void> {
  await tx.query
    .insertInto('payout_notice_decisions')
    .values({
      notice_id: of.noticeId,
      actor_id: of.actorId,
      decision: of.decision,
      ground: of.ground,
      decided_at: of.at,
    })
    .execute();
}

export async function countNotices(db: Executor): Promise<{ count: number; since: Date | null }> {
  return db.query
    .selectFrom('payout_notices')
    .select((row) => [row.fn.countAll<number>().as('count'), row.fn.min<Date | null>('received_at').as('since')])
    .where('state', '=', 'quarantined')
    .executeTakeFirstOrThrow();
}
