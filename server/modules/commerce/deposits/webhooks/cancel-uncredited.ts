import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction } from '../../../../platform/database/db.ts';
import { createId } from '../../../../platform/ids.ts';
import { evaluateSaleDigest, getMerchant, parseCents, type WebhookFields } from '../../ccbill/index.ts';
import { cancelRecurringPayment } from '../recurring/cancel.ts';
import { toRecurringTerms } from '../recurring/start.ts';
import {
  findRecurringByProcessorId,
  findRecurringPayment,
  insertRecurringPayment,
  recordCharge,
} from '../recurring/store.ts';
import type { DepositRow } from '../store.ts';

/**
 * Cancels a recurring sale at the processor that is not credited, for example a second one of the same order, because it
 * would still charge the card each period. The sale is stored as a separate payment, so that a renewal before the
 * cancellation is credited to the wallet. Requires a digest of the processor, because a forged webhook could otherwise
 * cancel the subscription of another fan.
 */
export async function cancelUncredited(
  ctx: Context,
  tx: DbTransaction,
  { recurring_payment_id: orderedId, currency_code: currencyCode }: DepositRow,
  fields: WebhookFields,
): Promise<void> {
  const { subscriptionId = '' } = fields;
  const ordered = orderedId === null ? undefined : await findRecurringPayment(tx, orderedId);
  if (!ordered || parseCents(fields.billedRecurringPrice) !== ordered.payable_cents) return;
  const terms = { payableCents: ordered.payable_cents, currencyCode, recurring: toRecurringTerms(ordered) };
  if (evaluateSaleDigest(fields, terms, getMerchant(ctx.config)) !== 'proof') return;
  if (await findRecurringByProcessorId(tx, ordered.provider, subscriptionId)) return;
  const at = ctx.clock.now();
  const { fan_id, provider, amount_cents, fee_cents, payable_cents, period_days } = ordered;
  const { id } = await insertRecurringPayment(tx, {
    ...{ id: createId(ctx.clock), fan_id, provider, amount_cents, fee_cents, payable_cents, period_days },
    created_at: at,
  });
  await recordCharge(tx, id, subscriptionId, at);
  await cancelRecurringPayment(tx, id, at);
}
