/** The rows of what PayPal told. */
import type { Executor } from '../../kernel/db.ts';

export type Notice = {
  id: string;
  eventType: string;
  /** PayPal's names for batch and item, and the id that the item was sent with. */
  batchRef: string | null;
  itemRef: string | null;
  payoutRef: string | null;
};

/** Keeps one, or counts it up; answers whether it is to be worked on. */
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

/** One that is to be worked on. */
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

export async function settleNotice(
  db: Executor,
  id: string,
  { state, reason }: { state: string; reason: string | null },
): Promise<void> {
  await db.query.updateTable('payout_notices').set({ state, reason }).where('id', '=', id).execute();
}

export async function countQuarantined(db: Executor): Promise<number> {
  const { count } = await db.query
    .selectFrom('payout_notices')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('state', '=', 'quarantined')
    .executeTakeFirstOrThrow();
  return Number(count);
}
