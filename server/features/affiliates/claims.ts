/**
 * Pays out affiliate earnings, either at once into the own balance or through a payout. Stores which referral type the
 * money came from.
 */

import { PATHS } from '@stagedoor/contract/addresses.ts';
import type { depositFromReferrals, withdrawOutside } from '@stagedoor/contract/affiliates.ts';
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { withdrawalId } from '@stagedoor/contract/atoms/ids.ts';
import {
  allocate,
  asCents,
  type Cents,
  formatCents,
  percentOf,
  toBalance,
  toCents,
} from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import { minuteText } from '@stagedoor/contract/atoms/times.ts';
import type { Context } from '../../kernel/context.ts';
import type { Statement, Transaction } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import { findUser } from '../accounts/index.ts';
import {
  account,
  findOperation,
  hashRequest,
  lockWallet,
  post,
  settledBalance,
  walletBalance,
} from '../ledger/index.ts';
import { cancelPayout, requestPayout } from '../payouts/index.ts';
import { requireAffiliate } from './codes.ts';
import { affiliateSettings, type Figures, figuresOf } from './figures.ts';

declare module '../../kernel/events.ts' {
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

const LOCK: Statement = {
  name: 'affiliates-lock',
  text: `select pg_advisory_xact_lock(hashtextextended('affiliate ' || $1, 0))`,
};
const CLAIM: Statement = {
  name: 'affiliates-claim',
  text: `insert into affiliate_claims (id, affiliate_id, amount_cents, customer_cents, fee_cents, created_at) values ($1, $2, $3, $4, $5, $6)`,
};

/**
 * Returns the part of `cents` that comes from referred fans, in proportion to what is left of each referral type.
 * Throws INSUFFICIENT_FUNDS.
 */
function customersPart({ customer, creator, eligibleCents }: Figures, cents: Cents): Cents {
  if (cents > eligibleCents)
    throw new AppError('INSUFFICIENT_FUNDS', { message: `You can withdraw up to ${formatCents(eligibleCents)}.` });
  const [part = asCents(0)] = allocate(cents, [customer.eligibleCents, creator.eligibleCents]);
  return part;
}

/** Mails the affiliate, because someone else may have used their device. */
async function sendMoved(
  ctx: Pick<Context, 'config' | 'mailer'>,
  tx: Transaction,
  userId: string,
  { cents, feeCents, at }: { cents: Cents; feeCents: Cents; at: Date },
): Promise<void> {
  const user = await findUser(tx, userId);
  if (!user) return;
  const page = user.type === 'creator' ? PATHS.creatorReferral : PATHS.fanReferral;
  const moved = formatCents(asCents(cents - feeCents));
  await ctx.mailer.send(tx, {
    to: user.email,
    subject: 'Commission moved to your balance',
    text: `Hello ${user.username},

On ${minuteText(at)}, ${formatCents(cents)} of your referral earnings moved to your balance: ${moved}, after a fee of ${formatCents(feeCents)}.

Wasn’t you? Change your password now. That logs out all other devices. See your withdrawals:

${ctx.config.publicUrl}${page}
`,
  });
}

const wordsOf = (cents: number) => `${formatCents(cents)} moved to your balance.`;

/**
 * Moves earnings into the balance of the actor, less the fee of the operator (row H3). Idempotent per operation id.
 * Throws NOT_FOUND (the id of another user), VALIDATION (below the minimum), INSUFFICIENT_FUNDS, CONFLICT (operation id
 * already used).
 */
export async function moveToBalance(
  ctx: Context,
  actor: Actor,
  move: { affiliateId: string; amount: number; operationId: string },
): Promise<AnswerOf<typeof depositFromReferrals>> {
  const { affiliateId, operationId } = move;
  if (affiliateId !== actor.userId) throw new AppError('NOT_FOUND');
  const cents = toCents(move.amount);
  const { moveMinCents, moveFeePercent } = await affiliateSettings(ctx.db);
  const at = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    // The affiliate lock serializes claims and comes before the wallet lock, because each claim depends on what the
    // previous one left.
    await tx.run(LOCK, [affiliateId]);
    await lockWallet(tx, affiliateId);
    const isKnown = (await findOperation(tx, affiliateId, operationId)) !== undefined;
    if (!isKnown && cents < moveMinCents) throw invalid('amount', `Move at least ${formatCents(moveMinCents)}.`);
    const customerCents = isKnown ? asCents(0) : customersPart(await figuresOf(tx, affiliateId), cents);
    const feeCents = percentOf(cents, moveFeePercent);
    const { transactionId } = await post(tx, {
      kind: 'commission_deposit',
      legs: [
        [account.affiliateAvailable(affiliateId), cents],
        [account.wallet(affiliateId), feeCents - cents],
        [account.payoutFee, -feeCents],
      ],
      operation: { actorId: affiliateId, operationId, requestHash: hashRequest({ kind: 'commission_deposit', cents }) },
      at,
    });
    const message = wordsOf(cents - feeCents);
    if (isKnown) return { message, transactionId, ...toBalance(await walletBalance(tx, affiliateId)) };
    await tx.run(CLAIM, [transactionId, affiliateId, cents, customerCents, feeCents, at]);
    const { keptCents, ...balance } = await settledBalance(tx, affiliateId, at);
    await tx.emit('commission.moved', { fanId: affiliateId, transactionId, netCents: cents - feeCents, ...balance });
    await sendMoved(ctx, tx, actor.userId, { cents, feeCents, at });
    const kept = keptCents > 0 ? ` ${formatCents(keptCents)} was used to pay your outstanding balance.` : '';
    return { message: `${message}${kept}`, transactionId, ...toBalance(balance) };
  });
}

