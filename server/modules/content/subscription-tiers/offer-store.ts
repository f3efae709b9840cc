import type { OfferAudience } from '@stagedoor/contract/content/subscription-tiers.ts';
import type { SubscriptionOfferId, SubscriptionTierId, UserId } from '@stagedoor/contract/shared/ids.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';

export type OfferRow = {
  id: SubscriptionOfferId;
  creator_id: UserId;
  tier_id: SubscriptionTierId | null;
  code: string;
  percent_off: number;
  periods: number;
  audience: OfferAudience;
  max_uses: number | null;
  use_count: number;
  ends_at: Date;
  created_at: Date;
  closed_at: Date | null;
};
export type OwnOfferRow = OfferRow & { tier_name: string | null };

const COLUMNS = `o.id, o.creator_id, o.tier_id, o.code, o.percent_off, o.periods, o.audience, o.max_uses, o.use_count, o.ends_at,
  o.created_at, o.closed_at`;
/** $2 is now. */
const IS_RUNNING = 'o.closed_at is null and o.ends_at > $2 and (o.max_uses is null or o.use_count < o.max_uses)';

const LIST: SqlStatement = {
  name: 'subscription-offers-list',
  text: `select ${COLUMNS}, t.name as tier_name from subscription_offers o left join subscription_tiers t on t.id = o.tier_id
    where o.creator_id = $1 order by (${IS_RUNNING}) desc, o.id desc limit $3`,
};
export function listOffers(db: Executor, creatorId: string, now: Date, limit: number): Promise<OwnOfferRow[]> {
  return db.run<OwnOfferRow>(LIST, [creatorId, now, limit]);
}

const COUNT_RUNNING: SqlStatement = {
  name: 'subscription-offers-count-running',
  text: `select count(*)::int as count from subscription_offers o where o.creator_id = $1 and ${IS_RUNNING}`,
};
export async function countRunningOffers(db: Executor, creatorId: string, now: Date): Promise<number> {
  const [row] = await db.run<{ count: number }>(COUNT_RUNNING, [creatorId, now]);
  return row?.count ?? 0;
}

const FIND_RUNNING: SqlStatement = {
  name: 'subscription-offers-find-running',
  text: `select ${COLUMNS} from subscription_offers o where o.creator_id = $1 and ${IS_RUNNING} and o.code = $3`,
};
export async function findRunningOffer(
  db: Executor,
  creatorId: string,
  code: string,
  now: Date,
): Promise<OfferRow | undefined> {
  const [row] = await db.run<OfferRow>(FIND_RUNNING, [creatorId, now, code]);
  return row;
}

const TAKE_USE: SqlStatement = {
  name: 'subscription-offers-take-use',
  text: `update subscription_offers o set use_count = o.use_count + 1
    where o.creator_id = $1 and ${IS_RUNNING} and o.code = $3 and (o.tier_id is null or o.tier_id = $4) returning ${COLUMNS}`,
};
/** Counts a use of an offer for a tier. Returns undefined if it is not running. Locks the offer until the commit. */
export async function takeUse(
  tx: DbTransaction,
  { creatorId, code, tierId, at }: { creatorId: string; code: string; tierId: string; at: Date },
): Promise<OfferRow | undefined> {
  const [row] = await tx.run<OfferRow>(TAKE_USE, [creatorId, at, code, tierId]);
  return row;
}

/** Returns false if the creator had an offer with this code before. */
export async function insertOffer(tx: DbTransaction, row: Omit<OfferRow, 'use_count' | 'closed_at'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx.query
    .insertInto('subscription_offers')
    .values(row)
    .onConflict((conflict) => conflict.columns(['creator_id', 'code']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

const CLOSE: SqlStatement = {
  name: 'subscription-offers-close',
  text: `update subscription_offers set closed_at = coalesce(closed_at, $3)
    where id = $2 and creator_id = $1 returning 1 as found`,
};
/** Idempotent. Returns false for an offer that is not the creator's. Waits for a fan who is using it. */
export async function closeOffer(tx: DbTransaction, creatorId: string, id: string, at: Date): Promise<boolean> {
  return (await tx.run(CLOSE, [creatorId, id, at])).length > 0;
}

/** Closes all offers of a creator or a tier. */
export async function closeOffersBy(
  tx: DbTransaction,
  owner: 'creator_id' | 'tier_id',
  ownerId: string,
  at: Date,
): Promise<void> {
  await tx.query
    .updateTable('subscription_offers')
    .set({ closed_at: at })
    .where(owner, '=', ownerId)
    .where('closed_at', 'is', null)
    .execute();
}
