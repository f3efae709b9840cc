import { type PROCESSOR_DECISIONS, PROCESSOR_WEBHOOK_STATES } from '@stagedoor/contract/admin/processor-webhooks.ts';
import type { Executor, SqlStatement } from '../../../../platform/database/db.ts';
import type { WebhookRow, WebhookState } from './store.ts';

export type DecisionRow = {
  id: string;
  webhook_id: string;
  actor_id: string | null;
  decision: (typeof PROCESSOR_DECISIONS)[number];
  reason: string;
  decided_at: Date;
  outcome: 'done' | 'refused' | 'unknown' | null;
  detail: string | null;
};

export function toWebhookState(text: string): WebhookState {
  return PROCESSOR_WEBHOOK_STATES.find((state) => state === text) ?? 'quarantined';
}

export async function listWebhooks(
  db: Executor,
  { state, type }: { state: WebhookState; type?: string | undefined },
  page: { limit: number; skip: number },
): Promise<{ rows: WebhookRow[]; total: number }> {
  let query = db.query.selectFrom('processor_webhooks').where('state', '=', state);
  if (type !== undefined) query = query.where('event_type', '=', type);
  const [rows, counted] = await Promise.all([
    query
      .selectAll()
      .orderBy('received_at', 'desc')
      .orderBy('id', 'desc')
      .limit(page.limit)
      .offset(page.skip)
      .execute(),
    query.select((row) => row.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: counted.count };
}

export async function findWebhook(db: Executor, id: string): Promise<WebhookRow | undefined> {
  return db.query.selectFrom('processor_webhooks').selectAll().where('id', '=', id).executeTakeFirst();
}

type OrderRow = { id: string; order_id: string; fan_id: string; status: string; payable_cents: number };
const ORDERS: SqlStatement = {
  name: 'deposits-admin-orders',
  text: `select id, order_id, fan_id, status, payable_cents from deposits
    where id = any ($1::uuid[]) or (provider = any ($2::text[]) and order_id = any ($3::text[]))`,
};

export async function listOrders(
  db: Executor,
  webhooks: readonly { provider: string; orderId: string | undefined; depositId: string | null }[],
): Promise<OrderRow[]> {
  if (webhooks.length === 0) return [];
  return db.run<OrderRow>(ORDERS, [
    webhooks.flatMap(({ depositId }) => depositId ?? []),
    [...new Set(webhooks.map(({ provider }) => provider))],
    webhooks.flatMap(({ orderId }) => orderId ?? []),
  ]);
}

const DECISIONS: SqlStatement = {
  name: 'deposits-admin-decisions',
  text: 'select id, webhook_id, actor_id, decision, reason, decided_at, outcome, detail from processor_webhook_decisions where webhook_id = any ($1::uuid[]) order by id',
};

export async function listWebhookDecisions(db: Executor, webhookIds: readonly string[]): Promise<DecisionRow[]> {
  return webhookIds.length === 0 ? [] : db.run<DecisionRow>(DECISIONS, [webhookIds]);
}

export async function saveWebhookDecision(
  db: Executor,
  {
    webhookId,
    actorId,
    decision,
    reason,
    at,
  }: {
    webhookId: string;
    actorId: string | null;
    decision: DecisionRow['decision'];
    reason: string;
    at: Date;
  },
): Promise<string> {
  const { id } = await db.query
    .insertInto('processor_webhook_decisions')
    .values({ webhook_id: webhookId, actor_id: actorId, decision, reason, decided_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const CLAIM: SqlStatement = {
  name: 'deposits-admin-claim',
  text: `update processor_webhook_decisions d set requested_at = $2 from processor_webhooks e
    where d.id = $1 and d.requested_at is null and e.id = d.webhook_id and e.state = 'refunding' returning d.webhook_id`,
};

/**
 * Marks a refund as requested from the processor. Returns undefined when it was requested before or the money was
 * returned in between.
 */
export async function claimRefund(db: Executor, id: string, at: Date): Promise<{ webhook_id: string } | undefined> {
  const [row] = await db.run<{ webhook_id: string }>(CLAIM, [id, at]);
  return row;
}

export async function wasRefundRequested(db: Executor, id: string): Promise<boolean> {
  const row = await db.query
    .selectFrom('processor_webhook_decisions')
    .select('requested_at')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.requested_at != null;
}

const LOCK: SqlStatement = {
  name: 'deposits-admin-lock',
  text: 'select id, webhook_id, actor_id, decision, reason, decided_at, outcome, detail from processor_webhook_decisions where id = $1 for update',
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
  await db.query.updateTable('processor_webhook_decisions').set(settled).where('id', '=', id).execute();
}

const WAITING: SqlStatement = {
  name: 'deposits-admin-waiting',
  text: `select count(*) filter (where state = 'quarantined') as quarantined, count(*) filter (where state = 'waiting') as waiting,
      count(*) filter (where state = 'refunding') as refunding, min(case state when 'quarantined' then received_at when 'refunding' then processed_at end) as "oldestAt"
    from processor_webhooks where state in ('quarantined', 'waiting', 'refunding')`,
};

export async function countUnsettled(
  db: Executor,
): Promise<{ quarantined: number; waiting: number; refunding: number; oldestAt: Date | null }> {
  const [row] = await db.run<{ quarantined: number; waiting: number; refunding: number; oldestAt: Date | null }>(
    WAITING,
    [],
  );
  return row ?? { quarantined: 0, waiting: 0, refunding: 0, oldestAt: null };
}
