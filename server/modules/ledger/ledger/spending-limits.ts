/**
 * Spending limits that fans set for themselves per day, week and month (UTC), and self-exclusion. Lowering a limit
 * takes effect at once, raising it after a delay.
 */

import type { LimitPeriod } from '@stagedoor/contract/commerce/limit-periods.ts';
import type { Cents } from '@stagedoor/contract/shared/money.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { createSpendingBreakError } from './errors.ts';
import { account } from './post.ts';
import { lockWallet } from './transaction-legs.ts';

/** An increase waits 24 hours, so that the fan can reconsider a decision made at night. */
const INCREASE_DELAY_MS = 24 * 60 * 60_000;

export type FanSpendingLimit = {
  period: LimitPeriod;
  maxCents: Cents | null;
  ownCents: Cents | null;
  spentCents: Cents;
  increase: { cents: Cents | null; effectiveAt: Date } | null;
};

type Row = Omit<FanSpendingLimit, 'increase'> & { increaseCents: Cents | null; increaseAt: Date | null };

const LIMITS: SqlStatement = {
  name: 'own-limits',
  text: `select l.period, l.most_cents as "maxCents", l.own_cents as "ownCents", l.spent_cents as "spentCents",
      r.cents as "increaseCents", r.effective_at as "increaseAt"
    from ledger_limits($1, $2, $3) l left join ledger_accounts w on w.code = $4
    left join ledger_limit_increases r on r.wallet_id = w.id and r.period = l.period and r.effective_at > $3`,
};

export async function listFanSpendingLimits(
  db: Executor,
  fanId: string,
  defaultLimitCents: number,
  at: Date,
): Promise<FanSpendingLimit[]> {
  const rows = await db.run<Row>(LIMITS, [fanId, defaultLimitCents, at, account.wallet(fanId)]);
  return rows.map(({ increaseCents, increaseAt, ...limit }) => ({
    ...limit,
    increase: increaseAt && { cents: increaseCents, effectiveAt: increaseAt },
  }));
}

const APPLY_INCREASES: SqlStatement = {
  name: 'own-limits-due',
  text: 'select ledger_apply_limit_increases(id, $2) from ledger_accounts where code = $1',
};
const SET_LIMIT: SqlStatement = {
  name: 'own-limits-set',
  text: `update ledger_accounts set own_day_limit_cents = case $2 when 'day' then $3::bigint else own_day_limit_cents end,
    own_week_limit_cents = case $2 when 'week' then $3 else own_week_limit_cents end,
    own_month_limit_cents = case $2 when 'month' then $3 else own_month_limit_cents end where code = $1`,
};
const DELETE_INCREASE: SqlStatement = {
  name: 'own-limits-withdraw',
  text: `delete from ledger_limit_increases r using ledger_accounts w where w.code = $1 and r.wallet_id = w.id and r.period = $2 returning r.period`,
};
/** Repeating the same request does not restart its delay. */
const UPSERT_INCREASE: SqlStatement = {
  name: 'own-limits-raise',
  text: `insert into ledger_limit_increases as r (wallet_id, period, cents, effective_at) select id, $2, $3, $4 from ledger_accounts where code = $1
    on conflict (wallet_id, period) do update set cents = excluded.cents, effective_at = excluded.effective_at
      where r.cents is distinct from excluded.cents`,
};
const FIND_LIMIT: SqlStatement = {
  name: 'own-limits-own',
  text: `select case $2 when 'day' then own_day_limit_cents when 'week' then own_week_limit_cents else own_month_limit_cents end as cents
    from ledger_accounts where code = $1`,
};

const toComparableLimit = (cents: number | null) => cents ?? Number.POSITIVE_INFINITY;

/** Sets the own limit of a fan, or null for none. A lower limit takes effect at once, a higher one after 24 hours. */
export async function setFanSpendingLimit(
  tx: DbTransaction,
  fanId: string,
  limit: { period: LimitPeriod; cents: number | null; at: Date },
): Promise<void> {
  const { period, cents, at } = limit;
  const code = account.wallet(fanId);
  await lockWallet(tx, fanId);
  await tx.run(APPLY_INCREASES, [code, at]);
  const [current] = await tx.run<{ cents: number | null }>(FIND_LIMIT, [code, period]);
  if (toComparableLimit(cents) > toComparableLimit(current?.cents ?? null)) {
    await tx.run(UPSERT_INCREASE, [code, period, cents, new Date(at.getTime() + INCREASE_DELAY_MS)]);
    return;
  }
  await tx.run(DELETE_INCREASE, [code, period]);
  await tx.run(SET_LIMIT, [code, period, cents]);
}

export async function withdrawIncrease(
  tx: DbTransaction,
  fanId: string,
  period: LimitPeriod,
  at: Date,
): Promise<boolean> {
  const code = account.wallet(fanId);
  await lockWallet(tx, fanId);
  await tx.run(APPLY_INCREASES, [code, at]);
  return (await tx.run(DELETE_INCREASE, [code, period])).length > 0;
}

const PAUSE: SqlStatement = {
  name: 'own-limits-pause',
  text: 'update ledger_accounts set paused_until = greatest(paused_until, $2) where code = $1 returning paused_until as until',
};
const PAUSED: SqlStatement = {
  name: 'own-limits-paused',
  text: 'select paused_until as until from ledger_accounts where code = $1 and paused_until > $2',
};

/** Starts a self-exclusion and returns its end. A longer existing one stays in force. */
export async function pauseSpending(tx: DbTransaction, fanId: string, until: Date): Promise<Date> {
  await lockWallet(tx, fanId);
  const [paused] = await tx.run<{ until: Date }>(PAUSE, [account.wallet(fanId), until]);
  const pausedUntil = paused?.until ?? until;
  await tx.emit('spending.paused', { fanId, until: pausedUntil.toISOString() });
  return pausedUntil;
}

export async function findPauseEnd(db: Executor, fanId: string, at: Date): Promise<Date | undefined> {
  const [paused] = await db.run<{ until: Date }>(PAUSED, [account.wallet(fanId), at]);
  return paused?.until;
}

/** Throws FORBIDDEN during the self-exclusion of a fan. */
export async function requireNotPaused(db: Executor, fanId: string, at: Date): Promise<void> {
  const until = await findPauseEnd(db, fanId, at);
  if (until) throw createSpendingBreakError(until);
}
