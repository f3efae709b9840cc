import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { findTier } from './store.ts';

const TAKE_SLOT: SqlStatement = {
  name: 'subscription-tiers-take-slot',
  text: `update subscription_tiers set subscriber_count = subscriber_count + 1
    where id = $1 and deleted_at is null and is_open and (slots is null or subscriber_count < slots) returning 1 as taken`,
};
const RELEASE_SLOT: SqlStatement = {
  name: 'subscription-tiers-release-slot',
  text: 'update subscription_tiers set subscriber_count = subscriber_count - 1 where id = $1',
};
const LOCK: SqlStatement = {
  name: 'subscription-tiers-lock',
  text: 'select 1 as locked from subscription_tiers where id = any($1::uuid[]) order by id for no key update',
};
/**
 * Locks tiers before their terms are read, so that the terms cannot change until the commit. All callers lock in the order
 * of ids, because two fans who change between the same tiers would otherwise cause a deadlock.
 */
export async function lockTiers(tx: DbTransaction, ids: readonly string[]): Promise<void> {
  await tx.run(LOCK, [ids]);
}
/** Locks a tier so that it is not deleted before the commit. Returns false for deleted tiers and those of other creators. */
export async function lockOwnTier(tx: DbTransaction, creatorId: string, id: string): Promise<boolean> {
  await lockTiers(tx, [id]);
  return (await findTier(tx, id))?.creator_id === creatorId;
}
/** Counts a new subscriber. Returns false if the tier is closed, full or deleted. Locks the tier until the commit. */
export async function takeSlot(tx: DbTransaction, tierId: string): Promise<boolean> {
  return (await tx.run(TAKE_SLOT, [tierId])).length > 0;
}
const HAS_SLOT: SqlStatement = {
  name: 'subscription-tiers-has-slot',
  text: `select 1 as found from subscription_tiers
    where id = $1 and deleted_at is null and is_open and (slots is null or subscriber_count < slots)`,
};
/** Whether {@link takeSlot} would succeed now. */
export async function hasSlot(db: Executor, tierId: string): Promise<boolean> {
  return (await db.run(HAS_SLOT, [tierId])).length > 0;
}

export async function releaseSlot(tx: DbTransaction, tierId: string): Promise<void> {
  await tx.run(RELEASE_SLOT, [tierId]);
}
