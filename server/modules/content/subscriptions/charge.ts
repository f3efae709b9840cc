import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { asCents } from '@stagedoor/contract/shared/money.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { type ChargeResult, chargeFan } from '../../commerce/sales/index.ts';
import { toPeriodId } from './period-ids.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

type ChargedPeriod = {
  number: number;
  startsAt: Date;
  endsAt: Date;
  priceCents: number;
  at: Date;
  /** Who pays instead of the fan. Refunds go to them. */
  payerId?: string;
  /** When the fan opened what this charge can therefore not be refunded for, before it. */
  openedAt?: Date | null;
};

/**
 * Charges one period to the balance of the fan, or of the payer, and stores it. The caller holds the lock on the subscription.
 * Throws INSUFFICIENT_FUNDS, FORBIDDEN (spending blocked, or over a limit), and CONFLICT if the period was charged before.
 */
export async function chargePeriod(
  tx: DbTransaction,
  row: Pick<store.SubscriptionRow, 'id' | 'fan_id' | 'creator_id'>,
  { number, startsAt, endsAt, priceCents, at, payerId = row.fan_id, openedAt = null }: ChargedPeriod,
): Promise<ChargeResult> {
  const id = toPeriodId(row.id, number);
  const sale = await chargeFan(tx, {
    kind: 'subscription',
    fanId: payerId,
    creatorId: row.creator_id,
    grossCents: priceCents,
    operationId: id,
    subjectId: id,
    at,
  });
  if (!sale.isCreated) throw new AppError('CONFLICT', { message: texts.alreadyPaid });
  await store.insertPeriod(tx, {
    subscription_id: row.id,
    number,
    id,
    starts_at: startsAt,
    ends_at: endsAt,
    charged_at: at,
    price_cents: asCents(priceCents),
    sale_id: sale.transactionId,
    opened_at: openedAt,
  });
  return sale;
}
