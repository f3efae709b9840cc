/**
 * Processes stored webhooks: checks each against its order and then credits, fails, reverses or quarantines it.
 * Webhooks may come in any order and repeatedly, and each takes effect once.
 */
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction } from '../../../../platform/database/db.ts';
import { getRetentionMs } from '../../../../platform/retention.ts';
import { calculateReversal, reverseDeposit } from '../../../ledger/ledger/index.ts';
import {
  evaluateSaleDigest,
  findAccountProblem,
  findFailureProblem,
  findReversalProblem,
  findSaleProblem,
  getFailureMessage,
  getMerchant,
  IGNORED_EVENTS,
  type OrderTerms,
  parseArizonaDay,
  parseArizonaTime,
  parseCents,
  RECURRING_EVENTS,
  REVERSAL_EVENTS,
  type ReversalEvent,
  toTextFields,
  type WebhookFields,
} from '../../ccbill/index.ts';
import { emitDepositChanged } from '../events.ts';
import { listDepositHooks } from '../hooks.ts';
import { mailFailure, mailReversal } from '../mails.ts';
import { type RecurringCharge, recurringPaymentHook } from '../recurring/hook.ts';
import { findRecurringTerms } from '../recurring/start.ts';
import { findRecurringByProcessorId } from '../recurring/store.ts';
import {
  addReversedAmount,
  type DepositRow,
  lockDepositByOrder,
  lockDepositsBySale,
  lockDepositsByTransaction,
  markFailed,
} from '../store.ts';
import * as texts from '../texts.ts';
import { listWebhookDecisions } from './admin-store.ts';
import { cancelUncredited } from './cancel-uncredited.ts';
import { awaitConfirmation, creditPayment, getEventKey, lockRecurring, pickCard } from './credit.ts';
import { processRecurring } from './recurring.ts';
import {
  deleteRawBodies,
  listOpenWebhooks,
  listSiblingWebhooks,
  lockWebhookAndSale,
  settleWebhook,
  type WebhookRow,
} from './store.ts';
import { findCreditProblem, isSale, reverseUncredited, type UncreditedReversal } from './uncredited-sales.ts';
import { toIgnored, toQuarantined, UNKNOWN_SALE, type Verdict } from './verdict.ts';

/** Reversals of unknown sales and unconfirmed sales are quarantined after this time. */
const MAX_WAIT_MS = 3 * 24 * 60 * 60 * 1000;
/** Webhooks are processed immediately. Older unprocessed ones were left by a crash or are waiting for confirmation. */
const STALE_MS = 60_000;
const SWEEP_LIMIT = 200;
const UNREADABLE_RETENTION_MS = getRetentionMs('unreadableEvents');

/** Returns undefined for a deposit that adds funds. */
async function lockFirstCharge(
  ctx: Context,
  tx: DbTransaction,
  webhook: WebhookRow,
  { id: depositId, recurring_payment_id: paymentId }: DepositRow,
): Promise<RecurringCharge | undefined> {
  if (paymentId === null) return undefined;
  await lockRecurring(ctx, tx, paymentId);
  const { timestamp, nextRenewalDate } = toTextFields(webhook.fields);
  return {
    paymentId,
    depositId,
    isFirst: true,
    chargedAt: parseArizonaTime(timestamp) ?? webhook.received_at,
    nextChargeAt: parseArizonaDay(nextRenewalDate),
  };
}

const loadOrderTerms = async (tx: DbTransaction, deposit: DepositRow): Promise<OrderTerms> => ({
  payableCents: deposit.payable_cents,
  currencyCode: deposit.currency_code,
  recurring: await findRecurringTerms(tx, deposit),
  createdAt: deposit.created_at,
  expiresAt: deposit.expires_at,
});

async function processSale(
  ctx: Context,
  tx: DbTransaction,
  webhook: WebhookRow,
  fields: WebhookFields,
): Promise<Verdict> {
  const deposit = await lockDepositByOrder(tx, webhook.provider, fields['X-orderId'] ?? '');
  if (!deposit) return toQuarantined('it matches no order');
  const { transactionId = '', subscriptionId = '' } = fields;
  if (deposit.status === 'success') {
    if (deposit.processor_transaction_id === transactionId) return toIgnored('it was already credited', deposit.id);
    await cancelUncredited(ctx, tx, deposit, fields);
    return toQuarantined('its order was already paid by another transaction', deposit.id);
  }
  const order = await loadOrderTerms(tx, deposit);
  const problem = findSaleProblem(fields, order, getMerchant(ctx.config), webhook.received_at);
  if (problem) {
    await cancelUncredited(ctx, tx, deposit, fields);
    return toQuarantined(problem, deposit.id);
  }
  if ((await lockDepositsBySale(tx, webhook.provider, [subscriptionId, transactionId])).length > 0)
    return toQuarantined('its transaction already paid another order', deposit.id);

  const refusal = await findCreditProblem(tx, webhook);
  if (refusal) return toQuarantined(refusal, deposit.id);
  if (evaluateSaleDigest(fields, order, getMerchant(ctx.config)) !== 'proof' && webhook.confirmed_at === null)
    return awaitConfirmation(ctx, tx, webhook, deposit.id);

  await creditPayment(ctx, tx, { webhook, fields, deposit, charge: await lockFirstCharge(ctx, tx, webhook, deposit) });
  return { state: 'processed', depositId: deposit.id };
}

