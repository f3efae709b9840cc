/**
 * Decisions of operators about quarantined webhooks. Each is stored with operator, time and reason. A refund is
 * requested from the processor once, and its response or a later webhook shows the result.
 */

import type {
  decideProcessorWebhook,
  listProcessorWebhooks,
  processorWebhook,
} from '@stagedoor/contract/admin/processor-webhooks.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { processorWebhookId } from '@stagedoor/contract/shared/ids.ts';
import { asCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { BodyOf, QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import { Gauge, type Registry } from 'prom-client';
import * as z from 'zod/mini';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction, Executor } from '../../../../platform/database/db.ts';
import { parseSkip } from '../../../../platform/database/pagination.ts';
import { defineJob } from '../../../../platform/jobs/jobs.ts';
import { findUserSummaries } from '../../../identity/accounts/index.ts';
import {
  type ApprovalHandler,
  listPendingApprovals,
  lockApprovals,
  requireSecondApproval,
} from '../../../identity/approvals/index.ts';
import { logAction } from '../../../identity/audit-log/index.ts';
import { type DataLinkOutcome, findDataLink, toTextFields } from '../../ccbill/index.ts';
import { formatCardLabel } from '../present.ts';
import { countOverdueCancellations } from '../recurring/cancel.ts';
import * as texts from '../texts.ts';
import * as store from './admin-store.ts';
import { PROCESSOR_QUEUE } from './confirm.ts';
import { lockWebhookAndSale, settleWebhook, type WebhookRow, type WebhookState } from './store.ts';
import { findRefundProblem, getWebhookCents, notifyPayer } from './uncredited-sales.ts';
import { applyChargebackWin } from './won-chargebacks.ts';

/** The part of the context that the command line provides too. */
export type WebhookAdminContext = Pick<Context, 'hooks' | 'clock' | 'config' | 'db' | 'jobs' | 'log' | 'mailer'>;

type WebhookView = z.input<typeof processorWebhook>;
type WebhookDecision = BodyOf<typeof decideProcessorWebhook>;

const refundJob = defineJob('deposits.refund', z.object({ decisionId: z.string() }));

async function presentWebhooks(ctx: WebhookAdminContext, webhooks: readonly WebhookRow[]): Promise<WebhookView[]> {
  const orders = await store.listOrders(
    ctx.db,
    webhooks.map((webhook) => ({
      provider: webhook.provider,
      orderId: toTextFields(webhook.fields)['X-orderId'],
      depositId: webhook.deposit_id,
    })),
  );
  const ids = webhooks.map(({ id }) => id);
  const decisions = await store.listWebhookDecisions(ctx.db, ids);
  const pendingApprovals = await listPendingApprovals(ctx, 'won', ids);
  const users = await findUserSummaries(ctx.db, [
    ...orders.map(({ fan_id: fanId }) => fanId),
    ...decisions.flatMap(({ actor_id: actorId }) => actorId ?? []),
  ]);
  return webhooks.map((webhook) => {
    const fields = toTextFields(webhook.fields);
    const order = orders.find(
      ({ id, order_id: orderId }) => id === webhook.deposit_id || orderId === fields['X-orderId'],
    );
    const fan = order && users.get(order.fan_id);
    const cents = getWebhookCents(webhook);
    return {
      id: z.parse(processorWebhookId, webhook.id),
      receivedAt: webhook.received_at.toISOString(),
      receivedCount: webhook.received_count,
      eventType: webhook.event_type,
      transactionId: webhook.processor_transaction_id,
      subscriptionId: webhook.processor_subscription_id,
      state: store.toWebhookState(webhook.state),
      reason: webhook.reason,
      amount: cents === undefined ? null : toUsd(cents),
      card: formatCardLabel({ card_brand: fields.cardType ?? null, card_last4: fields.last4 ?? null }),
      order:
        order && fan
          ? { depositId: order.id, status: order.status, paid: toUsd(asCents(order.payable_cents)), fan }
          : null,
      decisions: decisions
        .filter(({ webhook_id: webhookId }) => webhookId === webhook.id)
        .map((one) => ({
          decision: one.decision,
          reason: one.reason,
          decidedAt: one.decided_at.toISOString(),
          operator: users.get(one.actor_id ?? '')?.username ?? null,
          outcome: one.outcome,
          detail: one.detail,
        })),
      pendingApproval: pendingApprovals.get(webhook.id) ?? null,
    };
  });
}

export async function viewWebhooks(
  ctx: WebhookAdminContext,
  { state, type, limit, offset }: QueryOf<typeof listProcessorWebhooks>,
): Promise<ResponseInputOf<typeof listProcessorWebhooks>> {
  const skip = parseSkip(offset);
  const { rows, total } = await store.listWebhooks(ctx.db, { state, type }, { limit, skip });
  const next = skip + rows.length;
  return {
    data: await presentWebhooks(ctx, rows),
    limit,
    totalCount: total,
    ...(next < total && { nextOffset: String(next) }),
  };
}

const NEXT_STATE = {
  retry: 'received',
  dismiss: 'dismissed',
  refund: 'refunding',
  refunded: 'refunded',
  notRefunded: 'quarantined',
  won: 'won',
  notWon: 'processed',
} as const satisfies Record<WebhookDecision['decision'], WebhookState>;

const REQUIRED_STATE = {
  retry: 'quarantined',
  dismiss: 'quarantined',
  refund: 'quarantined',
  refunded: 'refunding',
  notRefunded: 'refunding',
  won: 'processed',
  notWon: 'won',
} as const satisfies Record<WebhookDecision['decision'], WebhookState>;

async function requireDecidable(
  ctx: WebhookAdminContext,
  tx: DbTransaction,
  webhook: WebhookRow,
  { decision }: WebhookDecision,
): Promise<void> {
  const isAboutRefund = decision === 'refunded' || decision === 'notRefunded';
  if (decision === 'won' && webhook.event_type !== 'Chargeback')
    throw new AppError('CONFLICT', { message: texts.onlyChargebackReversible });
  if (webhook.state !== REQUIRED_STATE[decision])
    throw new AppError('CONFLICT', { message: texts.alreadyDecidedBySomeone });
  const last = (await store.listWebhookDecisions(tx, [webhook.id])).at(-1);
  if (isAboutRefund && last?.decision === 'refund' && last.outcome === null)
    throw new AppError('CONFLICT', { message: texts.processorRequestInProgress });
  if (decision === 'retry' && (webhook.event_type === null || webhook.processor_transaction_id === null))
    throw new AppError('CONFLICT', { message: texts.noPaymentToReprocess });
  if (decision !== 'refund') return;
  const problem = await findRefundProblem(tx, webhook);
  if (problem) throw new AppError('CONFLICT', { message: problem });
  if (!findDataLink(ctx))
    throw new AppError('UPSTREAM', {
      message: texts.refundsNeedDataLink,
    });
}

async function applyDecision(
  ctx: WebhookAdminContext,
  tx: DbTransaction,
  { actorId, webhook, decision }: { actorId: string | null; webhook: WebhookRow; decision: WebhookDecision },
  details = {},
): Promise<void> {
  const at = ctx.clock.now();
  const { id } = webhook;
  const { decision: action, reason } = decision;
  const decisionId = await store.saveWebhookDecision(tx, { webhookId: id, actorId, ...decision, at });
  await settleWebhook(tx, id, { state: NEXT_STATE[action], reason, at });
  if (action === 'refunded') await notifyPayer(ctx, tx, webhook);
  if (action === 'won' || action === 'notWon') await applyChargebackWin(tx, webhook, { isWon: action === 'won', at });
  if (action === 'retry') await tx.emit('processor.received', { webhookId: id });
  if (action === 'refund') await ctx.jobs.add(tx, refundJob, { decisionId }, { key: `deposits.refund:${decisionId}` });
  await logAction(ctx, tx, {
    operatorId: actorId,
    action: `processorWebhook.${action}`,
    subjectKind: 'processorWebhook',
    subjectId: id,
    details: { reason, ...details },
  });
}

async function requestWonApproval(
  ctx: WebhookAdminContext,
  tx: DbTransaction,
  operatorId: string,
  webhook: WebhookRow,
  reason: string,
) {
  const subjectLabel = webhook.processor_transaction_id ?? webhook.id;
  const request = { kind: 'won', subjectId: webhook.id, subjectLabel, payload: {}, operatorId, reason } as const;
  const approval = await requireSecondApproval(ctx, tx, { ...request, amountCents: getWebhookCents(webhook) ?? 1 });
  if (approval.isNew)
    await logAction(ctx, tx, {
      operatorId,
      action: 'processorWebhook.wonRequested',
      subjectKind: 'processorWebhook',
      subjectId: webhook.id,
      details: { reason },
    });
  return approval;
}

export const createWonApproval = (ctx: Context): ApprovalHandler => ({
  lock: async (tx, id) => {
    if (!(await lockWebhookAndSale(tx, id))) throw new AppError('NOT_FOUND');
  },
  perform: async (tx, { subjectId, reason, requesterId, confirmer }) => {
    const webhook = await lockWebhookAndSale(tx, subjectId);
    if (!webhook) throw new AppError('NOT_FOUND');
    const decision = { decision: 'won', reason } as const;
    await requireDecidable(ctx, tx, webhook, decision);
    await applyDecision(ctx, tx, { actorId: requesterId, webhook, decision }, { confirmedBy: confirmer.userId });
  },
});

/**
 * Decides on a webhook, or holds the decision for a second operator. `actorId` is null for the command line.
 * Throws NOT_FOUND, CONFLICT (already decided, or not possible here), UPSTREAM (DataLink is not set up).
 */
export async function decideWebhook(
  ctx: WebhookAdminContext,
  actorId: string | null,
  id: string,
  decision: WebhookDecision,
): Promise<WebhookView> {
  const needsApproval = decision.decision === 'won' && actorId !== null;
  await ctx.db.transaction(async (tx) => {
    if (needsApproval) await lockApprovals(tx);
    const webhook = await lockWebhookAndSale(tx, id);
    if (!webhook) throw new AppError('NOT_FOUND');
    await requireDecidable(ctx, tx, webhook, decision);
    const approval = needsApproval ? await requestWonApproval(ctx, tx, actorId, webhook, decision.reason) : undefined;
    if (!approval?.needsApproval) await applyDecision(ctx, tx, { actorId, webhook, decision }, approval?.details);
  });
  ctx.log.info(
    { webhookId: id, actorId, decision: decision.decision },
    'an operator decided on a webhook of the payment processor',
  );
  const webhook = await store.findWebhook(ctx.db, id);
  const [view] = webhook ? await presentWebhooks(ctx, [webhook]) : [];
  if (!view) throw new AppError('NOT_FOUND');
  return view;
}

const OUTCOME_MESSAGES: Record<DataLinkOutcome['outcome'], string> = {
  done: texts.processorRefundedPayment,
  refused: texts.processorDeclinedRefund,
  unknown: texts.refundResultUnknown,
};

const isFinal = (outcome: string | null) => outcome === 'done' || outcome === 'refused';

/**
 * Stores the response of the processor. Another process may already have recorded the result as unknown, and a webhook
 * about the refund may have come first.
 */
async function settleRefund(ctx: Context, decisionId: string, result: DataLinkOutcome): Promise<void> {
  const at = ctx.clock.now();
  const detail = `${OUTCOME_MESSAGES[result.outcome]}${result.outcome === 'done' ? '' : result.reason}`;
  await ctx.db.transaction(async (tx) => {
    const decision = await store.lockDecision(tx, decisionId);
    const webhook = decision && (await lockWebhookAndSale(tx, decision.webhook_id));
    if (!decision || !webhook || decision.outcome === result.outcome || isFinal(decision.outcome)) return;
    await store.settleDecision(tx, decisionId, { outcome: result.outcome, detail });
    if (webhook.state !== 'refunding') return;
    if (result.outcome === 'done') await notifyPayer(ctx, tx, webhook);
    const state = { done: 'refunded', refused: 'quarantined', unknown: 'refunding' } as const;
    await settleWebhook(tx, webhook.id, { state: state[result.outcome], reason: detail, at });
  });
  if (result.outcome !== 'done')
    ctx.log.error(
      { decisionId, outcome: result.outcome },
      'a refund requested from the payment processor was not confirmed',
    );
}

/** Requests the refund from the processor once. A job that was interrupted after the request does not repeat it. */
async function runRefund(ctx: Context, decisionId: string): Promise<void> {
  const claimed = await store.claimRefund(ctx.db, decisionId, ctx.clock.now());
  if (!claimed) {
    const wasRequested = await store.wasRefundRequested(ctx.db, decisionId);
    const result: DataLinkOutcome = wasRequested
      ? { outcome: 'unknown', reason: texts.serverStoppedDuringRequest }
      : { outcome: 'refused', code: 0, reason: texts.refundRequestNotSent };
    await settleRefund(ctx, decisionId, result);
    return;
  }
  const webhook = await store.findWebhook(ctx.db, claimed.webhook_id);
  const dataLink = findDataLink(ctx);
  const subscriptionId = webhook?.processor_subscription_id;
  const cents = webhook && getWebhookCents(webhook);
  const result: DataLinkOutcome =
    dataLink && subscriptionId && cents
      ? await dataLink.refund(subscriptionId, cents)
      : { outcome: 'refused', code: 0, reason: texts.dataLinkNotSetUp };
  await settleRefund(ctx, decisionId, result);
}

export async function countNeedsReview(db: Executor): Promise<{ count: number; since: Date | null }> {
  const { quarantined, refunding, oldestAt } = await store.countUnsettled(db);
  return { count: quarantined + refunding, since: oldestAt };
}

/** Counts webhooks that need a decision and cancellations that are overdue. */
export async function countProcessorReviews(db: Executor, now: Date): Promise<{ count: number; since: Date | null }> {
  const [webhooks, cancellations] = [await countNeedsReview(db), await countOverdueCancellations(db, now)];
  const since = [webhooks.since, cancellations.since].filter((at) => at !== null).toSorted((a, b) => +a - +b);
  return { count: webhooks.count + cancellations.count, since: since[0] ?? null };
}

const HOUR_MS = 60 * 60_000;

export async function logOverdueWebhooks(ctx: Context): Promise<void> {
  const { quarantined, oldestAt } = await store.countUnsettled(ctx.db);
  if (!oldestAt || ctx.clock.now().getTime() - oldestAt.getTime() < HOUR_MS) return;
  ctx.log.error(
    { quarantined, oldestAt },
    'webhooks of the payment processor need a decision by an operator: GET /admin/processor-webhooks, or npm run payments',
  );
}

export function registerAdmin(ctx: Context, metrics: Registry): void {
  ctx.jobs.define(
    refundJob,
    ({ decisionId }) => runRefund(ctx, decisionId),
    PROCESSOR_QUEUE.queue,
    PROCESSOR_QUEUE.capacity,
  );
  new Gauge({
    name: 'stagedoor_processor_events_open',
    help: 'Unsettled webhooks of the payment processor by state; oldest_quarantined_seconds is the Unix time of the oldest one that is quarantined or being refunded',
    labelNames: ['state'],
    registers: [metrics],
    async collect() {
      const { oldestAt, ...counts } = await store.countUnsettled(ctx.db);
      this.reset();
      for (const [state, count] of Object.entries(counts)) this.set({ state }, count);
      if (oldestAt) this.set({ state: 'oldest_quarantined_seconds' }, oldestAt.getTime() / 1000);
    },
  });
}
