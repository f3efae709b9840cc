/** Starts payments that the card processor repeats. Its webhooks report what was paid (webhooks/recurring.ts). */
import { quoteAmount } from '@stagedoor/contract/commerce/deposits.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { asCents } from '@stagedoor/contract/shared/money.ts';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction, Executor } from '../../../../platform/database/db.ts';
import { createId } from '../../../../platform/ids.ts';
import { CCBILL, type RecurringTerms, UNLIMITED_REBILLS } from '../../ccbill/index.ts';
import { requireAllowedSpending } from '../../sales/index.ts';
import { canPaySubscriptions, requireAcceptedPrice } from '../accepted-price.ts';
import { insertOrder, toPaymentUrl } from '../order.ts';
import type { DepositRow } from '../store.ts';
import * as texts from '../texts.ts';
import { findFirstDeposit, findRecurringPayment, insertRecurringPayment, type RecurringPaymentRow } from './store.ts';

export const toRecurringTerms = (payment: RecurringPaymentRow): RecurringTerms => ({
  priceCents: payment.payable_cents,
  periodDays: payment.period_days,
  rebills: UNLIMITED_REBILLS,
});

/** Returns how the processor repeats the payment of a deposit, or undefined for a single payment. */
export async function findRecurringTerms(db: Executor, deposit: DepositRow): Promise<RecurringTerms | undefined> {
  const id = deposit.recurring_payment_id;
  const payment = id === null ? undefined : await findRecurringPayment(db, id);
  return payment && toRecurringTerms(payment);
}

export type StartedPayment = { paymentUrl: string; depositId: string };

type RecurringPaymentInput = {
  id: string;
  fanId: string;
  /** What each payment adds to the wallet. The fee comes on top. */
  amountCents: number;
  periodDays: number;
  returnPath: string | undefined;
};

/**
 * Creates the order of a recurring payment. A fan with a debt cannot start one, because its first payment would repay the
 * debt. Throws FORBIDDEN (turned off, spending blocked or paused, over a spending limit, or beyond the limits of the processor).
 */
export async function startRecurringPayment(
  ctx: Context,
  tx: DbTransaction,
  { id, fanId, amountCents, periodDays, returnPath }: RecurringPaymentInput,
): Promise<void> {
  if (!canPaySubscriptions(ctx)) throw new AppError('FORBIDDEN', { message: texts.noCardSubscriptions });
  const createdAt = ctx.clock.now();
  await requireAllowedSpending(tx, { fanId, amountCents, at: createdAt });
  const quote = quoteAmount(asCents(amountCents));
  requireAcceptedPrice(ctx, quote.payableCents);
  const money = { amount_cents: quote.amountCents, fee_cents: quote.feeCents, payable_cents: quote.payableCents };
  const terms = { fan_id: fanId, provider: CCBILL, period_days: periodDays, created_at: createdAt };
  await insertRecurringPayment(tx, { id, ...money, ...terms });
  const order = { id: createId(ctx.clock), fanId, credits: null, recurringPaymentId: id };
  await insertOrder(ctx, tx, { ...order, quote, returnPath });
}

/** Returns the payment page of the first payment. Throws NOT_FOUND. */
export async function getStartedPayment(ctx: Pick<Context, 'config' | 'db'>, id: string): Promise<StartedPayment> {
  const payment = await findRecurringPayment(ctx.db, id);
  const deposit = await findFirstDeposit(ctx.db, id);
  if (!payment || !deposit) throw new AppError('NOT_FOUND');
  return { paymentUrl: toPaymentUrl(ctx, deposit, toRecurringTerms(payment)), depositId: deposit.id };
}