async function processFailure(
  ctx: Context,
  tx: DbTransaction,
  webhook: WebhookRow,
  fields: WebhookFields,
): Promise<Verdict> {
  const deposit = await lockDepositByOrder(tx, webhook.provider, fields['X-orderId'] ?? '');
  if (!deposit) return toQuarantined('it matches no order');
  const order = await loadOrderTerms(tx, deposit);
  const problem = findFailureProblem(fields, order, getMerchant(ctx.config));
  if (problem) return toQuarantined(problem, deposit.id);
  if (deposit.status === 'success') return toIgnored('another payment for the same order succeeded', deposit.id);
  await markFailed(tx, deposit.id, { reason: getFailureMessage(fields), ...pickCard(fields), at: ctx.clock.now() });
  await emitDepositChanged(tx, deposit, 'failed', undefined);
  if (deposit.status !== 'failed') await mailFailure(ctx, tx, deposit, getFailureMessage(fields));
  return { state: 'processed', depositId: deposit.id };
}

export const REVERSALS = {
  Refund: { kind: 'refund', message: texts.refundedToYourCard },
  Chargeback: { kind: 'chargeback', message: texts.chargedBackByYourBank },
  Void: { kind: 'void', message: texts.paymentCanceled },
  Return: { kind: 'return', message: texts.returnedByYourBank },
} as const satisfies Record<ReversalEvent, unknown>;

const UNCREDITED = {
  settled: { state: 'processed', reason: 'it reverses a payment that was never credited' },
  unknown: UNKNOWN_SALE,
  part: toQuarantined('it reverses part of a payment that was never credited'),
  exceeded: toQuarantined('more was reversed than was paid'),
} as const satisfies Record<UncreditedReversal, Verdict>;

async function processReversal(
  ctx: Context,
  tx: DbTransaction,
  webhook: WebhookRow,
  type: ReversalEvent,
  fields: WebhookFields,
): Promise<Verdict> {
  const ids = [fields.subscriptionId, fields.transactionId].filter((id) => id !== undefined);
  const recurring = await findRecurringByProcessorId(tx, webhook.provider, fields.subscriptionId ?? '');
  // All payments of a subscription have its id, so only the transaction identifies one of them.
  const isFirst = fields.transactionId === fields.subscriptionId;
  const [deposit, second] = recurring
    ? await lockDepositsByTransaction(tx, webhook.provider, fields.transactionId ?? '')
    : await lockDepositsBySale(tx, webhook.provider, ids);
  if (recurring && deposit && deposit.recurring_payment_id !== recurring.id)
    return toQuarantined('its IDs match two different sales');
  if (recurring && !deposit && !isFirst) return UNKNOWN_SALE;
  if (second) return toQuarantined('its IDs match two different sales');
  if (!deposit?.transaction_id) return UNCREDITED[await reverseUncredited(ctx, tx, webhook)];
  const isOtherSale = ({ processor_subscription_id: id }: WebhookRow) => id !== deposit.processor_subscription_id;
  if ((await listSiblingWebhooks(tx, webhook)).some((other) => isSale(other) && isOtherSale(other)))
    return toQuarantined('its IDs match two different sales');
  const order = { payableCents: deposit.payable_cents, currencyCode: deposit.currency_code };
  const problem = findReversalProblem(fields, order);
  if (problem) return toQuarantined(problem, deposit.id);

  if (recurring) await lockRecurring(ctx, tx, recurring.id);
  const { kind, message } = REVERSALS[type];
  const requestedCents = parseCents(fields.amount) ?? 0;
  const at = ctx.clock.now();
  const reversal = {
    depositTransactionId: deposit.transaction_id,
    kind,
    cardCents: requestedCents,
    provider: webhook.provider,
    ref: webhook.processor_transaction_id ?? '',
    eventKey: getEventKey(webhook),
    metadata: { depositId: deposit.id },
    at,
  };
  if (recurring && type !== 'Chargeback') {
    const refund = { depositId: deposit.id, amountCents: await calculateReversal(tx, reversal), reason: message };
    await recurringPaymentHook.get(ctx).onRefunded(tx, refund);
  }
  const reversed = await reverseDeposit(tx, reversal);
  const { transactionId, cardCents, amountCents, shortfallCents, balanceCents, balanceLine } = reversed;
  if (transactionId === null || reversed.isReplayed)
    return toIgnored('the payment was already fully reversed', deposit.id);
  await addReversedAmount(tx, deposit.id, { payableCents: cardCents, amountCents, reason: message, at });
  if (shortfallCents > 0) {
    for (const hook of listDepositHooks(ctx))
      await hook.onDebt(tx, { fanId: deposit.fan_id, cents: shortfallCents, at });
    ctx.log.warn(
      { depositId: deposit.id, shortfallCents },
      'the balance did not cover a reversed payment: the fan owes the rest, and spending is blocked',
    );
  }
  await emitDepositChanged(tx, deposit, 'reversed', { transactionId, balanceCents, balanceLine });
  if (recurring && type === 'Chargeback') await recurringPaymentHook.get(ctx).onChargedBack(tx, recurring.id);
  if (shortfallCents === 0) await mailReversal(ctx, tx, deposit, { message, amountCents, cardCents });
  const reason = cardCents < requestedCents ? 'only the remaining amount was reversed' : undefined;
  return { state: 'processed', depositId: deposit.id, ...(reason && { reason }) };
}

