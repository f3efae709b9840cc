import { type createTipGoal, type TipGoal, tipGoalChanged } from '@stagedoor/contract/finance/tip-goals.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import { toCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { BodyOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import { requireNotGeoBlocked } from '../../../platform/geo.ts';
import { createId } from '../../../platform/ids.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { sumTipsTowardGoal } from '../../commerce/sales/index.ts';
import { findUser, findUserState } from '../../identity/accounts/index.ts';
import { isBlockedPair } from '../../identity/blocks/index.ts';
import { emitToWatchers } from '../../identity/presence/index.ts';
import './events.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

const DAY_MS = 24 * 60 * 60_000;

const isOver = ({ closed_at, ends_at }: store.GoalRow, now: Date) =>
  closed_at !== null || (ends_at !== null && ends_at <= now);

/** The raised amount is the sum of the sales themselves. */
async function presentGoal(ctx: Context, row: store.GoalRow): Promise<TipGoal> {
  const { cents, count } = await sumTipsTowardGoal(ctx.db, row.id);
  return {
    id: row.id,
    creatorId: row.creator_id,
    title: row.title,
    target: toUsd(row.target_cents),
    raised: toUsd(cents),
    tipCount: count,
    startedAt: row.started_at.toISOString(),
    endsAt: row.ends_at?.toISOString() ?? null,
    isReached: cents >= row.target_cents,
    isOpen: !isOver(row, ctx.clock.now()),
  };
}

async function findCurrentGoal(ctx: Context, creatorId: string): Promise<TipGoal | null> {
  const row = await store.findOpenGoal(ctx.db, creatorId);
  return row ? presentGoal(ctx, row) : null;
}

/**
 * Throws NOT_FOUND if the user is not a creator, is blocked (except for themselves) or is in a blocked pair with the
 * viewer.
 */
export async function viewGoal(ctx: Context, actor: Actor | undefined, creatorId: string): Promise<TipGoal | null> {
  const creator = await findUserState(ctx.db, creatorId);
  const isOwn = actor?.userId === creatorId;
  if (creator?.type !== 'creator' || (creator.is_blocked && !isOwn)) throw new AppError('NOT_FOUND');
  if (actor && !isOwn && (await isBlockedPair(ctx.db, actor.userId, creatorId))) throw new AppError('NOT_FOUND');
  requireNotGeoBlocked(creatorId);
  return findCurrentGoal(ctx, creatorId);
}

/** Throws CONFLICT while another goal is on the profile. */
export async function startGoal(
  ctx: Context,
  actor: Actor,
  body: BodyOf<typeof createTipGoal>,
): Promise<TipGoal | null> {
  const id = createId(ctx.clock);
  const started_at = ctx.clock.now();
  const ends_at = body.days === null ? null : new Date(started_at.getTime() + body.days * DAY_MS);
  await ctx.db.transaction(async (tx) => {
    const goal = {
      id,
      creator_id: actor.userId,
      title: body.title,
      target_cents: toCents(body.target),
      started_at,
      ends_at,
    };
    if (!(await store.insertGoal(tx, goal))) throw new AppError('CONFLICT', { message: texts.activeGoalExists });
    await tx.emit('goal.changed', { creatorId: actor.userId, goalId: id });
  });
  return findCurrentGoal(ctx, actor.userId);
}

/** Throws NOT_FOUND for a goal of another creator and for one that is already off. */
export async function endGoal(ctx: Context, actor: Actor, id: string): Promise<null> {
  await ctx.db.transaction(async (tx) => {
    if (!(await store.closeGoal(tx, id, actor.userId, ctx.clock.now()))) throw new AppError('NOT_FOUND');
    await tx.emit('goal.changed', { creatorId: actor.userId, goalId: id });
  });
  return null;
}

/** Throws NOT_FOUND if it is not a goal of that creator, CONFLICT if it is over. */
export async function requireOpenGoal(ctx: Context, creatorId: string, id: string): Promise<void> {
  const row = isId(id) ? await store.findGoal(ctx.db, id) : undefined;
  if (row?.creator_id !== creatorId) throw new AppError('NOT_FOUND');
  if (isOver(row, ctx.clock.now())) throw new AppError('CONFLICT', { message: texts.goalHasEnded });
}

export async function emitGoal(ctx: Context, creatorId: string): Promise<void> {
  const creator = await findUser(ctx.db, creatorId);
  if (creator)
    emitToWatchers(ctx, creatorId, tipGoalChanged, { creatorId, goal: await findCurrentGoal(ctx, creatorId) });
}
