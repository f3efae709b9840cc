import { type PROCESSOR_DECISIONS, PROCESSOR_EVENT_STATES } from '@stagedoor/contract/processor-desk.ts';
import type { Executor, Statement } from '../../kernel/db.ts';
import type { EventRow, EventState } from './events-store.ts';

export type DecisionRow = {
  id: string;
  event_id: string;
  actor_id: string | null;
  decision: (typeof PROCESSOR_DECISIONS)[number];
  ground: string;
  decided_at: Date;
  outcome: 'done' | 'refused' | 'unknown' | null;
  detail: string | null;
};

export function stateOf(text: string): EventState {
  return PROCESSOR_EVENT_STATES.find((state) => state === text) ?? 'quarantined';
}

export async function listEvents(
  db: Executor,
  { state, type }: { state: EventState; type?: string | undefined },
  page: { limit: number; skip: number },
): Promise<{ rows: EventRow[]; total: number }> {
  let of = db.query.selectFrom('processor_events').where('state', '=', state);
  if (type !== undefined) of = of.where('event_type', '=', type);
  const [rows, counted] = await Promise.all([
    of.selectAll().orderBy('received_at', 'desc').orderBy('id', 'desc').limit(page.limit).offset(page.skip).execute(),
    of.select((row) => row.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: counted.count };
}

export async function findEvent(db: Executor, id: string): Promise<EventRow | undefined> {
  return db.query.selectFrom('processor_events').selectAll().where('id', '=', id).executeTakeFirst();
}

type OrderRow = { id: string; order_id: string; fan_id: string; status: string; payable_cents: number };
const ORDERS: Statement = {
  name: 'payments-desk-orders',
  text: `select id, order_id, fan_id, status, payable_cents from deposits
    where id = any ($1::uuid[]) or (provider = any ($2::text[]) and order_id = any ($3::text[]))`,
};

export async function ordersOf(
  db: Executor,
  posts: readonly { provider: string; orderId: string | undefined; depositId: string | null }[],
): Promise<OrderRow[]> {
  if (posts.length === 0) return [];
  return db.run<OrderRow>(ORDERS, [
    posts.flatMap(({ depositId }) => depositId ?? []),
    [...new Set(posts.map(({ provider }) => provider))],
    posts.flatMap(({ orderId }) => orderId ?? []),
  ]);
}

const DECISIONS: Statement = {
  name: 'payments-desk-decisions',
  text: 'select id, event_id, actor_id, decision, ground, decided_at, outcome, detail from processor_decisions where event_id = any ($1::uuid[]) order by id',
};

export async function decisionsOf(db: Executor, eventIds: readonly string[]): Promise<DecisionRow[]> {
  return eventIds.length === 0 ? [] : db.run<DecisionRow>(DECISIONS, [eventIds]);
}

export async function keepDecision(
  db: Executor,
  {
    eventId,
    actorId,
    decision,
    ground,
    at,
  }: {
    eventId: string;
    actorId: string | null;
    decision: DecisionRow['decision'];
    ground: string;
    at: Date;
  },
): Promise<string> {
  const { id } = await db.query
    .insertInto('processor_decisions')
    .values({ event_id: eventId, actor_id: actorId, decision, ground, decided_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const CLAIM: Statement = {
  name: 'payments-desk-claim',
  text: `update processor_decisions d set asked_at = $2 from processor_events e
    where d.id = $1 and d.asked_at is null and e.id = d.event_id and e.state = 'refunding' returning d.event_id`,
};

/**
 * Marks a refund as requested from the processor. Returns undefined when it was requested before or the money was
 * returned in between.
 */
export async function claimRefund(db: Executor, id: string, at: Date): Promise<{ event_id: string } | undefined> {
  const [row] = await db.run<{ event_id: string }>(CLAIM, [id, at]);
  return row;
}

export async function wasAsked(db: Executor, id: string): Promise<boolean> {
  const row = await db.query
    .selectFrom('processor_decisions')
    .select('asked_at')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.asked_at != null;
}

const LOCK: Statement = {
  name: 'payments-desk-lock',
  text: 'select id, event_id, actor_id, decision, ground, decided_at, outcome, detail from processor_decisions where id = $1 for update',
};

export async function lockDecision(db: Executor, id: string): Promise<DecisionRow | undefined> {
  const [row] = await db.run<DecisionRow>(LOCK, [id]);
  return row;
}

export async function settleDecision(
  db: Executor,
  id: string,
  settled: { outcome: 'done' | 'refused' | 'unknown'; detail: string },
): Promise<void> {
  await db.query.updateTable('processor_decisions').set(settled).where('id', '=', id).execute();
}

const WAITING: Statement = {
  name: 'payments-desk-waiting',
  text: `select count(*) filter (where state = 'quarantined') as quarantined, count(*) filter (where state = 'waiting') as waiting,
      count(*) filter (where state = 'refunding') as refunding, min(case state when 'quarantined' then received_at when 'refunding' then processed_at end) as "oldestAt"
    from processor_events where state in ('quarantined', 'waiting', 'refunding')`,
};

export async function countWaiting(
  db: Executor,
): Promise<{ quarantined: number; waiting: number; refunding: number; oldestAt: Date | null }> {
  const [row] = await db.run<{ quarantined: number; waiting: number; refunding: number; oldestAt: Date | null }>(
    WAITING,
    [],
  );
  return row ?? { quarantined: 0, waiting: 0, refunding: 0, oldestAt: null };
}
