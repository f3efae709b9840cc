/**
 * Decisions of operators about quarantined webhooks. Each is stored with operator, time and reason. A refund is
 * requested from the processor once, and its response or a later webhook shows the result.
 */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { processorEventId } from '@stagedoor/contract/atoms/ids.ts';
import { asCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, BodyOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import type { decideProcessorEvent, listProcessorEvents, processorEvent } from '@stagedoor/contract/processor-desk.ts';
import { Gauge, type Registry } from 'prom-client';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Transaction } from '../../kernel/db.ts';
import { job } from '../../kernel/jobs.ts';
import { skipOf } from '../../kernel/offset.ts';
import { findPeople } from '../accounts/index.ts';
import { noteAct } from '../audit/index.ts';
import { letGo, lockMoneyActs, type MoneyActRoom, waitingOf } from '../operators/index.ts';
import type { Outcome } from './ccbill/datalink.ts';
import { ASKING } from './confirm.ts';
import * as store from './desk-store.ts';
import { type EventRow, type EventState, lockEventOfSale, settleEvent } from './events-store.ts';
import { cardWords } from './present.ts';
import { dataLinkOf } from './reconcile.ts';
import { centsIn, tellPayer, textsOf, whyNotRefunded } from './uncredited.ts';
import { settleWon } from './won.ts';

/** The part of the context that the command line provides too. */
export type Desk = Pick<Context, 'clock' | 'config' | 'db' | 'jobs' | 'log' | 'mailer'>;

type View = z.input<typeof processorEvent>;
type Decision = BodyOf<typeof decideProcessorEvent>;

const refundJob = job('payments.refund', z.object({ decisionId: z.string() }));

async function present(ctx: Desk, events: readonly EventRow[]): Promise<View[]> {
  const orders = await store.ordersOf(
    ctx.db,
    events.map((event) => ({
      provider: event.provider,
      orderId: textsOf(event.fields)['X-orderId'],
      depositId: event.deposit_id,
    })),
  );
  const ids = events.map(({ id }) => id);
  const decisions = await store.decisionsOf(ctx.db, ids);
  const waiting = await waitingOf(ctx, 'won', ids);
  const people = await findPeople(ctx.db, [
    ...orders.map(({ fan_id: fanId }) => fanId),
    ...decisions.flatMap(({ actor_id: actorId }) => actorId ?? []),
  ]);
  return events.map((event) => {
    const fields = textsOf(event.fields);
    const order = orders.find(
      ({ id, order_id: orderId }) => id === event.deposit_id || orderId === fields['X-orderId'],
    );
    const fan = order && people.get(order.fan_id);
    const cents = centsIn(event);
    return {
      id: z.parse(processorEventId, event.id),
      receivedAt: event.received_at.toISOString(),
      receivedCount: event.received_count,
      eventType: event.event_type,
      transactionId: event.processor_transaction_id,
      subscriptionId: event.processor_subscription_id,
      state: store.stateOf(event.state),
      reason: event.reason,
      amount: cents === undefined ? null : toUsd(cents),
      card: cardWords({ card_brand: fields.cardType ?? null, card_last4: fields.last4 ?? null }),
      order:
        order && fan
          ? { depositId: order.id, status: order.status, paid: toUsd(asCents(order.payable_cents)), fan }
          : null,
      decisions: decisions
        .filter(({ event_id: eventId }) => eventId === event.id)
        .map((one) => ({
          decision: one.decision,
          ground: one.ground,
          decidedAt: one.decided_at.toISOString(),
          operator: people.get(one.actor_id ?? '')?.username ?? null,
          outcome: one.outcome,
          detail: one.detail,
        })),
      waits: waiting.get(event.id) ?? null,
    };
  });
}

export async function viewEvents(
  ctx: Desk,
  { state, type, limit, offset }: QueryOf<typeof listProcessorEvents>,
): Promise<AnswerOf<typeof listProcessorEvents>> {
  const skip = skipOf(offset);
  const { rows, total } = await store.listEvents(ctx.db, { state, type }, { limit, skip });
  const next = skip + rows.length;
  return {
    data: await present(ctx, rows),
    limit,
    totalCount: total,
    ...(next < total && { nextOffset: String(next) }),
  };
}

const NEXT = {
  retry: 'received',
  dismiss: 'dismissed',
  refund: 'refunding',
  refunded: 'refunded',
  notRefunded: 'quarantined',
  won: 'won',
  notWon: 'processed',
} as const satisfies Record<Decision['decision'], EventState>;

