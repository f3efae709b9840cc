/** Refunds the period of a card payment that the processor refunded or voided. */
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { createId } from '../../../platform/ids.ts';
import { findSale, refundSale } from '../../commerce/sales/index.ts';
import { findPeriodByDeposit } from './card-store.ts';
import { endSubscription } from './endings.ts';
import { toSubscriptionEvent } from './events.ts';
import * as store from './store.ts';

type CardRefund = { depositId: string; reason: string };

/**
 * Refunds the sale of the period to the wallet, from which the payment is then deducted. If it is the current period, the
 * subscription ends. Does nothing if the payment paid for no period or the period was refunded before.
 */
export async function refundCardPeriod(
  ctx: Context,
  tx: DbTransaction,
  row: store.SubscriptionRow,
  { depositId, reason }: CardRefund,
): Promise<void> {
  const period = await findPeriodByDeposit(tx, depositId);
  const sale = period && (await findSale(tx, period.saleId));
  if (!sale || sale.reversedCents >= sale.grossCents) return;
  const at = ctx.clock.now();
  const refund = async () => {
    const operationId = createId(ctx.clock);
    const { grossCents } = await refundSale(tx, { saleId: sale.id, actorId: row.fan_id, operationId, reason, at });
    await store.setRefunded(tx, period.id, sale.reversedCents + grossCents);
    return grossCents;
  };
  if (period.number === row.period_number && !row.ended_at)
    return endSubscription(tx, row, { reason: 'refunded', at, refund });
  await refund();
  await tx.emit('subscription.changed', toSubscriptionEvent(row));
}
