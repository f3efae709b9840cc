/** Finds what a sale paid for: its subject is the id of a period. */
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import * as texts from './texts.ts';

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
  text: `select p.id, t.name, case when p.number = 1 and s.payer_id is not null then u.username end as recipient from subscription_periods p join subscriptions s on s.id = p.subscription_id
    join subscription_tiers t on t.id = s.tier_id join users u on u.id = s.fan_id where p.id = any ($1::uuid[])`,
};
/** Returns the names of the tiers by the ids of periods, of gifts with the recipient. Ids of other items are ignored. */
export async function loadPeriodTierNames(db: Executor, ids: readonly (string | null)[]): Promise<Map<string, string>> {
  const wantedIds = [...new Set(ids.filter((id) => id !== null))];
  if (wantedIds.length === 0) return new Map();
  const rows = await db.run<{ id: string; name: string; recipient: string | null }>(TIER_NAMES, [wantedIds]);
  return new Map(
    rows.map(({ id, name, recipient }) => [
      id,
      recipient === null ? name : formatText(texts.giftFor, { tierName: name, username: recipient }),
    ]),
  );
}
