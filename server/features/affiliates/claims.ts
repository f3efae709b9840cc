/** Taking what was earned: into the own balance, at once, or out by a payout. Of which group's earnings it is, is kept beside it. */

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
    /** Somebody moved earnings into their own balance, which is told after it. */
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

/** Of which group's earnings so much is: in proportion to what is left of each. Throws INSUFFICIENT_FUNDS. */
function customersPart({ customer, creator, eligibleCents }: Figures, cents: Cents): Cents {
  if (cents > eligibleCents)
    throw new AppError('INSUFFICIENT_FUNDS', { message: `You may take up to ${formatCents(eligibleCents)} now.` });
  const [part = asCents(0)] = allocate(cents, [customer.eligibleCents, creator.eligibleCents]);
  return part;
}

/** Whoever moved it is told by mail, as it may have been somebody else at their device. */
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
    subject: 'Commission was moved into your balance',
    text: `Hello ${user.username},

on ${minuteText(at)} ${formatCents(cents)} of what your referrals earned were moved into your balance: ${moved}, after a fee of ${formatCents(feeCents)}.

If it was not you, set a new password at once, which logs out every other device. What moved is listed here:

${ctx.config.publicUrl}${page}
`,
  });
}

const wordsOf = (cents: number) => `${formatCents(cents)} moved into your balance.`;

/**
 * Row H3: moves earnings into the actor's balance, less the operator's fee. The same operation again answers the same.
 * Throws NOT_FOUND (not their own id), VALIDATION (less than the least), INSUFFICIENT_FUNDS, CONFLICT (operation id used before).
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
    // One after another, before their wallet: each takes of what the one before has left of each group.
    await tx.run(LOCK, [affiliateId]);
    await lockWallet(tx, affiliateId);
    const isKnown = (await findOperation(tx, affiliateId, operationId)) !== undefined;
    if (!isKnown && cents < moveMinCents) throw invalid('amount', `Please move at least ${formatCents(moveMinCents)}.`);
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
    const kept = keptCents > 0 ? ` ${formatCents(keptCents)} of it went to what you owed.` : '';
    return { message: `${message}${kept}`, transactionId, ...toBalance(balance) };
  });
}

/** At the terms that its request found: they may change at any moment. */
const REQUESTED: Statement = {
  name: 'affiliates-requested',
  text: `select fee_cents as "feeCents", created_at as at, exists (select from affiliate_claims c where c.id = p.id) as "isKnown" from payouts p where id = $1`,
};

/**
 * Requests that earnings are paid out. The same operation again answers the same. Throws what a payout's request throws, NOT_FOUND
 * and INSUFFICIENT_FUNDS among it; FORBIDDEN for operators.
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
    return { message: `Requested. ${net} is paid out once it is approved.`, id: withdrawalId.parse(id) };
  });
}

/** Takes a request back. Throws NOT_FOUND, CONFLICT when it was decided; FORBIDDEN for operators. */
export async function cancel(ctx: Context, actor: Actor, id: string): Promise<void> {
  requireAffiliate(actor);
  await ctx.db.transaction((tx) => cancelPayout(ctx, tx, { userId: actor.userId, source: 'referrals', payoutId: id }));
}
