/** Starts payments that the card processor repeats. Only its webhooks report what was paid (webhooks/recurring.ts). */
import { randomUUID } from 'node:crypto';
import { quoteAmount } from '@stagedoor/contract/commerce/deposits.ts';
import { parseDestination } from '@stagedoor/contract/shared/destinations.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { asCents } from '@stagedoor/contract/shared/money.ts';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction, Executor } from '../../../../platform/database/db.ts';
import { createId } from '../../../../platform/ids.ts';
import { buildPaymentUrl, CCBILL, getMerchant, type RecurringTerms, UNLIMITED_REBILLS } from '../../ccbill/index.ts';
import { requireAllowedSpending } from '../../sales/index.ts';
import { canPaySubscriptions, requireAcceptedPrice } from '../accepted-price.ts';
import { type DepositRow, insertDeposit } from '../store.ts';
import * as texts from '../texts.ts';
import { findFirstDepositId, findRecurringPayment, insertRecurringPayment } from './store.ts';

const ORDER_LIFETIME_MS = 48 * 60 * 60_000;

type PayableTerms = { payable_cents: number; period_days: number };

export function toRecurringTerms({ payable_cents: priceCents, period_days: periodDays }: PayableTerms): RecurringTerms {
  return { priceCents, periodDays, rebills: UNLIMITED_REBILLS };
}

/** The terms by which the processor repeats a payment, or undefined for a single one. */
export async function findTermsOfDeposit(db: Executor, deposit: DepositRow): Promise<RecurringTerms | undefined> {
  const id = deposit.recurring_payment_id;
  const payment = id === null ? undefined : await findRecurringPayment(db, id);
  return payment && toRecurringTerms(payment);
}

export type StartedPayment = { paymentUrl: string; depositId: string };

function toStarted(ctx: Pick<Context, 'config'>, deposit: DepositRow, periodDays: number): StartedPayment {
  const terms = { payable_cents: deposit.payable_cents, period_days: periodDays };
  const paymentUrl = buildPaymentUrl(ctx.config.payments.url, getMerchant(ctx.config), {
    priceCents: deposit.payable_cents,
    orderId: deposit.order_id,
    currencyCode: deposit.currency_code,
    recurring: toRecurringTerms(terms),
  });
  return { paymentUrl, depositId: deposit.id };
}

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
  await insertDeposit(tx, {
    id: createId(ctx.clock),
    orderId: randomUUID(),
    fanId,
    provider: CCBILL,
    ...quote,
    credits: null,
    recurringPaymentId: id,
    returnPath: parseDestination(returnPath, new URL(ctx.config.publicUrl).origin)?.path ?? null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + ORDER_LIFETIME_MS),
  });
}

/** Returns the payment page of the first payment. Throws NOT_FOUND. */
export async function getStartedPayment(ctx: Pick<Context, 'config' | 'db'>, id: string): Promise<StartedPayment> {
  const payment = await findRecurringPayment(ctx.db, id);
  const depositId = await findFirstDepositId(ctx.db, id);
  if (!payment || depositId === undefined) throw new AppError('NOT_FOUND');
  const deposit = await ctx.db.query
    .selectFrom('deposits')
    .selectAll()
    .where('id', '=', depositId)
    .executeTakeFirstOrThrow();
  return toStarted(ctx, deposit, payment.period_days);
}
