import type { Proof } from '@stagedoor/contract/accounts.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { toCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import { minuteText } from '@stagedoor/contract/atoms/times.ts';
import type { BreakDays, LimitPeriod, OwnLimits } from '@stagedoor/contract/own-limits.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import { beginAway } from '../accounts/index.ts';
import { pausedUntil, pauseSpending, setOwnLimit, withdrawRaise } from '../ledger/index.ts';
import { ownLimitsOf } from '../sales/index.ts';

const DAY_MS = 24 * 60 * 60_000;
const usdOrNull = (cents: number | null) => (cents === null ? null : toUsd(cents));

export async function present(db: Executor, fanId: string, at: Date): Promise<OwnLimits> {
  const limits = await ownLimitsOf(db, fanId, at);
  const until = await pausedUntil(db, fanId, at);
  return {
    limits: limits.map(({ period, ownCents, mostCents, spentCents, raise }) => ({
      period,
      limit: usdOrNull(ownCents),
      most: usdOrNull(mostCents),
      spent: toUsd(spentCents),
      raise: raise && { limit: usdOrNull(raise.cents), from: raise.fromAt.toISOString() },
    })),
    pausedUntil: until?.toISOString() ?? null,
  };
}

export function viewLimits(ctx: Context, { userId }: Actor): Promise<OwnLimits> {
  return present(ctx.db, userId, ctx.clock.now());
}

/** Sets a limit in USD, or none with null. Lowering applies at once, raising after 24 hours. */
export function setLimit(
  ctx: Context,
  { userId }: Actor,
  period: LimitPeriod,
  limit: number | null,
): Promise<OwnLimits> {
  const at = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    await setOwnLimit(tx, userId, { period, cents: limit === null ? null : toCents(limit), at });
    return present(tx, userId, at);
  });
}

/** Cancels a raise that does not apply yet. Throws NOT_FOUND when there is none. */
export function keepLimit(ctx: Context, { userId }: Actor, period: LimitPeriod): Promise<OwnLimits> {
  const at = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    if (!(await withdrawRaise(tx, userId, period, at))) throw new AppError('NOT_FOUND');
    return present(tx, userId, at);
  });
}

const endOf = (at: Date, days: BreakDays) => new Date(at.getTime() + days * DAY_MS);

export async function takeSpendingBreak(ctx: Context, actor: Actor, days: BreakDays): Promise<OwnLimits> {
  const at = ctx.clock.now();
  const view = await ctx.db.transaction(async (tx) => {
    await pauseSpending(tx, actor.userId, endOf(at, days));
    return present(tx, actor.userId, at);
  });
  ctx.security.note({ kind: 'breakBegun', userId: actor.userId, detail: 'spending' });
  return view;
}

/** Ends all sessions including this one. Throws as proveAgain. */
export async function takeAccountBreak(ctx: Context, actor: Actor, { days, ...proof }: { days: BreakDays } & Proof) {
  const until = await beginAway(ctx, actor, endOf(ctx.clock.now(), days), proof);
  return {
    until: until.toISOString(),
    info: `Your break has started. You can log in again after ${minuteText(until)}.`,
  };
}
