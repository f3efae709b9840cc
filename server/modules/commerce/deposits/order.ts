/** Orders at the card processor: deposits that add funds, and first payments of recurring payments. */
import { randomUUID } from 'node:crypto';
import type { DepositQuote } from '@stagedoor/contract/commerce/deposits.ts';
import { parseDestination } from '@stagedoor/contract/shared/destinations.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { buildPaymentUrl, CCBILL, getMerchant, type RecurringTerms } from '../ccbill/index.ts';
import { type DepositRow, insertDeposit, type NewDeposit } from './store.ts';

const ORDER_LIFETIME_MS = 48 * 60 * 60 * 1000;

type OrderInput = Pick<NewDeposit, 'id' | 'fanId' | 'credits' | 'recurringPaymentId'> & {
  quote: DepositQuote;
  returnPath: string | undefined;
};

export function insertOrder(
  { clock, config }: Pick<Context, 'clock' | 'config'>,
  tx: DbTransaction,
  { quote, returnPath, ...order }: OrderInput,
): Promise<DepositRow> {
  const createdAt = clock.now();
  return insertDeposit(tx, {
    ...order,
    ...quote,
    orderId: randomUUID(),
    provider: CCBILL,
    returnPath: parseDestination(returnPath, new URL(config.publicUrl).origin)?.path ?? null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + ORDER_LIFETIME_MS),
  });
}

/** @param recurring Undefined for a single payment. */
export function toPaymentUrl(
  { config }: Pick<Context, 'config'>,
  deposit: DepositRow,
  recurring?: RecurringTerms,
): string {
  return buildPaymentUrl(config.payments.url, getMerchant(config), {
    priceCents: deposit.payable_cents,
    orderId: deposit.order_id,
    currencyCode: deposit.currency_code,
    recurring,
  });
}