const OF = {
  retry: 'quarantined',
  dismiss: 'quarantined',
  refund: 'quarantined',
  refunded: 'refunding',
  notRefunded: 'refunding',
  won: 'processed',
  notWon: 'won',
} as const satisfies Record<Decision['decision'], EventState>;

async function requirePossible(ctx: Desk, tx: Transaction, event: EventRow, { decision }: Decision): Promise<void> {
  const isAboutRefund = decision === 'refunded' || decision === 'notRefunded';
  if (decision === 'won' && event.event_type !== 'Chargeback')
    throw new AppError('CONFLICT', { message: 'Only a chargeback can be marked as reversed.' });
  if (event.state !== OF[decision]) throw new AppError('CONFLICT', { message: 'Someone else already decided this.' });
  const last = (await store.decisionsOf(tx, [event.id])).at(-1);
  if (isAboutRefund && last?.decision === 'refund' && last.outcome === null)
    throw new AppError('CONFLICT', { message: 'A request to the processor is in progress. Wait for its answer.' });
  if (decision === 'retry' && (event.event_type === null || event.processor_transaction_id === null))
    throw new AppError('CONFLICT', { message: 'This event has no payment to reprocess.' });
  if (decision !== 'refund') return;
  const problem = await whyNotRefunded(tx, event);
  if (problem) throw new AppError('CONFLICT', { message: problem });
  if (!dataLinkOf(ctx))
    throw new AppError('UPSTREAM', {
      message: 'DataLink isn’t set up, so refunds can’t be sent from here.',
    });
}

async function carryOut(
  ctx: Desk,
  tx: Transaction,
  { actorId, event, decision }: { actorId: string | null; event: EventRow; decision: Decision },
  facts = {},
): Promise<void> {
  const at = ctx.clock.now();
  const { id } = event;
  const { decision: act, ground } = decision;
  const decisionId = await store.keepDecision(tx, { eventId: id, actorId, ...decision, at });
  await settleEvent(tx, id, { state: NEXT[act], reason: ground, at });
  if (act === 'refunded') await tellPayer(ctx, tx, event);
  if (act === 'won' || act === 'notWon') await settleWon(tx, event, { isWon: act === 'won', at });
  if (act === 'retry') await tx.emit('processor.received', { eventId: id });
  if (act === 'refund') await ctx.jobs.add(tx, refundJob, { decisionId }, { key: `payments.refund:${decisionId}` });
  await noteAct(ctx, tx, {
    operatorId: actorId,
    act: `processorEvent.${act}`,
    subjectKind: 'processorEvent',
    subjectId: id,
    facts: { ground, ...facts },
  });
}

async function holdWon(ctx: Desk, tx: Transaction, operatorId: string, event: EventRow, ground: string) {
  const about = event.processor_transaction_id ?? event.id;
  const of = { kind: 'won', subjectId: event.id, about, wish: {}, operatorId, ground } as const;
  const held = await letGo(ctx, tx, { ...of, cents: centsIn(event) ?? 1 });
  if (held.isNew)
    await noteAct(ctx, tx, {
      operatorId,
      act: 'processorEvent.wonWanted',
      subjectKind: 'processorEvent',
      subjectId: event.id,
      facts: { ground },
    });
  return held;
}

export const wonByTwo = (ctx: Context): MoneyActRoom => ({
  lock: async (tx, id) => {
    if (!(await lockEventOfSale(tx, id))) throw new AppError('NOT_FOUND');
  },
  perform: async (tx, { subjectId, ground, askedBy, confirmer }) => {
    const event = await lockEventOfSale(tx, subjectId);
    if (!event) throw new AppError('NOT_FOUND');
    const decision = { decision: 'won', ground } as const;
    await requirePossible(ctx, tx, event, decision);
    await carryOut(ctx, tx, { actorId: askedBy, event, decision }, { confirmedBy: confirmer.userId });
  },
});

/**
 * Decides on a webhook, or holds the decision for a second operator. `actorId` is null for the command line.
 * Throws NOT_FOUND, CONFLICT (already decided, or not possible here), UPSTREAM (DataLink is not set up).
 */
export async function decideEvent(ctx: Desk, actorId: string | null, id: string, decision: Decision): Promise<View> {
  const isHeld = decision.decision === 'won' && actorId !== null;
  await ctx.db.transaction(async (tx) => {
    if (isHeld) await lockMoneyActs(tx);
    const event = await lockEventOfSale(tx, id);
    if (!event) throw new AppError('NOT_FOUND');
    await requirePossible(ctx, tx, event, decision);
    const held = isHeld ? await holdWon(ctx, tx, actorId, event, decision.ground) : undefined;
    if (!held?.waits) await carryOut(ctx, tx, { actorId, event, decision }, held?.facts);
  });
  ctx.log.info(
    { eventId: id, actorId, decision: decision.decision },
    'an operator decided on a webhook of the payment processor',
  );
  const event = await store.findEvent(ctx.db, id);
  const [view] = event ? await present(ctx, [event]) : [];
  if (!view) throw new AppError('NOT_FOUND');
  return view;
}

