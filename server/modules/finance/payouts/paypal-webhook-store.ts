import type { Selectable } from 'kysely';
import type { Executor, Tables } from '../../../platform/database/db.ts';

export type PayPalWebhook = {
  id: string;
  eventType: string;
  batchRef: string | null;
  itemRef: string | null;
  payoutRef: string | null;
};

/** Stores a webhook, or counts a repetition. Returns whether it must be processed. */
export async function storePayPalWebhook(tx: Executor, webhook: PayPalWebhook, at: Date): Promise<boolean> {
  const { state } = await tx.query
    .insertInto('payout_webhooks')
    .values({
      id: webhook.id,
      event_type: webhook.eventType,
      batch_ref: webhook.batchRef,
      item_ref: webhook.itemRef,
      payout_ref: webhook.payoutRef,
      state: 'received',
      received_at: at,
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((row) => ({
        received_count: row('payout_webhooks.received_count', '+', row.lit(1)),
      })),
    )
    .returning('state')
    .executeTakeFirstOrThrow();
  return state === 'received';
}

export async function findReceivedWebhook(db: Executor, id: string): Promise<PayPalWebhook | undefined> {
  return db.query
    .selectFrom('payout_webhooks')
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

export type PayPalWebhookRow = Selectable<Tables['payout_webhooks']>;

export async function moveWebhook(
  db: Executor,
  id: string,
  { from, to, reason }: { from: string; to: string; reason: string | null },
): Promise<PayPalWebhookRow | undefined> {
  return db.query
    .updateTable('payout_webhooks')
    .set({ state: to, reason })
    .where('id', '=', id)
    .where('state', '=', from)
    .returningAll()
    .executeTakeFirst();
}

export async function lockWebhook(tx: Executor, id: string): Promise<PayPalWebhookRow | undefined> {
  return tx.query.selectFrom('payout_webhooks').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function listPayPalWebhooks(db: Executor, state: string, page: { limit: number; skip: number }) {
  const query = db.query.selectFrom('payout_webhooks').where('state', '=', state);
  const [rows, { count }] = await Promise.all([
    query
      .selectAll()
      .orderBy('received_at', 'desc')
      .orderBy('id', 'desc')
      .limit(page.limit)
      .offset(page.skip)
      .execute(),
    query.select((row) => row.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: count };
}

export async function listPayoutsByIds(db: Executor, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db.query
    .selectFrom('payouts')
    .select(['id', 'number', 'user_id', 'amount_cents', 'fee_cents'])
    .where('id', 'in', ids)
    .execute();
}

export async function listPayPalDecisions(db: Executor, webhookIds: readonly string[]) {
  if (webhookIds.length === 0) return [];
  return db.query
    .selectFrom('payout_webhook_decisions')
    .selectAll()
    .where('webhook_id', 'in', webhookIds)
    .orderBy('id')
    .execute();
}

export async function savePayPalDecision(
  tx: Executor,
  decision: { webhookId: string; actorId: string; decision: string; reason: string; at: Date },
): Promise<void> {
  await tx.query
    .insertInto('payout_webhook_decisions')
    .values({
      webhook_id: decision.webhookId,
      actor_id: decision.actorId,
      decision: decision.decision,
      reason: decision.reason,
      decided_at: decision.at,
    })
    .execute();
}

export async function countQuarantinedPayPalWebhooks(db: Executor): Promise<{ count: number; since: Date | null }> {
  return db.query
    .selectFrom('payout_webhooks')
    .select((row) => [row.fn.countAll<number>().as('count'), row.fn.min<Date | null>('received_at').as('since')])
    .where('state', '=', 'quarantined')
    .executeTakeFirstOrThrow();
}
