/** Starts and shows deposits. Only webhooks of the processor change the balance (process.ts). */
import { randomUUID } from 'node:crypto';
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { CREDIT_VALUE_CENTS } from '@stagedoor/contract/atoms/limits.ts';
import { formatCents, toCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, BodyOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import {
  type depositFunds,
  type depositHistory,
  type getDeposit,
  type Quote,
  quoteAmount,
  quoteCredits,
} from '@stagedoor/contract/payments.ts';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { pageOf, skipOf } from '../../kernel/offset.ts';
import { claimOperation } from '../../kernel/operations.ts';
import type { Actor } from '../../kernel/session.ts';
import { findOperation, hashRequest, requireNoPause, spendingBlocked, standingOf } from '../ledger/index.ts';
import { requirePriceWithin } from '../sales/index.ts';
import { ownDeposit } from './access.ts';
import { paymentAddress } from './ccbill/flexforms.ts';
import { CCBILL, merchantOf } from './ccbill/ours.ts';
import { type DepositRow, insertDeposit, listDeposits } from './deposits-store.ts';
import { centsAtLeast } from './paging.ts';
import { presentDeposit } from './present.ts';

const ORDER_LIFETIME_MS = 48 * 60 * 60 * 1000;

type Wanted = BodyOf<typeof depositFunds>;

function quoteOf({ amount, credits }: Wanted): Quote {
  const amountCents = toCents(amount);
  if (credits === undefined) return quoteAmount(amountCents);
  const quote = quoteCredits(credits);
  if (quote.amountCents !== amountCents) {
    throw invalid('amount', `${credits} credits are ${formatCents(credits * CREDIT_VALUE_CENTS)}`);
  }
  return quote;
}

function requireAcceptedPrice(ctx: Context, { payableCents }: Quote): void {
  const { ceilingCents, minimumCents } = ctx.config.payments;
  if (payableCents > ceilingCents) {
    ctx.log.warn(
      { payableCents, ceilingCents },
      'a deposit was refused: its price is above the card processor’s ceiling; ask CCBill to raise it, then set CCBILL_CEILING_USD',
    );
    throw new AppError('FORBIDDEN', {
      message: `Maximum per payment is ${formatCents(ceilingCents)}. Choose a smaller amount.`,
    });
  }
  if (payableCents < minimumCents) {
    throw new AppError('FORBIDDEN', {
      message: `Minimum per payment is ${formatCents(minimumCents)}. Choose a larger amount.`,
    });
  }
}

function addressOf(ctx: Context, deposit: DepositRow): string {
  return paymentAddress(ctx.config.payments.url, merchantOf(ctx.config), {
    priceCents: deposit.payable_cents,
    orderId: deposit.order_id,
    currencyCode: deposit.currency_code,
  });
}

/**
 * Creates an order and returns its payment URL. Idempotent per operation id.
 * Throws VALIDATION (credits and amount differ, or beyond the price limits), FORBIDDEN (blocked by an operator,
 * self-exclusion, or beyond the limits of the processor), CONFLICT (the operation id was used for another request).
 */
export async function startDeposit(
  ctx: Context,
  actor: Actor,
  wanted: Wanted,
  operationId: string,
): Promise<AnswerOf<typeof depositFunds>> {
  const quote = quoteOf(wanted);
  // A fan with a debt may deposit to repay it.
  const { isBlocked, isForDebt } = await standingOf(ctx.db, actor.userId);
  if (isBlocked && !isForDebt) throw spendingBlocked(0);
  if (!isForDebt) await requireNoPause(ctx.db, actor.userId, ctx.clock.now());
  const requestHash = hashRequest({
    call: 'deposit',
    provider: wanted.paymentProvider,
    amountCents: quote.amountCents,
    credits: wanted.credits,
  });
  const deposit = await ctx.db.transaction(async (tx: Transaction) => {
    const createdAt = ctx.clock.now();
    const id = newId(ctx.clock);
    const earlier = await claimOperation(tx, { actorId: actor.userId, operationId, requestHash, subjectId: id });
    if (earlier !== undefined) return ownDeposit(tx, actor, earlier);
    if (await findOperation(tx, actor.userId, operationId))
      throw new AppError('CONFLICT', { message: 'This Idempotency-Key was used for another request.' });
    await requirePriceWithin(tx, 'addFunds', quote.amountCents);
    requireAcceptedPrice(ctx, quote);
    return insertDeposit(tx, {
      id,
      orderId: randomUUID(),
      fanId: actor.userId,
      provider: CCBILL,
      ...quote,
      credits: wanted.credits ?? null,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + ORDER_LIFETIME_MS),
    });
  });
  return { paymentUrl: addressOf(ctx, deposit), depositId: deposit.id };
}

export function depositOptionsOf(ctx: Context) {
  const { ceilingCents, minimumCents, descriptor, isSandbox } = ctx.config.payments;
  return {
    ceiling: toUsd(ceilingCents),
    minimum: toUsd(minimumCents),
    isTestMode: isSandbox,
    descriptor,
    creditValue: toUsd(CREDIT_VALUE_CENTS),
  };
}

/** Returns a deposit of the actor by its id or its order id. Throws NOT_FOUND for deposits of others. */
export async function viewDeposit(ctx: Context, actor: Actor, id: string): Promise<AnswerOf<typeof getDeposit>> {
  return presentDeposit(await ownDeposit(ctx.db, actor, id));
}

export async function viewDeposits(
  ctx: Context,
  actor: Actor,
  { limit, offset, status, minAmount }: QueryOf<typeof depositHistory>,
): Promise<AnswerOf<typeof depositHistory>> {
  const skip = skipOf(offset);
  const minAmountCents = centsAtLeast(minAmount);
  const { rows, total } = await listDeposits(ctx.db, { fanId: actor.userId, status, minAmountCents }, { limit, skip });
  return pageOf(rows.map(presentDeposit), { limit, skip, total });
}