const SAID: Record<Outcome['outcome'], string> = {
  done: 'The processor refunded the payment.',
  refused: 'The processor declined the refund: ',
  unknown: 'The result of the refund is unknown until a webhook or the daily export arrives. ',
};

const isSure = (outcome: string | null) => outcome === 'done' || outcome === 'refused';

/**
 * Stores the response of the processor. Another process may already have recorded the result as unknown, and a webhook
 * about the refund may have come first.
 */
async function settleRefund(ctx: Context, decisionId: string, answer: Outcome): Promise<void> {
  const at = ctx.clock.now();
  const detail = `${SAID[answer.outcome]}${answer.outcome === 'done' ? '' : answer.reason}`;
  await ctx.db.transaction(async (tx) => {
    const decision = await store.lockDecision(tx, decisionId);
    const event = decision && (await lockEventOfSale(tx, decision.event_id));
    if (!decision || !event || decision.outcome === answer.outcome || isSure(decision.outcome)) return;
    await store.settleDecision(tx, decisionId, { outcome: answer.outcome, detail });
    if (event.state !== 'refunding') return;
    if (answer.outcome === 'done') await tellPayer(ctx, tx, event);
    const state = { done: 'refunded', refused: 'quarantined', unknown: 'refunding' } as const;
    await settleEvent(tx, event.id, { state: state[answer.outcome], reason: detail, at });
  });
  if (answer.outcome !== 'done')
    ctx.log.error(
      { decisionId, outcome: answer.outcome },
      'a refund requested from the payment processor was not confirmed',
    );
}

/** Requests the refund from the processor once. A job that was interrupted after the request does not repeat it. */
async function refund(ctx: Context, decisionId: string): Promise<void> {
  const asked = await store.claimRefund(ctx.db, decisionId, ctx.clock.now());
  if (!asked) {
    const isAsked = await store.wasAsked(ctx.db, decisionId);
    const answer: Outcome = isAsked
      ? { outcome: 'unknown', reason: 'The server stopped during the request.' }
      : { outcome: 'refused', code: 0, reason: 'No request was sent, because the payment was already refunded.' };
    await settleRefund(ctx, decisionId, answer);
    return;
  }
  const event = await store.findEvent(ctx.db, asked.event_id);
  const dataLink = dataLinkOf(ctx);
  const subscriptionId = event?.processor_subscription_id;
  const cents = event && centsIn(event);
  const answer: Outcome =
    dataLink && subscriptionId && cents
      ? await dataLink.refund(subscriptionId, cents)
      : { outcome: 'refused', code: 0, reason: 'DataLink is not set up.' };
  await settleRefund(ctx, decisionId, answer);
}

export async function countPutAside(db: Executor): Promise<{ count: number; since: Date | null }> {
  const { quarantined, refunding, oldestAt } = await store.countWaiting(db);
  return { count: quarantined + refunding, since: oldestAt };
}

const HOUR_MS = 60 * 60_000;

export async function alarmOfWaiting(ctx: Context): Promise<void> {
  const { quarantined, oldestAt } = await store.countWaiting(ctx.db);
  if (!oldestAt || ctx.clock.now().getTime() - oldestAt.getTime() < HOUR_MS) return;
  ctx.log.error(
    { quarantined, oldestAt },
    'webhooks of the payment processor need a decision by an operator: GET /admin/processor-events, or npm run payments',
  );
}

export function registerDesk(ctx: Context, metrics: Registry): void {
  ctx.jobs.define(refundJob, ({ decisionId }) => refund(ctx, decisionId), ASKING.lane, ASKING.room);
  new Gauge({
    name: 'stagedoor_processor_events_open',
    help: 'Unsettled webhooks of the payment processor by state; oldest_quarantined_seconds is the Unix time of the oldest quarantined one',
    labelNames: ['state'],
    registers: [metrics],
    async collect() {
      const { oldestAt, ...counts } = await store.countWaiting(ctx.db);
      this.reset();
      for (const [state, count] of Object.entries(counts)) this.set({ state }, count);
      if (oldestAt) this.set({ state: 'oldest_quarantined_seconds' }, oldestAt.getTime() / 1000);
    },
  });
}
