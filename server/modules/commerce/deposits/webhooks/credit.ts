/** Credits a verified payment, and sells the product of a recurring one in the same transaction. */
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction } from '../../../../platform/database/db.ts';
import { attemptInSavepoint } from '../../../../platform/database/savepoint.ts';
import { creditDeposit } from '../../../ledger/ledger/index.ts';
import { findDataLink, type WebhookFields } from '../../ccbill/index.ts';
import { emitDepositChanged } from '../events.ts';
import { listDepositHooks } from '../hooks.ts';
import { mailReceipt } from '../mails.ts';
import { cancelRecurringPayment } from '../recurring/cancel.ts';
import { type RecurringCharge, recurringPaymentHook } from '../recurring/hook.ts';
import { lockRecurringPayment, recordCharge } from '../recurring/store.ts';
import { type DepositRow, markPaid, markUnused } from '../store.ts';
import { requestConfirmation } from './confirm.ts';
import { listWaitingWebhookIds, type WebhookRow } from './store.ts';
import { toQuarantined, type Verdict } from './verdict.ts';

const AWAITING_CONFIRMATION = 'waiting for the processor to confirm it';

/** Unique for each webhook that may move money. A conflicting webhook that an operator retried has a key of its own. */
export function getEventKey(webhook: WebhookRow): string {
  const part = webhook.reported_at === '' ? '' : `:${webhook.reported_at}`;
  const key = `${webhook.event_type}:${webhook.processor_transaction_id}${part}`;
  return webhook.is_conflicting ? `${key}:${webhook.body_hash.toString('hex').slice(0, 16)}` : key;
}

export function pickCard(fields: WebhookFields): { cardBrand: string | null; cardLast4: string | null } {
  const last4 = fields.last4 ?? '';
  return { cardBrand: fields.cardType?.slice(0, 20) || null, cardLast4: /^\d{4}$/.test(last4) ? last4 : null };
}

/**
 * A webhook can be forged by anyone who saw the payment form, so the sale is confirmed with the processor before it is
 * credited. A renewal has no digest at all.
 */
export async function awaitConfirmation(
  ctx: Context,
  tx: DbTransaction,
  webhook: WebhookRow,
  depositId?: string,
): Promise<Verdict> {
  if (!findDataLink(ctx))
    return toQuarantined('it can’t be confirmed with the processor, because DataLink is not set up');
  // A webhook that waited for its sale before has no confirmation job yet.
  if (webhook.reason !== AWAITING_CONFIRMATION) await requestConfirmation(ctx, tx, webhook.id);
  return { state: 'waiting', reason: AWAITING_CONFIRMATION, ...(depositId !== undefined && { depositId }) };
}

/** Takes the locks that are acquired before the lock of the wallet. */
export async function lockRecurring(ctx: Context, tx: DbTransaction, paymentId: string) {
  await recurringPaymentHook.get(ctx).lock(tx, paymentId);
  return lockRecurringPayment(tx, paymentId);
}

/** Returns `unused` if the money remains in the wallet. */
async function sellPeriod(
  ctx: Context,
  tx: DbTransaction,
  charge: RecurringCharge,
): Promise<'subscription' | 'unused'> {
  const hook = recurringPaymentHook.get(ctx);
  const refusal = await attemptInSavepoint(tx, () => hook.onPaid(tx, charge));
  if (!refusal) return 'subscription';
  const { paymentId } = charge;
  ctx.log.warn(
    { paymentId, reason: refusal.message },
    'a card payment of a subscription remains in the wallet, because it could not be used',
  );
  await hook.onRefused(tx, paymentId);
  await cancelRecurringPayment(tx, paymentId, ctx.clock.now(), { isCharging: true });
  return 'unused';
}

type Payment = {
  webhook: WebhookRow;
  fields: WebhookFields;
  deposit: DepositRow;
  /** Undefined for a deposit that adds funds. The caller has called {@link lockRecurring}. */
  charge: RecurringCharge | undefined;
};

export async function creditPayment(
  ctx: Context,
  tx: DbTransaction,
  { webhook, fields, deposit, charge }: Payment,
): Promise<void> {
  const { transactionId = '', subscriptionId = '' } = fields;
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
  if (charge) await recordCharge(tx, charge.paymentId, subscriptionId, charge.chargedAt);
  await emitDepositChanged(tx, deposit, 'paid', credited);
  const purpose = charge ? await sellPeriod(ctx, tx, charge) : 'funds';
  if (purpose === 'unused') await markUnused(tx, deposit.id);
  await mailReceipt(ctx, tx, deposit, { ...card, debtPaidCents: credited.debtPaidCents, purpose, at });
  for (const webhookId of await listWaitingWebhookIds(tx, webhook.provider, [subscriptionId, transactionId]))
    if (webhookId !== webhook.id) await tx.emit('processor.received', { webhookId });
}