/** A payout keeps the fee from the time of its request, because the settings can change at any time. */
const REQUESTED: Statement = {
  name: 'affiliates-requested',
  text: `select fee_cents as "feeCents", created_at as at, exists (select from affiliate_claims c where c.id = p.id) as "isKnown" from payouts p where id = $1`,
};

/**
 * Requests a payout of earnings. Idempotent per operation id. Throws the errors of a payout request, among them
 * NOT_FOUND and INSUFFICIENT_FUNDS, and FORBIDDEN for operators.
 */
export async function withdraw(
  ctx: Context,
  actor: Actor,
  asked: { amount: number; methodId: string; operationId: string },
): Promise<AnswerOf<typeof withdrawOutside>> {
  requireAffiliate(actor);
  const { userId } = actor;
  const { methodId, operationId } = asked;
  const amountCents = toCents(asked.amount);
  return ctx.db.transaction(async (tx) => {
    await tx.run(LOCK, [userId]);
    const before = await figuresOf(tx, userId);
    const id = await requestPayout(ctx, tx, { userId, source: 'referrals', amountCents, methodId, operationId });
    const [request] = await tx.run<{ feeCents: number; at: Date; isKnown: boolean }>(REQUESTED, [id]);
    if (!request) throw new Error('a payout that was requested is not there');
    const { feeCents, at, isKnown } = request;
    if (!isKnown) await tx.run(CLAIM, [id, userId, amountCents, customersPart(before, amountCents), feeCents, at]);
    const net = formatCents(asCents(amountCents - feeCents));
    return { message: `Requested. We’ll pay out ${net} once it’s approved.`, id: withdrawalId.parse(id) };
  });
}

/** Cancels a payout request. Throws NOT_FOUND, CONFLICT when it was already decided, and FORBIDDEN for operators. */
export async function cancel(ctx: Context, actor: Actor, id: string): Promise<void> {
  requireAffiliate(actor);
  await ctx.db.transaction((tx) => cancelPayout(ctx, tx, { userId: actor.userId, source: 'referrals', payoutId: id }));
}