async function processByType(ctx: Context, tx: DbTransaction, webhook: WebhookRow): Promise<Verdict> {
  const fields = toTextFields(webhook.fields);
  if (IGNORED_EVENTS.some((type) => type === webhook.event_type)) return toIgnored('upgrades are not supported');
  const problem = findAccountProblem(toTextFields(webhook.query), fields, getMerchant(ctx.config));
  if (problem) return toQuarantined(problem);
  if (webhook.event_type === 'NewSaleSuccess') return processSale(ctx, tx, webhook, fields);
  if (webhook.event_type === 'NewSaleFailure') return processFailure(ctx, tx, webhook, fields);
  const recurring = RECURRING_EVENTS.find((type) => type === webhook.event_type);
  if (recurring) return processRecurring(ctx, tx, webhook, recurring, fields);
  const reversal = REVERSAL_EVENTS.find((type) => type === webhook.event_type);
  return reversal ? processReversal(ctx, tx, webhook, reversal, fields) : toQuarantined('its event type is unknown');
}

async function getWaitingStart(tx: DbTransaction, { id, received_at: receivedAt }: WebhookRow): Promise<Date> {
  return (await listWebhookDecisions(tx, [id])).at(-1)?.decided_at ?? receivedAt;
}

export async function processWebhook(ctx: Context, webhookId: string): Promise<void> {
  const settled = await ctx.db.transaction(async (tx) => {
    const webhook = await lockWebhookAndSale(tx, webhookId);
    if (!webhook || (webhook.state !== 'received' && webhook.state !== 'waiting')) return undefined;
    const at = ctx.clock.now();
    let verdict = await processByType(ctx, tx, webhook);
    if (verdict.state === 'waiting' && at.getTime() - (await getWaitingStart(tx, webhook)).getTime() > MAX_WAIT_MS)
      verdict = toQuarantined(
        verdict.reason === UNKNOWN_SALE.reason
          ? 'the sale that it belongs to was never received'
          : 'the processor did not confirm it',
      );
    await settleWebhook(tx, webhook.id, {
      state: verdict.state,
      reason: verdict.reason ?? null,
      depositId: verdict.depositId,
      at,
    });
    return { eventType: webhook.event_type, ...verdict };
  });
  if (settled?.state === 'quarantined') {
    ctx.log.warn(
      { webhookId, eventType: settled.eventType, reason: settled.reason },
      'a webhook of the payment processor needs a decision by an operator',
    );
  }
}

export async function sweepWebhooks(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - STALE_MS);
  for (const { id } of await listOpenWebhooks(ctx.db, before, SWEEP_LIMIT)) {
    try {
      await processWebhook(ctx, id);
    } catch (error) {
      ctx.log.error({ err: error, webhookId: id }, 'a webhook of the payment processor could not be processed');
    }
  }
}

export async function purgeUnreadable(ctx: Context): Promise<void> {
  await deleteRawBodies(ctx.db, new Date(ctx.clock.now().getTime() - UNREADABLE_RETENTION_MS));
}
