/** Renewals that fell due while operators had stopped subscriptions. */
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { registerSwitchTurn } from '../../commerce/site-status/index.ts';
import { NEXT_CENTS } from './next-price.ts';

const START: SqlStatement = {
  name: 'renewal-pauses-start',
  text: 'insert into renewal_pauses (started_at) values ($1) on conflict do nothing',
};
const END: SqlStatement = {
  name: 'renewal-pauses-end',
  text: 'update renewal_pauses set ended_at = greatest($1, started_at), is_waived = $2 where ended_at is null',
};
/** A renewal that had failed before is tried again, whatever is decided. */
const MISSED: SqlStatement = {
  name: 'renewal-pauses-missed',
  text: `select p.started_at as since, count(s.id)::int as count, coalesce(sum(${NEXT_CENTS}), 0)::bigint as cents
    from renewal_pauses p left join subscriptions s on s.due_at <= $1 and s.payment_source = 'balance' and s.is_renewing
      and s.failed_attempts = 0 and s.paid_until >= p.started_at and (s.new_price_from > s.paid_until) is not false
    where p.ended_at is null group by p.started_at`,
};
const IS_WAIVED: SqlStatement = {
  name: 'renewal-pauses-is-waived',
  text: 'select 1 as waived from renewal_pauses where is_waived and started_at <= $1 and ended_at >= $1 limit 1',
};

export type MissedRenewals = { since: Date; count: number; cents: number };
/** What fell due since renewals were stopped, or undefined while they run. */
export async function findMissedRenewals(db: Executor, now: Date): Promise<MissedRenewals | undefined> {
  const [missed] = await db.run<MissedRenewals>(MISSED, [now]);
  return missed;
}

/**
 * Whether the period that starts then is free. Read it in the transaction that renews: renewals are allowed again by the
 * transaction that stores the decision, so that no process can charge what was waived.
 */
export async function isWaived(tx: DbTransaction, startsAt: Date): Promise<boolean> {
  return (await tx.run(IS_WAIVED, [startsAt])).length > 0;
}

export function registerRenewalPauses(ctx: Context): void {
  registerSwitchTurn(ctx, 'subscriptions', async (tx, { isDisabled, missedRenewals, at }) => {
    if (isDisabled) {
      await tx.run(START, [at]);
      return {};
    }
    const missed = await findMissedRenewals(tx, at);
    await tx.run(END, [at, missedRenewals === 'waive']);
    return { missedRenewals, missedCount: missed?.count ?? 0, missedCents: missed?.cents ?? 0 };
  });
}
