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
  /** The card payment of the period. */
  depositId?: string;
  /** When the fan opened content in the period before a change of the tier. The charge is then not refundable. */
  openedAt?: Date | null;
};

type PeriodOwner = Pick<store.SubscriptionRow, 'id' | 'fan_id' | 'creator_id'>;

/** Charges one period without storing it. Throws the same errors as {@link chargePeriod}. */
export async function chargeSale(
  tx: DbTransaction,
  row: PeriodOwner,
  { number, priceCents, at, payerId = row.fan_id }: Pick<ChargedPeriod, 'number' | 'priceCents' | 'at' | 'payerId'>,
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
  return sale;
}

/**
 * Charges one period to the balance of the fan, or of the payer, and stores it. The caller holds the lock on the subscription.
 * Throws INSUFFICIENT_FUNDS, FORBIDDEN (spending blocked, or over a limit), and CONFLICT if the period was charged before.
 */
export async function chargePeriod(tx: DbTransaction, row: PeriodOwner, period: ChargedPeriod): Promise<ChargeResult> {
  const { number, startsAt, endsAt, priceCents, at, depositId = null, openedAt = null } = period;
  const sale = await chargeSale(tx, row, period);
  await store.insertPeriod(tx, {
    subscription_id: row.id,
    number,
    id: toPeriodId(row.id, number),
    starts_at: startsAt,
    ends_at: endsAt,
    charged_at: at,
    price_cents: asCents(priceCents),
    sale_id: sale.transactionId,
    deposit_id: depositId,
    opened_at: openedAt,
  });
  return sale;
}
