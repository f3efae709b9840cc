/** Starts, shows and expires deposits. Only webhooks of the processor change the balance (webhooks/process.ts). */

import {
  type DepositQuote,
  type depositFunds,
  type getDeposit,
  type getDepositHistory,
  quoteAmount,
  quoteCredits,
} from '@stagedoor/contract/commerce/deposits.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CREDIT_VALUE_CENTS } from '@stagedoor/contract/shared/limits.ts';
import { formatCents, toCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { BodyOf, QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { claimIdempotencyKey } from '../../../platform/database/idempotency.ts';
import { parseSkip, toOffsetPage } from '../../../platform/database/pagination.ts';
import { createId } from '../../../platform/ids.ts';
import type { Actor } from '../../../platform/security/session.ts';
import {
  createSpendingBlockedError,
  findOperation,
  getSpendingStatus,
  hashRequest,
  requireNotPaused,
} from '../../ledger/ledger/index.ts';
import { requirePriceInLimits } from '../sales/index.ts';
import { canPaySubscriptions, requireAcceptedPrice } from './accepted-price.ts';
import { getOwnDeposit } from './access.ts';
import { emitDepositChanged } from './events.ts';
import { insertOrder, toPaymentUrl } from './order.ts';
import { presentDeposit } from './present.ts';
import { deleteReturnPaths, failNextExpired, listDeposits } from './store.ts';
import * as texts from './texts.ts';

/** One run of the job fails at most this many orders. */
const MAX_EXPIRED = 200;

type DepositInput = BodyOf<typeof depositFunds>;

function toQuote({ amount, credits }: DepositInput): DepositQuote {
  const amountCents = toCents(amount);
  if (credits === undefined) return quoteAmount(amountCents);
  const quote = quoteCredits(credits);
  if (quote.amountCents !== amountCents) {
    throw createFieldError(
      'amount',
      formatText(texts.creditsPriceMismatch, { credits, price: formatCents(credits * CREDIT_VALUE_CENTS) }),
    );
  }
  return quote;
}

/**
 * Creates an order and returns its payment URL. Idempotent per operation id.
 * Throws VALIDATION (credits and amount differ, or beyond the price limits), FORBIDDEN (blocked by an operator,
 * a spending break, or beyond the limits of the processor), CONFLICT (the operation id was used for another request).
 */
export async function startDeposit(
  ctx: Context,
  actor: Actor,
  input: DepositInput,
  operationId: string,
): Promise<ResponseInputOf<typeof depositFunds>> {
  const quote = toQuote(input);
  // A fan with a debt may deposit to repay it.
  const { isBlocked, isForDebt } = await getSpendingStatus(ctx.db, actor.userId);
  if (isBlocked && !isForDebt) throw createSpendingBlockedError(0);
  if (!isForDebt) await requireNotPaused(ctx.db, actor.userId, ctx.clock.now());
  const requestHash = hashRequest({
    call: 'deposit',
    provider: input.paymentProvider,
    amountCents: quote.amountCents,
    credits: input.credits,
  });
  const deposit = await ctx.db.transaction(async (tx: DbTransaction) => {
    const id = createId(ctx.clock);
    const earlier = await claimIdempotencyKey(tx, { actorId: actor.userId, operationId, requestHash, subjectId: id });
    if (earlier !== undefined) return getOwnDeposit(tx, actor, earlier);
    if (await findOperation(tx, actor.userId, operationId))
      throw new AppError('CONFLICT', { message: texts.idempotencyKeyReused });
    await requirePriceInLimits(tx, 'addFunds', quote.amountCents);
    requireAcceptedPrice(ctx, quote.payableCents);
    return insertOrder(ctx, tx, {
      id,
      fanId: actor.userId,
      quote,
      credits: input.credits ?? null,
      recurringPaymentId: null,
      returnPath: input.returnPath,
    });
  });
  return { paymentUrl: toPaymentUrl(ctx, deposit), depositId: deposit.id };
}

export function presentDepositOptions(ctx: Context) {
  const { maxCents, minCents, descriptor, isSandbox } = ctx.config.payments;
  return {
    max: toUsd(maxCents),
    min: toUsd(minCents),
    isTestMode: isSandbox,
    hasSubscriptions: canPaySubscriptions(ctx),
    descriptor,
    creditValue: toUsd(CREDIT_VALUE_CENTS),
  };
}

/** Converts USD to cents, rounded up. */
export function toCentsRoundedUp(usd: number | undefined): number | undefined {
  return usd === undefined ? undefined : Math.ceil(Math.round(usd * 10_000) / 100);
}

/** Returns a deposit of the actor by its id or its order id. Throws NOT_FOUND for deposits of others. */
export async function viewDeposit(ctx: Context, actor: Actor, id: string): Promise<ResponseInputOf<typeof getDeposit>> {
  return presentDeposit(await getOwnDeposit(ctx.db, actor, id));
}

export async function viewDeposits(
  ctx: Context,
  actor: Actor,
  { limit, offset, status, minAmount }: QueryOf<typeof getDepositHistory>,
): Promise<ResponseInputOf<typeof getDepositHistory>> {
  const skip = parseSkip(offset);
  const minAmountCents = toCentsRoundedUp(minAmount);
  const { rows, total } = await listDeposits(ctx.db, { fanId: actor.userId, status, minAmountCents }, { limit, skip });
  return toOffsetPage(rows.map(presentDeposit), { limit, skip, total });
}

/**
 * Fails orders that were not paid in time, and deletes the return paths of expired ones. A payment that was made in time is
 * credited even if its webhook is late.
 */
export async function expireOrders(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  // One order per transaction, so that at most one wallet is locked at a time.
  const failNext = async (tx: DbTransaction): Promise<boolean> => {
    const expired = await failNextExpired(tx, now, texts.paymentTimedOut);
    if (expired) await emitDepositChanged(tx, expired, 'expired', undefined);
    return expired !== undefined;
  };
  await deleteReturnPaths(ctx.db, now);
  for (let failed = 0; failed < MAX_EXPIRED; failed += 1) if (!(await ctx.db.transaction(failNext))) return;
}
