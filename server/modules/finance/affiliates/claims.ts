/**
 * Pays out affiliate earnings, either at once into the own balance or through a payout. Stores which referral type the
 * money came from.
 */

import type { depositReferralEarnings, requestWithdrawal } from '@stagedoor/contract/finance/affiliates.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { withdrawalId } from '@stagedoor/contract/shared/ids.ts';
import {
  allocateCents,
  asCents,
  type Cents,
  calculatePercent,
  formatCents,
  toCents,
  toDepositBalance,
} from '@stagedoor/contract/shared/money.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import { formatMinute } from '@stagedoor/contract/shared/times.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, SqlStatement } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { findUser } from '../../identity/accounts/index.ts';
import {
  account,
  findOperation,
  getWalletBalance,
  hashRequest,
  lockWallet,
  postTransaction,
  settleDebt,
} from '../../ledger/ledger/index.ts';
import { cancelPayout, requestPayout } from '../payouts/index.ts';
import { requireAffiliate } from './codes.ts';
import { type AffiliateFigures, getAffiliateFigures, loadAffiliateSettings } from './figures.ts';
import * as texts from './texts.ts';

declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    'commission.moved': {
      fanId: string;
      transactionId: string;
      netCents: number;
      balanceCents: number;
      balanceLine: number;
    };
  }
}

const LOCK: SqlStatement = {
  name: 'affiliates-lock',
  text: `select pg_advisory_xact_lock(hashtextextended('affiliate ' || $1, 0))`,
};
const CLAIM: SqlStatement = {
  name: 'affiliates-claim',
  text: `insert into affiliate_claims (id, affiliate_id, amount_cents, customer_cents, fee_cents, created_at) values ($1, $2, $3, $4, $5, $6)`,
};

/**
 * Returns the part of `cents` that comes from referred fans, in proportion to what is left of each referral type.
 * Throws INSUFFICIENT_FUNDS.
 */
function calculateCustomerPart({ customer, creator, eligibleCents }: AffiliateFigures, cents: Cents): Cents {
  if (cents > eligibleCents)
    throw new AppError('INSUFFICIENT_FUNDS', {
      message: formatText(texts.withdrawalMaximum, { amount: formatCents(eligibleCents) }),
    });
  const [part = asCents(0)] = allocateCents(cents, [customer.eligibleCents, creator.eligibleCents]);
  return part;
}

/** Mails the affiliate, because someone else may have used their device. */
async function mailMoveToBalance(
  ctx: Pick<Context, 'config' | 'mailer'>,
  tx: DbTransaction,
  userId: string,
  { cents, feeCents, at }: { cents: Cents; feeCents: Cents; at: Date },
): Promise<void> {
  const user = await findUser(tx, userId);
  if (!user) return;
  const page = user.type === 'creator' ? PATHS.creatorReferral : PATHS.fanReferral;
  const net = formatCents(asCents(cents - feeCents));
  await ctx.mailer.send(tx, {
    to: user.email,
    subject: texts.commissionMovedMailSubject,
    text: formatText(texts.commissionMovedMail, {
      username: user.username,
      time: formatMinute(at),
      amount: formatCents(cents),
      netAmount: net,
      fee: formatCents(feeCents),
      publicUrl: ctx.config.publicUrl,
      page,
    }),
  });
}

const formatMoveMessage = (cents: number) => formatText(texts.movedToYourBalance, { amount: formatCents(cents) });

/**
 * Moves earnings into the balance of the actor, less the fee of the operator (row H3). Idempotent per operation id.
 * Throws NOT_FOUND (the id of another user), VALIDATION (below the minimum), INSUFFICIENT_FUNDS, CONFLICT (operation id
 * already used).
 */
