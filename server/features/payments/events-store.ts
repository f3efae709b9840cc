import type { PROCESSOR_EVENT_STATES } from '@stagedoor/contract/processor-desk.ts';
import type { Selectable } from 'kysely';
import type { Executor, Statement, Tables, Transaction } from '../../kernel/db.ts';
import { type ProcessorPost, REVERSAL_EVENTS } from './ccbill/post.ts';

export type EventRow = Selectable<Tables['processor_events']>;

export type EventState = (typeof PROCESSOR_EVENT_STATES)[number];

export type Arrival = { provider: string; post: ProcessorPost; contentType: string; peer: string; at: Date };

/**
 * Returns the time of a reversal as the processor writes it, because it distinguishes partial reversals of a sale. A
 * sale has none.
 */
function toldAt({ eventType, fields }: ProcessorPost): string {
  return REVERSAL_EVENTS.some((type) => type === eventType) ? (fields.timestamp ?? '').slice(0, 40) : '';
}

async function insertEvent(
  db: Executor,
  { provider, post, contentType, peer, at }: Arrival,
  verdict: { problem: string | undefined; isConflicting: boolean },
): Promise<string | undefined> {
  const inserted = await db.query
    .insertInto('processor_events')
    .values({
      provider,
      event_type: post.eventType ?? null,
      processor_transaction_id: post.transactionId ?? null,
      processor_subscription_id: post.subscriptionId ?? null,
      body_hash: post.bodyHash,
      content_type: contentType,
      peer,
      query: JSON.stringify(post.query),
      fields: JSON.stringify(post.fields),
      raw: post.raw ?? null,
      state: verdict.problem === undefined ? 'received' : 'quarantined',
      reason: verdict.problem ?? null,
      is_conflicting: verdict.isConflicting,
      told_at: toldAt(post),
      received_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted?.id;
}

export type Stored = { id: string; state: string; isNew: boolean; problem: string | undefined };

/**
 * Stores a webhook. A repetition only increases its count. Different content for the same event and transaction is
 * stored as a conflict for an operator.
 */
export async function storeEvent(db: Executor, arrival: Arrival): Promise<Stored> {
  const { provider, post } = arrival;
  const id = await insertEvent(db, arrival, { problem: post.problem, isConflicting: false });
  if (id !== undefined)
    return { id, state: post.problem ? 'quarantined' : 'received', isNew: true, problem: post.problem };
  const again = await db.query
    .updateTable('processor_events')
    .set((row) => ({ received_count: row('received_count', '+', 1) }))
    .where('provider', '=', provider)
    .where('body_hash', '=', post.bodyHash)
    .returning(['id', 'state'])
    .executeTakeFirst();
  if (again) return { ...again, isNew: false, problem: undefined };
  const problem = post.problem ?? 'it conflicts with an earlier webhook for the same event and transaction';
  const conflicting = await insertEvent(db, arrival, { problem, isConflicting: true });
  if (conflicting === undefined) return storeEvent(db, arrival);
  return { id: conflicting, state: 'quarantined', isNew: true, problem };
}

async function lockEvent(db: Executor, id: string): Promise<EventRow | undefined> {
  return db.query.selectFrom('processor_events').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function settleEvent(
  db: Executor,
  id: string,
  settled: { state: EventState; reason: string | null; depositId?: string | undefined; at: Date },
): Promise<void> {
  await db.query
    .updateTable('processor_events')
    .set({
      state: settled.state,
      reason: settled.reason,
      processed_at: settled.state === 'received' || settled.state === 'waiting' ? null : settled.at,
      ...(settled.depositId !== undefined && { deposit_id: settled.depositId }),
    })
    .where('id', '=', id)
    .execute();
}

export async function eventsWaitingFor(db: Executor, provider: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db.query
    .selectFrom('processor_events')
    .select('id')
    .where('provider', '=', provider)
    .where('state', '=', 'waiting')
    .where((or) => or.or([or('processor_subscription_id', 'in', ids), or('processor_transaction_id', 'in', ids)]))
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function openEvents(
  db: Executor,
  before: Date,
  atMost: number,
): Promise<Pick<EventRow, 'id' | 'received_at' | 'state'>[]> {
  return db.query
    .selectFrom('processor_events')
    .select(['id', 'received_at', 'state'])
    .where('state', 'in', ['received', 'waiting'])
    .where('received_at', '<', before)
    .orderBy('received_at')
    .limit(atMost)
    .execute();
}

/** Deletes the raw text of unreadable webhooks received before `before`, because it may contain personal data. */
export async function forgetRaw(db: Executor, before: Date): Promise<void> {
  await db.query
    .updateTable('processor_events')
    .set({ raw: null })
    .where('raw', 'is not', null)
    .where('received_at', '<', before)
    .execute();
}

const LOCK_SALE: Statement = {
  name: 'payments-lock-sale',
  text: `select pg_advisory_xact_lock(hashtextextended('payments ' || $1 || ' ' || id, 0))
    from (select distinct id from unnest($2::text[]) as id where id is not null order by id) ids`,
};

/**
 * Locks the sale that a webhook names and then the webhook, until the transaction ends. Webhooks of the same sale are
 * therefore processed one after another.
 */
export async function lockEventOfSale(tx: Transaction, id: string): Promise<EventRow | undefined> {
  const named = await tx.query
    .selectFrom('processor_events')
    .select(['provider', 'processor_subscription_id', 'processor_transaction_id'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!named) return undefined;
  const { provider, processor_subscription_id: subscriptionId, processor_transaction_id: transactionId } = named;
  await tx.run(LOCK_SALE, [provider, [subscriptionId, transactionId]]);
  return lockEvent(tx, id);
}

export async function siblingsOf(db: Executor, event: EventRow): Promise<EventRow[]> {
  const ids = [event.processor_subscription_id, event.processor_transaction_id].filter((id) => id !== null);
  if (ids.length === 0) return [];
  return db.query
    .selectFrom('processor_events')
    .selectAll()
    .where('provider', '=', event.provider)
    .where('id', '<>', event.id)
    .where((or) => or.or([or('processor_subscription_id', 'in', ids), or('processor_transaction_id', 'in', ids)]))
    .orderBy('id')
    .execute();
}
