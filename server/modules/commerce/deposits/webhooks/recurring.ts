/**
 * Processes webhooks about recurring payments after the first one. They may come in any order, repeatedly and months late.
 * An event that is older than the latest known one has no effect, except a payment, which is always credited.
 */
import { randomUUID } from 'node:crypto';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction } from '../../../../platform/database/db.ts';
import { createId } from '../../../../platform/ids.ts';
import {
  findRenewalProblem,
  parseRecurringEvent,
  type RecurringEvent,
  type RecurringEventType,
  type WebhookFields,
} from '../../ccbill/index.ts';
import { cancelRecurringPayment } from '../recurring/cancel.ts';
import { recurringPaymentHook } from '../recurring/hook.ts';
import {
  countCreditedRenewals,
  findFirstDeposit,
  findRecurringByProcessorId,
  type RecurringPaymentRow,
  recordDateChange,
  recordReactivation,
  recordStop,
} from '../recurring/store.ts';
import { findDepositBySale, insertDeposit } from '../store.ts';
import { awaitConfirmation, creditPayment, lockRecurring } from './credit.ts';
import { listSiblingWebhooks, type WebhookRow } from './store.ts';
import { findCreditProblem, findReturnProblem, isSale } from './uncredited-sales.ts';
import { toIgnored, toQuarantined, UNKNOWN_SALE, type Verdict } from './verdict.ts';

const DAY_MS = 24 * 60 * 60_000;
/** The longest period of the processor, and a day for time zones. */
const MAX_DAYS_AHEAD = 366;

const SUPERSEDED = 'something newer is known already';

type Renewal = Extract<RecurringEvent, { type: 'RenewalSuccess' }>;
type Received<T extends RecurringEvent = RecurringEvent> = {
  webhook: WebhookRow;
  fields: WebhookFields;
  event: T;
  payment: RecurringPaymentRow;
};

async function processRenewal(ctx: Context, tx: DbTransaction, received: Received<Renewal>): Promise<Verdict> {
  const { webhook, fields, event, payment } = received;
  const known = await findDepositBySale(tx, webhook.provider, event.transactionId);
  if (known)
    return known.recurring_payment_id === payment.id
      ? toIgnored('it was already credited', known.id)
      : toQuarantined('its transaction already paid another order', known.id);
  const terms = {
    priceCents: payment.payable_cents,
    currencyCode: payment.currency_code,
    createdAt: payment.created_at,
  };
  const problem =
    findRenewalProblem(event, terms) ??
    (await findCreditProblem(tx, webhook)) ??
    (await findReturnProblem(tx, webhook));
  if (problem) return toQuarantined(problem, (await findFirstDeposit(tx, payment.id))?.id);
  if ((await countCreditedRenewals(tx, payment.id)) >= payment.confirmed_renewals)
    return awaitConfirmation(ctx, tx, webhook);

  const at = ctx.clock.now();
  const deposit = await insertDeposit(tx, {
    id: createId(ctx.clock),
    orderId: randomUUID(),
    fanId: payment.fan_id,
    provider: payment.provider,
    amountCents: payment.amount_cents,
    feeCents: payment.fee_cents,
    payableCents: payment.payable_cents,
    credits: null,
    recurringPaymentId: payment.id,
    returnPath: null,
    createdAt: at,
    expiresAt: at,
  });
  const chargedAt = event.at ?? webhook.received_at;
  const isLate = payment.last_charged_at !== null && chargedAt < payment.last_charged_at;
  const nextChargeAt = isLate ? undefined : event.nextRenewalAt;
  await creditPayment(ctx, tx, {
    webhook,
    fields,
    deposit,
    charge: { paymentId: payment.id, depositId: deposit.id, isFirst: false, chargedAt, nextChargeAt },
  });
  return { state: 'processed', depositId: deposit.id };
}

function isPlausibleDate(ctx: Context, at: Date): boolean {
  const aheadMs = at.getTime() - ctx.clock.now().getTime();
  return aheadMs > -DAY_MS && aheadMs < MAX_DAYS_AHEAD * DAY_MS;
}

const isBefore = (at: Date | undefined, other: Date | null): boolean =>
  at !== undefined && other !== null && at < other;