export async function moveToBalance(
  ctx: Context,
  actor: Actor,
  move: { affiliateId: string; amount: number; operationId: string },
): Promise<ResponseInputOf<typeof depositReferralEarnings>> {
  const { affiliateId, operationId } = move;
  if (affiliateId !== actor.userId) throw new AppError('NOT_FOUND');
  const cents = toCents(move.amount);
  const { moveMinCents, moveFeePercent } = await loadAffiliateSettings(ctx.db);
  const at = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    // The affiliate lock serializes claims and comes before the wallet lock, because each claim depends on what the
    // previous one left.
    await tx.run(LOCK, [affiliateId]);
    await lockWallet(tx, affiliateId);
    const isKnown = (await findOperation(tx, affiliateId, operationId)) !== undefined;
    if (!isKnown && cents < moveMinCents)
      throw createFieldError('amount', formatText(texts.moveMinimum, { amount: formatCents(moveMinCents) }));
    const customerCents = isKnown
      ? asCents(0)
      : calculateCustomerPart(await getAffiliateFigures(tx, affiliateId), cents);
    const feeCents = calculatePercent(cents, moveFeePercent);
    const { transactionId } = await postTransaction(tx, {
      kind: 'commission_deposit',
      legs: [
        [account.affiliateAvailable(affiliateId), cents],
        [account.wallet(affiliateId), feeCents - cents],
        [account.payoutFee, -feeCents],
      ],
      operation: { actorId: affiliateId, operationId, requestHash: hashRequest({ kind: 'commission_deposit', cents }) },
      at,
    });
    const message = formatMoveMessage(cents - feeCents);
    if (isKnown) return { message, transactionId, ...toDepositBalance(await getWalletBalance(tx, affiliateId)) };
    await tx.run(CLAIM, [transactionId, affiliateId, cents, customerCents, feeCents, at]);
    const { debtPaidCents, ...balance } = await settleDebt(tx, affiliateId, at);
    await tx.emit('commission.moved', { fanId: affiliateId, transactionId, netCents: cents - feeCents, ...balance });
    await mailMoveToBalance(ctx, tx, actor.userId, { cents, feeCents, at });
    const debtText =
      debtPaidCents > 0 ? formatText(texts.debtPaidFromCommission, { amount: formatCents(debtPaidCents) }) : '';
    return { message: `${message}${debtText}`, transactionId, ...toDepositBalance(balance) };
  });
}

/** A payout keeps the fee from the time of its request, because the settings can change at any time. */
const REQUESTED: SqlStatement = {
  name: 'affiliates-requested',
  text: `select fee_cents as "feeCents", created_at as at, exists (select from affiliate_claims c where c.id = p.id) as "isKnown" from payouts p where id = $1`,
};

/**
 * Requests a payout of earnings. Idempotent per operation id. Throws the errors of a payout request, among them
 * NOT_FOUND and INSUFFICIENT_FUNDS, and FORBIDDEN for operators.
 */
export async function withdrawToPayout(
  ctx: Context,
  actor: Actor,
  input: { amount: number; methodId: string; operationId: string },
): Promise<ResponseInputOf<typeof requestWithdrawal>> {
  requireAffiliate(actor);
  const { userId } = actor;
  const { methodId, operationId } = input;
  const amountCents = toCents(input.amount);
  return ctx.db.transaction(async (tx) => {
    await tx.run(LOCK, [userId]);
    const before = await getAffiliateFigures(tx, userId);
    const id = await requestPayout(ctx, tx, { userId, source: 'referrals', amountCents, methodId, operationId });
    const [request] = await tx.run<{ feeCents: number; at: Date; isKnown: boolean }>(REQUESTED, [id]);
    if (!request) throw new Error('a payout that was requested is not there');
    const { feeCents, at, isKnown } = request;
    if (!isKnown)
      await tx.run(CLAIM, [id, userId, amountCents, calculateCustomerPart(before, amountCents), feeCents, at]);
    const net = formatCents(asCents(amountCents - feeCents));
    return { message: formatText(texts.withdrawalRequested, { netAmount: net }), id: withdrawalId.parse(id) };
  });
}

/** Cancels a payout request. Throws NOT_FOUND, CONFLICT when it was already decided, and FORBIDDEN for operators. */
export async function cancelWithdrawalRequest(ctx: Context, actor: Actor, id: string): Promise<void> {
  requireAffiliate(actor);
  await ctx.db.transaction((tx) => cancelPayout(ctx, tx, { userId: actor.userId, source: 'referrals', payoutId: id }));
}
