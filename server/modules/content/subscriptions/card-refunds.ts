/** Refunds the period of a card payment that the processor refunded, voided or returned, wholly or in part. */
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { createId } from '../../../platform/ids.ts';
import { findSale, refundSale } from '../../commerce/sales/index.ts';
import { lockTiers } from '../subscription-tiers/index.ts';
import { findPeriodByDeposit } from './card-store.ts';
import { endSubscription } from './endings.ts';
import { toSubscriptionEvent } from './events.ts';
import * as store from './store.ts';

type CardRefund = { depositId: string; amountCents: number; reason: string };

/**
 * Refunds `amountCents` of the period's sale to the wallet, from which the payment is then deducted. The current period ends
 * when all of it is refunded. Does nothing if the payment paid for no period or the period was refunded before. The
 * subscription is found by the period, because the fan may have switched it to the balance since.
 */
export async function refundCardPeriod(
  ctx: Context,
  tx: DbTransaction,
  { depositId, amountCents, reason }: CardRefund,
): Promise<void> {
  const period = await findPeriodByDeposit(tx, depositId);
  const row = period && (await store.lockSubscription(tx, period.subscriptionId));
  if (!row) return;
  await lockTiers(tx, [row.tier_id]);
  const sale = await findSale(tx, period.saleId);
  const cents = sale ? Math.min(amountCents, sale.grossCents - sale.reversedCents) : 0;
  if (!sale || cents <= 0) return;
  const at = ctx.clock.now();
  const refund = async () => {
    const operationId = createId(ctx.clock);
    const part = { saleId: sale.id, grossCents: cents, actorId: row.fan_id, operationId, reason, at };
    const { grossCents } = await refundSale(tx, part);
    await store.setRefunded(tx, period.id, sale.reversedCents + grossCents);
    return grossCents;
  };
  const isWhole = sale.reversedCents + cents === sale.grossCents;
  if (isWhole && period.number === row.period_number && !row.ended_at)
    return endSubscription(tx, row, { reason: 'refunded', at, refund });
  await refund();
  await tx.emit('subscription.changed', toSubscriptionEvent(row));
}
