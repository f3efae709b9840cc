/** Finds what a sale paid for: its subject is the id of a period. */
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';

const FIND_PERIOD_OWNER: SqlStatement = {
  name: 'subscription-periods-owner',
  text: 'select subscription_id as "subscriptionId", number from subscription_periods where id = $1',
};
export async function findPeriodOwner(
  db: Executor,
  periodId: string,
): Promise<{ subscriptionId: string; number: number } | undefined> {
  const [row] = await db.run<{ subscriptionId: string; number: number }>(FIND_PERIOD_OWNER, [periodId]);
  return row;
}

const TIER_NAMES: SqlStatement = {
  name: 'subscription-periods-tier-names',
  text: `select p.id, t.name from subscription_periods p join subscriptions s on s.id = p.subscription_id
    join subscription_tiers t on t.id = s.tier_id where p.id = any ($1::uuid[])`,
};
/** Returns the names of the tiers by the ids of periods. Ids of other items are ignored. */
export async function loadPeriodTierNames(db: Executor, ids: readonly (string | null)[]): Promise<Map<string, string>> {
  const wantedIds = [...new Set(ids.filter((id) => id !== null))];
  if (wantedIds.length === 0) return new Map();
  const rows = await db.run<{ id: string; name: string }>(TIER_NAMES, [wantedIds]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
