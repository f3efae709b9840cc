/** Tips: one lookup of the recipient, cached for a few seconds, and one statement that charges. */

import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import { toBalance, toCents } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import type { sendTip } from '@stagedoor/contract/wallet.ts';
import type { Context } from '../../kernel/context.ts';
import { requireSeenHere } from '../../kernel/places.ts';
import type { Actor } from '../../kernel/session.ts';
import { findUser } from '../accounts/index.ts';
import { areApart, isApart } from '../blocks/index.ts';
import { type Charge, type Charged, chargeNow, findCharge } from '../sales/index.ts';
import { isPostOf } from './posts.ts';

/** How long a recipient is cached, the same as a session (kernel/session.ts). */
const KEPT_MS = 5_000;
const MAX_KEPT = 10_000;

/** `nobody`: not a creator, or blocked by the platform. `apart`: fan and creator are a blocked pair. */
type PayeeOf = (fanId: string, creatorId: string) => Promise<'payee' | 'apart' | 'nobody'>;

export function createPayees(ctx: Context): PayeeOf {
  const kept = new Map<string, { until: number; isApartFromSome: boolean }>();
  ctx.events.everywhere(
    'account.blocked',
    'wallet.forgetPayee',
    ({ payload }) => void kept.delete(payload.userId),
    () => kept.clear(),
  );
  const standing = async (fanId: string, creatorId: string, isApartFromSome: boolean) =>
    isApartFromSome && (await areApart(ctx.db, fanId, creatorId)) ? 'apart' : 'payee';
  return async (fanId, creatorId) => {
    const now = ctx.clock.now().getTime();
    const known = kept.get(creatorId);
    if (known && known.until > now) return standing(fanId, creatorId, known.isApartFromSome);
    const user = await findUser(ctx.db, creatorId);
    if (user?.type !== 'creator' || user.is_blocked) {
      kept.delete(creatorId);
      return 'nobody';
    }
    const isApartFromSome = await isApart(ctx.db, creatorId);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(creatorId, { until: now + KEPT_MS, isApartFromSome });
    return standing(fanId, creatorId, isApartFromSome);
  };
}

/** Throws to refuse a tip. The module that owns the tip location registers it. */
export type TipGuard = (fanId: string, creatorId: string, toward: { goalId: string | undefined }) => Promise<void>;
const guardsOf = new WeakMap<Context, Map<string, TipGuard>>();

export function guardTips(ctx: Context, type: string, guard: TipGuard): void {
  const guards = guardsOf.get(ctx) ?? new Map<string, TipGuard>();
  guards.set(type, guard);
  guardsOf.set(ctx, guards);
}

export type Tip = BodyOf<typeof sendTip> & { creatorId: string; operationId: string };

const subjectOf = ({ type, postId, goalId }: Tip) =>
  type === 'post' ? postId : type === 'profile' ? goalId : undefined;

async function requireTippable(
  ctx: Context,
  payeeOf: PayeeOf,
  actor: Actor,
  { creatorId, type, postId, goalId }: Tip,
): Promise<void> {
  requireSeenHere(creatorId);
  const payee = await payeeOf(actor.userId, creatorId);
  // In a chat both users know each other, so the block is reported openly. Elsewhere it looks as if the creator did not
  // exist.
  if (payee === 'nobody' || (payee === 'apart' && type !== 'chat')) throw new AppError('NOT_FOUND');
  if (type === 'post' && postId !== undefined) {
    const isTheirs = isId(postId) && (await isPostOf(ctx, { postId, creatorId, fanId: actor.userId }));
    if (!isTheirs) throw new AppError('NOT_FOUND');
  }
  await guardsOf.get(ctx)?.get(type)?.(actor.userId, creatorId, { goalId });
}

/**
 * Tips a creator. Idempotent per operation id.
 * Throws VALIDATION (beyond the price limits), NOT_FOUND (no such creator, or the post or goal is not theirs),
 * INSUFFICIENT_FUNDS, CONFLICT (operation id used for another request, or the goal has ended), FORBIDDEN (spending
 * blocked, or over a limit).
 */
export async function giveTip(
  ctx: Context,
  payeeOf: PayeeOf,
  actor: Actor,
  tip: Tip,
): Promise<AnswerOf<typeof sendTip>> {
  const { creatorId, type } = tip;
  const sale: Charge = {
    kind: 'tip',
    fanId: actor.userId,
    creatorId,
    grossCents: toCents(tip.amount),
    operationId: tip.operationId,
    subjectId: subjectOf(tip),
    note: tip.note,
    tipType: type,
    at: ctx.clock.now(),
  };
  const answer = (made: Charged) => ({ ...toBalance(made), transactionId: made.transactionId });
  try {
    await requireTippable(ctx, payeeOf, actor, tip);
    const charged = await chargeNow(ctx.db, { ...sale, within: 'tip' });
    if (charged.isCreated) ctx.events.wake();
    return answer(charged);
  } catch (error) {
    // The tip may already have been charged before the reason for the refusal existed.
    const earlier = error instanceof AppError ? await findCharge(ctx.db, sale) : undefined;
    if (!earlier) throw error;
    return answer(earlier);
  }
}
