import type { DbTransaction, SqlStatement } from '../../../platform/database/db.ts';

const TAKE_SLOT: SqlStatement = {
  name: 'subscription-tiers-take-slot',
  text: `update subscription_tiers set subscriber_count = subscriber_count + 1
    where id = $1 and deleted_at is null and is_open and (slots is null or subscriber_count < slots) returning 1 as taken`,
};
const RELEASE_SLOT: SqlStatement = {
  name: 'subscription-tiers-release-slot',
  text: 'update subscription_tiers set subscriber_count = subscriber_count - 1 where id = $1',
};
/** Counts a new subscriber. Returns false if the tier is closed, full or deleted. Locks the tier until the commit. */
export async function takeSlot(tx: DbTransaction, tierId: string): Promise<boolean> {
  return (await tx.run(TAKE_SLOT, [tierId])).length > 0;
}
export async function releaseSlot(tx: DbTransaction, tierId: string): Promise<void> {
  await tx.run(RELEASE_SLOT, [tierId]);
}
