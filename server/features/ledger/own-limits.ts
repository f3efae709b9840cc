/**
 * Spending limits that fans set for themselves per day, week and month (UTC), and self-exclusion. Lowering a limit
 * takes effect at once, raising it after a delay.
 */
import type { Cents } from '@stagedoor/contract/atoms/money.ts';
import type { LimitPeriod } from '@stagedoor/contract/own-limits.ts';
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import { onBreak } from './errors.ts';
import { lockWallet } from './lines.ts';
import { account } from './post.ts';

/** A raise waits 24 hours, so that the fan can reconsider a decision made at night. */
const RAISE_MS = 24 * 60 * 60_000;

export type SpendingLimit = {
  period: LimitPeriod;
  mostCents: Cents | null;
  ownCents: Cents | null;
  spentCents: Cents;
  raise: { cents: Cents | null; fromAt: Date } | null;
};

type Row = Omit<SpendingLimit, 'raise'> & { raiseCents: Cents | null; raiseAt: Date | null };

const LIMITS: Statement = {
  name: 'own-limits',
  text: `select l.period, l.most_cents as "mostCents", l.own_cents as "ownCents", l.spent_cents as "spentCents",
      r.cents as "raiseCents", r.from_at as "raiseAt"
    from ledger_limits($1, $2, $3) l left join ledger_accounts w on w.code = $4
    left join ledger_raises r on r.wallet_id = w.id and r.period = l.period and r.from_at > $3`,
};

export async function spendingLimits(
  db: Executor,
  fanId: string,
  defaultLimitCents: number,
  at: Date,
): Promise<SpendingLimit[]> {
  const rows = await db.run<Row>(LIMITS, [fanId, defaultLimitCents, at, account.wallet(fanId)]);
  return rows.map(({ raiseCents, raiseAt, ...limit }) => ({
    ...limit,
    raise: raiseAt && { cents: raiseCents, fromAt: raiseAt },
  }));
}

const RAISE_DUE: Statement = {
  name: 'own-limits-due',
  text: 'select ledger_raise_due(id, $2) from ledger_accounts where code = $1',
};
const SET: Statement = {
  name: 'own-limits-set',
  text: `update ledger_accounts set own_day_cents = case $2 when 'day' then $3::bigint else own_day_cents end,
    own_week_cents = case $2 when 'week' then $3 else own_week_cents end,
    own_month_cents = case $2 when 'month' then $3 else own_month_cents end where code = $1`,
};
const WITHDRAW: Statement = {
  name: 'own-limits-withdraw',
  text: `delete from ledger_raises r using ledger_accounts w where w.code = $1 and r.wallet_id = w.id and r.period = $2 returning r.period`,
};
/** Repeating the same request does not restart its delay. */
const RAISE: Statement = {
  name: 'own-limits-raise',
  text: `insert into ledger_raises as r (wallet_id, period, cents, from_at) select id, $2, $3, $4 from ledger_accounts where code = $1
    on conflict (wallet_id, period) do update set cents = excluded.cents, from_at = excluded.from_at
      where r.cents is distinct from excluded.cents`,
};
const OWN: Statement = {
  name: 'own-limits-own',
  text: `select case $2 when 'day' then own_day_cents when 'week' then own_week_cents else own_month_cents end as cents
    from ledger_accounts where code = $1`,
};

const heightOf = (cents: number | null) => cents ?? Number.POSITIVE_INFINITY;

/** Sets the own limit of a fan, or null for none. A lower limit takes effect at once, a higher one after 24 hours. */
export async function setOwnLimit(
  tx: Transaction,
  fanId: string,
  wish: { period: LimitPeriod; cents: number | null; at: Date },
): Promise<void> {
  const { period, cents, at } = wish;
  const code = account.wallet(fanId);
  await lockWallet(tx, fanId);
  await tx.run(RAISE_DUE, [code, at]);
  const [own] = await tx.run<{ cents: number | null }>(OWN, [code, period]);
  if (heightOf(cents) > heightOf(own?.cents ?? null)) {
    await tx.run(RAISE, [code, period, cents, new Date(at.getTime() + RAISE_MS)]);
    return;
  }
  await tx.run(WITHDRAW, [code, period]);
  await tx.run(SET, [code, period, cents]);
}

export async function withdrawRaise(tx: Transaction, fanId: string, period: LimitPeriod, at: Date): Promise<boolean> {
  const code = account.wallet(fanId);
  await lockWallet(tx, fanId);
  await tx.run(RAISE_DUE, [code, at]);
  return (await tx.run(WITHDRAW, [code, period])).length > 0;
}

const PAUSE: Statement = {
  name: 'own-limits-pause',
  text: 'update ledger_accounts set paused_until = greatest(paused_until, $2) where code = $1 returning paused_until as until',
};
const PAUSED: Statement = {
  name: 'own-limits-paused',
  text: 'select paused_until as until from ledger_accounts where code = $1 and paused_until > $2',
};

/** Starts a self-exclusion and returns its end. A longer existing one stays in force. */
export async function pauseSpending(tx: Transaction, fanId: string, until: Date): Promise<Date> {
  await lockWallet(tx, fanId);
  const [paused] = await tx.run<{ until: Date }>(PAUSE, [account.wallet(fanId), until]);
  return paused?.until ?? until;
}

export async function pausedUntil(db: Executor, fanId: string, at: Date): Promise<Date | undefined> {
  const [paused] = await db.run<{ until: Date }>(PAUSED, [account.wallet(fanId), at]);
  return paused?.until;
}

/** Throws FORBIDDEN during the self-exclusion of a fan. */
export async function requireNoPause(db: Executor, fanId: string, at: Date): Promise<void> {
  const until = await pausedUntil(db, fanId, at);
  if (until) throw onBreak(until);
}
