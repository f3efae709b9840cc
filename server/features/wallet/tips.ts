/** Tips: one look at who gets it (kept for a few seconds), then one statement that charges. */

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

/** How long a creator's standing is taken as known; as long as a session is (kernel/session.ts). */
const KEPT_MS = 5_000;
const MAX_KEPT = 10_000;

/** Whether a fan may pay somebody: who is no creator, or blocked, is nobody; apart is one of whom one blocked the other. */
type PayeeOf = (fanId: string, creatorId: string) => Promise<'payee' | 'apart' | 'nobody'>;

/** Answers whether somebody is a creator who may be paid, asking the database once in a few seconds. */
export function createPayees(ctx: Context): PayeeOf {
  const kept = new Map<string, { until: number; isApartFromSome: boolean }>();
  ctx.events.everywhere(
    'account.blocked',
    'wallet.forgetPayee',
    ({ payload }) => void kept.delete(payload.userId),
    () => kept.clear(),
  );
  // Nearly nobody is: they are spared the look.
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

/** Refuses a tip given somewhere by throwing; the room that knows that place registers it. */
export type TipGuard = (fanId: string, creatorId: string, toward: { goalId: string | undefined }) => Promise<void>;
const guardsOf = new WeakMap<Context, Map<string, TipGuard>>();

/** Lets a room above refuse tips of one type before anything is charged. */
export function guardTips(ctx: Context, type: string, guard: TipGuard): void {
  const guards = guardsOf.get(ctx) ?? new Map<string, TipGuard>();
  guards.set(type, guard);
  guardsOf.set(ctx, guards);
}

export type Tip = BodyOf<typeof sendTip> & { creatorId: string; operationId: string };

/** What a tip of that type goes to beside its creator: the post it was given on, or the goal of theirs. */
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
  // In a conversation both know each other: there it says so.
  if (payee === 'nobody' || (payee === 'apart' && type !== 'chat')) throw new AppError('NOT_FOUND');
  if (type === 'post' && postId !== undefined) {
    const isTheirs = isId(postId) && (await isPostOf(ctx, { postId, creatorId, fanId: actor.userId }));
    if (!isTheirs) throw new AppError('NOT_FOUND');
  }
  await guardsOf.get(ctx)?.get(type)?.(actor.userId, creatorId, { goalId });
}

/**
 * Tips a creator. The same operation again answers the same and charges nothing.
 * Throws VALIDATION (beyond the limits in force), NOT_FOUND (no such creator, or no such post or goal of theirs), INSUFFICIENT_FUNDS, CONFLICT (operation id used for another
 * request, or the goal is over), FORBIDDEN (spending blocked, or over the daily limit).
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
    // Given before whatever forbids it now.
    const earlier = error instanceof AppError ? await findCharge(ctx.db, sale) : undefined;
    if (!earlier) throw error;
    return answer(earlier);
  }
}
