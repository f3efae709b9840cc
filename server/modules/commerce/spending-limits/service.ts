import type { LimitPeriod } from '@stagedoor/contract/commerce/limit-periods.ts';
import type { BreakDays, SpendingControls } from '@stagedoor/contract/commerce/spending-limits.ts';
import type { Reauthentication } from '@stagedoor/contract/identity/accounts.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { toCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import { formatMinute } from '@stagedoor/contract/shared/times.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { startAccountBreak } from '../../identity/accounts/index.ts';
import { findPauseEnd, pauseSpending, setFanSpendingLimit, withdrawIncrease } from '../../ledger/ledger/index.ts';
import { getFanSpendingLimits } from '../sales/index.ts';
import * as texts from './texts.ts';

const DAY_MS = 24 * 60 * 60_000;
const toUsdOrNull = (cents: number | null) => (cents === null ? null : toUsd(cents));

export async function presentLimits(db: Executor, fanId: string, at: Date): Promise<SpendingControls> {
  const limits = await getFanSpendingLimits(db, fanId, at);
  const until = await findPauseEnd(db, fanId, at);
  return {
    limits: limits.map(({ period, ownCents, maxCents, spentCents, increase }) => ({
      period,
      limit: toUsdOrNull(ownCents),
      max: toUsdOrNull(maxCents),
      spent: toUsd(spentCents),
      increase: increase && { limit: toUsdOrNull(increase.cents), from: increase.effectiveAt.toISOString() },
    })),
    breakUntil: until?.toISOString() ?? null,
  };
}

export function getSpendingLimits(ctx: Context, { userId }: Actor): Promise<SpendingControls> {
  return presentLimits(ctx.db, userId, ctx.clock.now());
}

/** Sets a limit in USD, or none with null. Lowering applies at once, raising after 24 hours. */
export function setSpendingLimit(
  ctx: Context,
  { userId }: Actor,
  period: LimitPeriod,
  limit: number | null,
): Promise<SpendingControls> {
  const at = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    await setFanSpendingLimit(tx, userId, { period, cents: limit === null ? null : toCents(limit), at });
    return presentLimits(tx, userId, at);
  });
}

/** Cancels an increase that does not apply yet. Throws NOT_FOUND when there is none. */
export function cancelIncrease(ctx: Context, { userId }: Actor, period: LimitPeriod): Promise<SpendingControls> {
  const at = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    if (!(await withdrawIncrease(tx, userId, period, at))) throw new AppError('NOT_FOUND');
    return presentLimits(tx, userId, at);
  });
}

const toBreakEnd = (at: Date, days: BreakDays) => new Date(at.getTime() + days * DAY_MS);

export async function requestSpendingBreak(ctx: Context, actor: Actor, days: BreakDays): Promise<SpendingControls> {
  const at = ctx.clock.now();
  const view = await ctx.db.transaction(async (tx) => {
    await pauseSpending(tx, actor.userId, toBreakEnd(at, days));
    return presentLimits(tx, actor.userId, at);
  });
  ctx.security.note({ kind: 'breakStarted', userId: actor.userId, detail: 'spending' });
  return view;
}

/** Ends all sessions including this one. Throws as reauthenticate. */
export async function requestAccountBreak(
  ctx: Context,
  actor: Actor,
  { days, ...reauthentication }: { days: BreakDays } & Reauthentication,
) {
  const until = await startAccountBreak(ctx, actor, toBreakEnd(ctx.clock.now(), days), reauthentication);
  return {
    until: until.toISOString(),
    info: formatText(texts.breakStarted, { endTime: formatMinute(until) }),
  };
}
