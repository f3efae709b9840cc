/**
 * Processes stored webhooks: checks each against its order and then credits, fails, reverses or quarantines it.
 * Webhooks may come in any order and repeatedly, and each takes effect once.
 */
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction } from '../../../../platform/database/db.ts';
import { getRetentionMs } from '../../../../platform/retention.ts';
import { creditDeposit, reverseDeposit } from '../../../ledger/ledger/index.ts';
import {
  evaluateSaleDigest,
  findAccountProblem,
  findDataLink,
  findFailureProblem,
  findReversalProblem,
  findSaleProblem,
  getFailureMessage,
  getMerchant,
  IGNORED_EVENTS,
  parseCents,
  RECURRING_EVENTS,
  REVERSAL_EVENTS,
  type ReversalEvent,
  toTextFields,
  type WebhookFields,
} from '../../ccbill/index.ts';
import { emitDepositChanged } from '../events.ts';
import { listDepositHooks } from '../hooks.ts';
import { mailFailure, mailReceipt, mailReversal } from '../mails.ts';
import { addReversedAmount, lockDepositByOrder, lockDepositsBySale, markFailed, markPaid } from '../store.ts';
import * as texts from '../texts.ts';
import { listWebhookDecisions } from './admin-store.ts';
import { requestConfirmation } from './confirm.ts';
import {
  deleteRawBodies,
  listOpenWebhooks,
  listSiblingWebhooks,
  listWaitingWebhookIds,
  lockWebhookAndSale,
  settleWebhook,
  type WebhookRow,
  type WebhookState,
} from './store.ts';
import { findCreditProblem, isSale, reverseUncredited, type UncreditedReversal } from './uncredited-sales.ts';

type Verdict = { state: WebhookState; reason?: string; depositId?: string };

const AWAITING_CONFIRMATION = 'waiting for the processor to confirm it';

/** Reversals of unknown sales and unconfirmed sales are quarantined after this time. */
const MAX_WAIT_MS = 3 * 24 * 60 * 60 * 1000;
/** Webhooks are processed immediately. Older unprocessed ones were left by a crash or are waiting for confirmation. */
const STALE_MS = 60_000;
const SWEEP_LIMIT = 200;
const UNREADABLE_RETENTION_MS = getRetentionMs('unreadableEvents');

const toQuarantined = (reason: string, depositId?: string): Verdict => ({
  state: 'quarantined',
  reason,
  ...(depositId && { depositId }),
});
const toIgnored = (reason: string, depositId?: string): Verdict => ({
  state: 'ignored',
  reason,
  ...(depositId && { depositId }),
});

/** Unique for each webhook that may move money. A conflicting webhook that an operator retried has a key of its own. */
export function getEventKey(webhook: WebhookRow): string {
  const part = webhook.reported_at === '' ? '' : `:${webhook.reported_at}`;
  const key = `${webhook.event_type}:${webhook.processor_transaction_id}${part}`;
  return webhook.is_conflicting ? `${key}:${webhook.body_hash.toString('hex').slice(0, 16)}` : key;
}

function pickCard(fields: WebhookFields): { cardBrand: string | null; cardLast4: string | null } {
  const last4 = fields.last4 ?? '';
  return { cardBrand: fields.cardType?.slice(0, 20) || null, cardLast4: /^\d{4}$/.test(last4) ? last4 : null };
}

/**
 * A webhook can be forged by anyone who saw the payment form, so the sale is confirmed with the processor before it is
 * credited.
 */
