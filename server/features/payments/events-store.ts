/** The rows of what the processor told us: stored first, worked on after, each (event, transaction) once. */
import type { PROCESSOR_EVENT_STATES } from '@stagedoor/contract/processor-desk.ts';
import type { Selectable } from 'kysely';
import type { Executor, Tables } from '../../kernel/db.ts';
import { type ProcessorPost, REVERSAL_EVENTS } from './ccbill/post.ts';

export type EventRow = Selectable<Tables['processor_events']>;

export type EventState = (typeof PROCESSOR_EVENT_STATES)[number];

export type Arrival = { provider: string; post: ProcessorPost; contentType: string; peer: string; at: Date };

/** When a reversal was made, as the processor writes it: parts of one sale are told apart by it. A sale is made once. */
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
 * Stores a post. The same content again only counts up; another content for the same event and transaction is kept beside
 * the first, for a person to look at.
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
  const problem = post.problem ?? 'another post told the same event of the same transaction differently';
  const conflicting = await insertEvent(db, arrival, { problem, isConflicting: true });
  // A twin came in between, and is stored.
  if (conflicting === undefined) return storeEvent(db, arrival);
  return { id: conflicting, state: 'quarantined', isNew: true, problem };
}

/** Locks the row until the transaction ends. */
export async function lockEvent(db: Executor, id: string): Promise<EventRow | undefined> {
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

/** Events that waited for this sale. */
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

/** What is still open and came before `before`, oldest first. */
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

/** Forgets the text of bodies that could not be read and came before `before`: anything may be in it. */
export async function forgetRaw(db: Executor, before: Date): Promise<void> {
  await db.query
    .updateTable('processor_events')
    .set({ raw: null })
    .where('raw', 'is not', null)
    .where('received_at', '<', before)
    .execute();
}

/** The sales of a subscription whose money was never credited, whatever was decided about it; locked. */
export async function lockUncredited(
  db: Executor,
  provider: string,
  subscriptionIds: readonly string[],
): Promise<EventRow[]> {
  return db.query
    .selectFrom('processor_events')
    .selectAll()
    .where('provider', '=', provider)
    .where('processor_subscription_id', 'in', subscriptionIds)
    .where('event_type', '=', 'NewSaleSuccess')
    .where('state', 'in', ['quarantined', 'dismissed', 'refunding', 'refunded'])
    .orderBy('id')
    .forUpdate()
    .execute();
}
