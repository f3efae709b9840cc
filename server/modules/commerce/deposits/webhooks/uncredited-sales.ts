/** Sales at the processor that were never credited here. Their status depends on all webhooks of the sale. */

import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { asCents, formatCents } from '@stagedoor/contract/shared/money.ts';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction } from '../../../../platform/database/db.ts';
import { findUser } from '../../../identity/accounts/index.ts';
import { parseCents, REVERSAL_EVENTS, toTextFields } from '../../ccbill/index.ts';
import { lockDepositByOrder, lockDepositsBySale } from '../store.ts';
import * as texts from '../texts.ts';
import { listSiblingWebhooks, settleWebhook, type WebhookRow } from './store.ts';

export function getWebhookCents({ fields }: Pick<WebhookRow, 'fields'>): number | undefined {
  const { billedInitialPrice, billedAmount, amount } = toTextFields(fields);
  return parseCents(billedInitialPrice) ?? parseCents(billedAmount) ?? parseCents(amount);
}

export const isSale = ({ event_type: type }: WebhookRow) => type === 'NewSaleSuccess';
export const isReversal = ({ event_type: type }: WebhookRow) => REVERSAL_EVENTS.some((reversal) => reversal === type);
const isBeingRefunded = ({ state }: WebhookRow) => state === 'refunding' || state === 'refunded';

/** Returns why a sale may not be credited because its money is returned. Requires the lock on the sale. */
export async function findCreditProblem(tx: DbTransaction, webhook: WebhookRow): Promise<string | undefined> {
  const others = (await listSiblingWebhooks(tx, webhook)).filter(isSale);
  return others.some(isBeingRefunded) ? 'its money went back, or is on its way' : undefined;
}

/** Returns why a renewal may not be credited that the processor returned before. Requires the lock on the sale. */
export async function findReturnProblem(tx: DbTransaction, webhook: WebhookRow): Promise<string | undefined> {
  const isReturned = (await listSiblingWebhooks(tx, webhook)).some(
    (other) =>
      isReversal(other) &&
      other.state === 'quarantined' &&
      other.processor_transaction_id === webhook.processor_transaction_id,
  );
  return isReturned ? 'the processor reported that its money was returned' : undefined;
}

/** Returns why a refund of a sale may not be requested from the processor. Requires the lock on the sale. */
export async function findRefundProblem(tx: DbTransaction, webhook: WebhookRow): Promise<string | undefined> {
  const ids = [webhook.processor_subscription_id, webhook.processor_transaction_id].filter((id) => id !== null);
  if (!isSale(webhook) || webhook.processor_subscription_id === null || (getWebhookCents(webhook) ?? 0) === 0)
    return texts.onlyPaymentsRefundable;
  if ((await lockDepositsBySale(tx, webhook.provider, ids)).length > 0) return texts.creditedPaymentNotRefundable;
  const others = await listSiblingWebhooks(tx, webhook);
  if (others.filter(isSale).some(isBeingRefunded)) return texts.paymentAlreadyRefunded;
  if (others.some(isReversal)) return texts.processorReportedEarlierRefund;
  return undefined;
}

/** Notifies the payer that an uncredited payment is refunded. The mail does not say what the payment was for. */
export async function notifyPayer(ctx: Pick<Context, 'mailer'>, tx: DbTransaction, webhook: WebhookRow): Promise<void> {
  const order = await lockDepositByOrder(tx, webhook.provider, toTextFields(webhook.fields)['X-orderId'] ?? '');
  const fan = order && (await findUser(tx, order.fan_id));
  if (!fan) return;
  const cents = getWebhookCents(webhook) ?? 0;
  await tx.emit('payment.refunded', { fanId: fan.id, webhookId: webhook.id, cents });
  await ctx.mailer.send(tx, {
    to: fan.email,
    subject: texts.paymentRefundedMailSubject,
    text: formatText(texts.paymentRefundedMail, { username: fan.username, amount: formatCents(asCents(cents)) }),
  });
}

export type UncreditedReversal = 'settled' | 'unknown' | 'part' | 'exceeded';

export async function reverseUncredited(
  ctx: Context,
  tx: DbTransaction,
  webhook: WebhookRow,
): Promise<UncreditedReversal> {
  const others = await listSiblingWebhooks(tx, webhook);
  const sales = others.filter((other) => isSale(other) && other.state !== 'processed' && other.state !== 'ignored');
  const [sale] = sales;
  // A sale that is still being processed may be credited yet.
  if (!sale || sales.some(({ state }) => state === 'received' || state === 'waiting')) return 'unknown';
  if (others.some((other) => isReversal(other) && other.state === 'processed')) return 'exceeded';
  if (getWebhookCents(webhook) !== getWebhookCents(sale)) return 'part';
  const isFirstReversal = !sales.some(({ state }) => state === 'refunded');
  const at = ctx.clock.now();
  for (const { id, state } of sales)
    if (state !== 'refunded') await settleWebhook(tx, id, { state: 'refunded', reason: 'its money went back', at });
  if (isFirstReversal) await notifyPayer(ctx, tx, sale);
  return 'settled';
}