async function awaitConfirmation(
  ctx: Context,
  tx: DbTransaction,
  webhook: WebhookRow,
  depositId: string,
): Promise<Verdict> {
  if (!findDataLink(ctx))
    return toQuarantined('it can’t be confirmed with the processor, because DataLink is not set up');
  if (webhook.state === 'received') await requestConfirmation(ctx, tx, webhook.id);
  return { state: 'waiting', reason: AWAITING_CONFIRMATION, depositId };
}

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
    return deposit.processor_transaction_id === transactionId
      ? toIgnored('it was already credited', deposit.id)
      : toQuarantined('its order was already paid by another transaction', deposit.id);
  }
  const order = {
    payableCents: deposit.payable_cents,
    currencyCode: deposit.currency_code,
    createdAt: deposit.created_at,
    expiresAt: deposit.expires_at,
  };
  const problem = findSaleProblem(fields, order, getMerchant(ctx.config), webhook.received_at);
  if (problem) return toQuarantined(problem, deposit.id);
  if ((await lockDepositsBySale(tx, webhook.provider, [subscriptionId, transactionId])).length > 0)
    return toQuarantined('its transaction already paid another order', deposit.id);

  const refusal = await findCreditProblem(tx, webhook);
  if (refusal) return toQuarantined(refusal, deposit.id);
  if (evaluateSaleDigest(fields, order, getMerchant(ctx.config)) !== 'proof' && webhook.confirmed_at === null)
    return awaitConfirmation(ctx, tx, webhook, deposit.id);

  const card = pickCard(fields);
  const at = ctx.clock.now();
  const credited = await creditDeposit(tx, {
    fanId: deposit.fan_id,
    amountCents: deposit.amount_cents,
    feeCents: deposit.fee_cents,
    provider: webhook.provider,
    ref: transactionId,
    eventKey: getEventKey(webhook),
    metadata: { depositId: deposit.id, last4: card.cardLast4 },
    at,
  });
  for (const hook of listDepositHooks(ctx)) await hook.onCredited(tx, { fanId: deposit.fan_id, at });
  await markPaid(tx, deposit.id, {
    subscriptionId,
    transactionId,
    ...card,
    ledgerTransactionId: credited.transactionId,
    debtPaidCents: credited.debtPaidCents,
    at,
  });
  await emitDepositChanged(tx, deposit, 'paid', credited);
  await mailReceipt(ctx, tx, deposit, { ...card, debtPaidCents: credited.debtPaidCents, at });
  for (const webhookId of await listWaitingWebhookIds(tx, webhook.provider, [subscriptionId, transactionId]))
    await tx.emit('processor.received', { webhookId });
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
  const order = {
    payableCents: deposit.payable_cents,
    currencyCode: deposit.currency_code,
    createdAt: deposit.created_at,
    expiresAt: deposit.expires_at,
  };
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

const UNKNOWN_SALE: Verdict = { state: 'waiting', reason: 'its sale has not been received yet' };

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
  const [deposit, second] = await lockDepositsBySale(tx, webhook.provider, ids);
  if (second) return toQuarantined('its IDs match two different sales');
  if (!deposit?.transaction_id) return UNCREDITED[await reverseUncredited(ctx, tx, webhook)];
  const isOtherSale = ({ processor_subscription_id: id }: WebhookRow) => id !== deposit.processor_subscription_id;
  if ((await listSiblingWebhooks(tx, webhook)).some((other) => isSale(other) && isOtherSale(other)))
    return toQuarantined('its IDs match two different sales');
  const order = { payableCents: deposit.payable_cents, currencyCode: deposit.currency_code };
  const problem = findReversalProblem(fields, order);
  if (problem) return toQuarantined(problem, deposit.id);

  const { kind, message } = REVERSALS[type];
  const requestedCents = parseCents(fields.amount) ?? 0;
  const at = ctx.clock.now();
  const reversed = await reverseDeposit(tx, {
    depositTransactionId: deposit.transaction_id,
    kind,
    cardCents: requestedCents,
    provider: webhook.provider,
    ref: webhook.processor_transaction_id ?? '',
    eventKey: getEventKey(webhook),
    metadata: { depositId: deposit.id },
    at,
  });
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
  if (shortfallCents === 0) await mailReversal(ctx, tx, deposit, { message, amountCents, cardCents });
  const reason = cardCents < requestedCents ? 'only the remaining amount was reversed' : undefined;
  return { state: 'processed', depositId: deposit.id, ...(reason && { reason }) };
}

async function processByType(ctx: Context, tx: DbTransaction, webhook: WebhookRow): Promise<Verdict> {
  const fields = toTextFields(webhook.fields);
  if ([...IGNORED_EVENTS, ...RECURRING_EVENTS].some((type) => type === webhook.event_type))
    return toIgnored('subscriptions and upgrades are not supported');
  const problem = findAccountProblem(toTextFields(webhook.query), fields, getMerchant(ctx.config));
  if (problem) return toQuarantined(problem);
  if (webhook.event_type === 'NewSaleSuccess') return processSale(ctx, tx, webhook, fields);
  if (webhook.event_type === 'NewSaleFailure') return processFailure(ctx, tx, webhook, fields);
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
        webhook.event_type === 'NewSaleSuccess'
          ? 'the processor did not confirm it'
          : 'the sale it reverses was never received',
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