async function processStop(ctx: Context, tx: DbTransaction, { event, payment }: Received): Promise<Verdict> {
  if (isBefore(event.at, payment.status_changed_at)) return toIgnored(SUPERSEDED);
  const at = ctx.clock.now();
  await recordStop(tx, payment.id, event.at ?? at, at);
  await recurringPaymentHook.get(ctx).onStopped(tx, payment.id);
  return { state: 'processed' };
}

async function processReactivation(
  ctx: Context,
  tx: DbTransaction,
  { webhook, event, payment }: Received<Extract<RecurringEvent, { type: 'UserReactivation' }>>,
): Promise<Verdict> {
  const at = ctx.clock.now();
  // A webhook that was processed late must not undo a cancellation that the fan requested after it.
  if (isBefore(event.at, payment.status_changed_at) || isBefore(webhook.received_at, payment.cancel_requested_at))
    return toIgnored(SUPERSEDED);
  if (event.nextRenewalAt && !isPlausibleDate(ctx, event.nextRenewalAt))
    return toQuarantined('its date is not within a year');
  const isResumed = await recurringPaymentHook.get(ctx).onResumed(tx, payment.id, event.nextRenewalAt);
  // A reactivation has no time, so it counts from its arrival: earlier cancellations have no effect any more.
  await recordReactivation(tx, payment.id, event.at ?? webhook.received_at);
  if (isResumed) return { state: 'processed' };
  await cancelRecurringPayment(tx, payment.id, at);
  return { state: 'processed', reason: 'what it pays for has ended here, so it is canceled at the processor' };
}

async function processKnown(ctx: Context, tx: DbTransaction, received: Received): Promise<Verdict> {
  const { event, payment } = received;
  const hook = recurringPaymentHook.get(ctx);
  switch (event.type) {
    case 'RenewalSuccess':
      return processRenewal(ctx, tx, { ...received, event });
    case 'RenewalFailure':
      if (event.at && payment.last_charged_at && event.at <= payment.last_charged_at) return toIgnored(SUPERSEDED);
      await hook.onDeclined(tx, payment.id, event.nextRetryAt);
      return { state: 'processed' };
    case 'BillingDateChange':
      if (isBefore(event.at, payment.last_charged_at) || isBefore(event.at, payment.date_changed_at))
        return toIgnored(SUPERSEDED);
      if (!isPlausibleDate(ctx, event.nextRenewalAt)) return toQuarantined('its date is not within a year');
      if (event.at) await recordDateChange(tx, payment.id, event.at);
      await hook.onDateChanged(tx, payment.id, event.nextRenewalAt);
      return { state: 'processed' };
    case 'UserReactivation':
      return processReactivation(ctx, tx, { ...received, event });
    default:
      return processStop(ctx, tx, received);
  }
}

/** Single payments expire as well, after the period of their form. */
async function processUnknown(tx: DbTransaction, webhook: WebhookRow, event: RecurringEvent): Promise<Verdict> {
  const isPayment = event.type === 'RenewalSuccess';
  const single = await findDepositBySale(tx, webhook.provider, event.subscriptionId);
  if (single)
    return isPayment
      ? toQuarantined('its payment was not sold as recurring', single.id)
      : toIgnored('its payment does not renew', single.id);
  const sales = (await listSiblingWebhooks(tx, webhook)).filter(isSale);
  const isSettled = sales.length > 0 && sales.every(({ state }) => state !== 'received' && state !== 'waiting');
  return isSettled && !isPayment ? toIgnored('its sale was not credited') : UNKNOWN_SALE;
}

export async function processRecurring(
  ctx: Context,
  tx: DbTransaction,
  webhook: WebhookRow,
  type: RecurringEventType,
  fields: WebhookFields,
): Promise<Verdict> {
  const event = parseRecurringEvent(type, fields);
  if (typeof event === 'string') return toQuarantined(event);
  const known = await findRecurringByProcessorId(tx, webhook.provider, event.subscriptionId);
  if (!known) return processUnknown(tx, webhook, event);
  const payment = await lockRecurring(ctx, tx, known.id);
  return processKnown(ctx, tx, { webhook, fields, event, payment });
}
