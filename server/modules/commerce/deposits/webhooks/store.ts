import type { PROCESSOR_WEBHOOK_STATES } from '@stagedoor/contract/admin/processor-webhooks.ts';
import type { Selectable } from 'kysely';
import type { DbTransaction, Executor, SqlStatement, Tables } from '../../../../platform/database/db.ts';
import { type ParsedWebhook, RECURRING_EVENTS, REVERSAL_EVENTS } from '../../ccbill/index.ts';

export type WebhookRow = Selectable<Tables['processor_webhooks']>;

export type WebhookState = (typeof PROCESSOR_WEBHOOK_STATES)[number];

export type WebhookArrival = { provider: string; webhook: ParsedWebhook; contentType: string; peer: string; at: Date };

/** Events that can happen more than once to the same payment or subscription. */
const REPEATABLE_EVENTS: readonly string[] = [
  ...REVERSAL_EVENTS,
  ...RECURRING_EVENTS.filter((type) => type !== 'RenewalSuccess'),
];

/**
 * Returns the time of an event as the processor writes it, because it distinguishes partial reversals of a sale and changes
 * of a subscription. A payment has none.
 */
function getReportedAt({ eventType = '', fields }: ParsedWebhook): string {
  if (!REPEATABLE_EVENTS.includes(eventType)) return '';
  return (fields.timestamp ?? fields.nextRenewalDate ?? '').slice(0, 40);
}

async function insertWebhook(
  db: Executor,
  { provider, webhook, contentType, peer, at }: WebhookArrival,
  verdict: { problem: string | undefined; isConflicting: boolean },
): Promise<string | undefined> {
  const inserted = await db.query
    .insertInto('processor_webhooks')
    .values({
      provider,
      event_type: webhook.eventType ?? null,
      processor_transaction_id: webhook.transactionId ?? null,
      processor_subscription_id: webhook.subscriptionId ?? null,
      body_hash: webhook.bodyHash,
      content_type: contentType,
      peer,
      query: JSON.stringify(webhook.query),
      fields: JSON.stringify(webhook.fields),
      raw: webhook.raw ?? null,
      state: verdict.problem === undefined ? 'received' : 'quarantined',
      reason: verdict.problem ?? null,
      is_conflicting: verdict.isConflicting,
      reported_at: getReportedAt(webhook),
      received_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted?.id;
}

export type StoredWebhook = { id: string; state: string; isNew: boolean; problem: string | undefined };

/**
 * Stores a webhook. A repetition only increases its count. Different content for the same event and transaction is
 * stored as a conflict for an operator.
 */
export async function storeWebhook(db: Executor, arrival: WebhookArrival): Promise<StoredWebhook> {
  const { provider, webhook } = arrival;
  const id = await insertWebhook(db, arrival, { problem: webhook.problem, isConflicting: false });
  if (id !== undefined)
    return { id, state: webhook.problem ? 'quarantined' : 'received', isNew: true, problem: webhook.problem };
  const repeated = await db.query
    .updateTable('processor_webhooks')
    .set((row) => ({ received_count: row('received_count', '+', 1) }))
    .where('provider', '=', provider)
    .where('body_hash', '=', webhook.bodyHash)
    .returning(['id', 'state'])
    .executeTakeFirst();
  if (repeated) return { ...repeated, isNew: false, problem: undefined };
  const problem = webhook.problem ?? 'it conflicts with an earlier webhook for the same event and transaction';
  const conflicting = await insertWebhook(db, arrival, { problem, isConflicting: true });
  if (conflicting === undefined) return storeWebhook(db, arrival);
  return { id: conflicting, state: 'quarantined', isNew: true, problem };
}

async function lockWebhook(db: Executor, id: string): Promise<WebhookRow | undefined> {
  return db.query.selectFrom('processor_webhooks').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function settleWebhook(
  db: Executor,
  id: string,
  settled: { state: WebhookState; reason: string | null; depositId?: string | undefined; at: Date },
): Promise<void> {
  await db.query
    .updateTable('processor_webhooks')
    .set({
      state: settled.state,
      reason: settled.reason,
      processed_at: settled.state === 'received' || settled.state === 'waiting' ? null : settled.at,
      ...(settled.depositId !== undefined && { deposit_id: settled.depositId }),
    })
    .where('id', '=', id)
    .execute();
}

export async function listWaitingWebhookIds(db: Executor, provider: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db.query
    .selectFrom('processor_webhooks')
    .select('id')
    .where('provider', '=', provider)
    .where('state', '=', 'waiting')
    .where((or) => or.or([or('processor_subscription_id', 'in', ids), or('processor_transaction_id', 'in', ids)]))
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function listOpenWebhooks(
  db: Executor,
  before: Date,
  max: number,
): Promise<Pick<WebhookRow, 'id' | 'received_at' | 'state'>[]> {
  return db.query
    .selectFrom('processor_webhooks')
    .select(['id', 'received_at', 'state'])
    .where('state', 'in', ['received', 'waiting'])
    .where('received_at', '<', before)
    .orderBy('received_at')
    .limit(max)
    .execute();
}

/** Deletes the raw text of unreadable webhooks received before `before`, because it may contain personal data. */
export async function deleteRawBodies(db: Executor, before: Date): Promise<void> {
  await db.query
    .updateTable('processor_webhooks')
    .set({ raw: null })
    .where('raw', 'is not', null)
    .where('received_at', '<', before)
    .execute();
}

const LOCK_SALE: SqlStatement = {
  name: 'deposits-lock-sale',
  text: `select pg_advisory_xact_lock(hashtextextended('payments ' || $1 || ' ' || id, 0))
    from (select distinct id from unnest($2::text[]) as id where id is not null order by id) ids`,
};

/**
 * Locks the sale that a webhook names and then the webhook, until the transaction ends. Webhooks of the same sale are
 * therefore processed one after another.
 */
export async function lockWebhookAndSale(tx: DbTransaction, id: string): Promise<WebhookRow | undefined> {
  const named = await tx.query
    .selectFrom('processor_webhooks')
    .select(['provider', 'processor_subscription_id', 'processor_transaction_id'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!named) return undefined;
  const { provider, processor_subscription_id: subscriptionId, processor_transaction_id: transactionId } = named;
  await tx.run(LOCK_SALE, [provider, [subscriptionId, transactionId]]);
  return lockWebhook(tx, id);
}

export async function listSiblingWebhooks(db: Executor, webhook: WebhookRow): Promise<WebhookRow[]> {
  const ids = [webhook.processor_subscription_id, webhook.processor_transaction_id].filter((id) => id !== null);
  if (ids.length === 0) return [];
  return db.query
    .selectFrom('processor_webhooks')
    .selectAll()
    .where('provider', '=', webhook.provider)
    .where('id', '<>', webhook.id)
    .where((or) => or.or([or('processor_subscription_id', 'in', ids), or('processor_transaction_id', 'in', ids)]))
    .orderBy('id')
    .execute();
}
