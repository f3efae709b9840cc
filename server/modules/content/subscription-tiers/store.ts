import type { Bundle } from '@stagedoor/contract/content/subscription-tiers.ts';
import type { SubscriptionTierId, UserId } from '@stagedoor/contract/shared/ids.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { joinEntitlement } from '../entitlements/index.ts';

export type TierRow = {
  id: SubscriptionTierId;
  creator_id: UserId;
  position: number | null;
  name: string;
  benefits: string[];
  weekly_cents: number | null;
  monthly_cents: number | null;
  yearly_cents: number | null;
  bundles: Bundle[];
  trial_days: number | null;
  slots: number | null;
  subscriber_count: number;
  is_open: boolean;
  welcome_message: string;
};
export const PRICE_COLUMNS = ['weekly_cents', 'monthly_cents', 'yearly_cents'] as const;
export const isFreeTier = (tier: Pick<TierRow, (typeof PRICE_COLUMNS)[number]>): boolean =>
  PRICE_COLUMNS.every((column) => tier[column] === null);
export type CountedTierRow = TierRow & { post_count: number; media_count: number };

const COLUMNS = `t.id, t.creator_id, t.position, t.name, t.benefits, t.weekly_cents, t.monthly_cents, t.yearly_cents, t.bundles,
  t.trial_days, t.slots, t.subscriber_count, t.is_open, t.welcome_message`;

/** What is free for a visitor is free for everyone. */
const VISITOR_ENTITLEMENT = joinEntitlement({
  viewer: 'null::uuid',
  owner: 'p.creator_id',
  subject: 'p.id',
  price: 'p.price_cents',
  access: "'shown'",
  container: 'p.container_id',
});
/**
 * The tiers of a creator, each with the totals of all posts, or one row without a tier. A tier opens free posts, those
 * for all subscribers, and those of its own and lower tiers.
 */
const LIST_COUNTED: SqlStatement = {
  name: 'subscription-tiers-counted',
  text: `with counts as materialized (
      select e.source = 'free' as is_free, case when e.source = 'free' then p.creator_id else p.container_id end as container_id,
        count(*) as posts, sum(p.media_count) as media
      from posts p ${VISITOR_ENTITLEMENT} where p.creator_id = $1 and p.removed_at is null group by 1, 2),
    totals as (
      select coalesce(sum(posts), 0)::int as total_post_count, coalesce(sum(media), 0)::int as total_media_count,
        coalesce(sum(posts) filter (where is_free), 0)::int as free_post_count,
        coalesce(sum(media) filter (where is_free), 0)::int as free_media_count
      from counts),
    tiers as (
      select ${COLUMNS}, coalesce(sum(c.posts), 0)::int as post_count, coalesce(sum(c.media), 0)::int as media_count
      from subscription_tiers t left join counts c on c.container_id = t.creator_id
        or c.container_id in (select l.id from subscription_tiers l where l.creator_id = $1 and l.position <= t.position)
      where t.creator_id = $1 and t.deleted_at is null group by t.id)
    select * from totals left join tiers on true order by tiers.position`,
};
const LIST: SqlStatement = {
  name: 'subscription-tiers-list',
  text: `select ${COLUMNS} from subscription_tiers t where t.creator_id = $1 and t.deleted_at is null order by t.position`,
};
const FIND: SqlStatement = {
  name: 'subscription-tiers-find',
  text: `select ${COLUMNS} from subscription_tiers t where t.id = $1 and t.deleted_at is null`,
};
const LIST_INCLUDED: SqlStatement = {
  name: 'subscription-tiers-included',
  text: `select l.id from subscription_tiers t join subscription_tiers l on l.creator_id = t.creator_id
    where t.id = $1 and (l.id = t.id or l.position <= t.position)`,
};
const LIST_ALL: SqlStatement = {
  name: 'subscription-tiers-all',
  text: 'select id from subscription_tiers where creator_id = $1',
};

/** Published posts and their media: all of a creator, and those that are free. */
export type ContentTotals = {
  total_post_count: number;
  total_media_count: number;
  free_post_count: number;
  free_media_count: number;
};
type CountedRow = ContentTotals & (CountedTierRow | { id: null });

export async function listCountedTiers(
  db: Executor,
  creatorId: string,
): Promise<{ tiers: CountedTierRow[]; totals: ContentTotals }> {
  const rows = await db.run<CountedRow>(LIST_COUNTED, [creatorId]);
  const [totals] = rows;
  if (!totals) throw new Error('the statement returns a row without tiers too');
  return { tiers: rows.filter((row) => row.id !== null), totals };
}
export function listTiers(db: Executor, creatorId: string): Promise<TierRow[]> {
  return db.run<TierRow>(LIST, [creatorId]);
}
export async function findTier(db: Executor, id: string): Promise<TierRow | undefined> {
  const [row] = await db.run<TierRow>(FIND, [id]);
  return row;
}
const FIND_CREATOR: SqlStatement = {
  name: 'subscription-tiers-find-creator',
  text: 'select creator_id from subscription_tiers where id = $1',
};
/** Also of a deleted tier. */
export async function findTierCreatorId(db: Executor, id: string): Promise<UserId | undefined> {
  const [row] = await db.run<Pick<TierRow, 'creator_id'>>(FIND_CREATOR, [id]);
  return row?.creator_id;
}
/** The lowest of the tiers above a deleted one that still exists, or null. */
export async function findSuccessorTierId(
  db: Executor,
  { creatorId, higherTierIds }: { creatorId: string; higherTierIds: readonly string[] },
): Promise<string | null> {
  const existingIds = new Set<string>((await listTiers(db, creatorId)).map(({ id }) => id));
  return higherTierIds.find((id) => existingIds.has(id)) ?? null;
}
/** The tier itself and those below it. */
export async function listIncludedTierIds(db: Executor, tierId: string): Promise<string[]> {
  return (await db.run<{ id: string }>(LIST_INCLUDED, [tierId])).map(({ id }) => id);
}
/** Also deleted ones. */
export async function listAllTierIds(db: Executor, creatorId: string): Promise<string[]> {
  return (await db.run<{ id: string }>(LIST_ALL, [creatorId])).map(({ id }) => id);
}

const LOCK_CREATOR: SqlStatement = {
  name: 'subscription-tiers-lock-creator',
  text: 'select 1 as locked from creators where user_id = $1 for no key update',
};
/** Serializes changes of one creator's tiers. */
export async function lockCreatorTiers(tx: DbTransaction, creatorId: string): Promise<TierRow[]> {
  await tx.run(LOCK_CREATOR, [creatorId]);
  return listTiers(tx, creatorId);
}

const LOCK_COUNT: SqlStatement = {
  name: 'subscription-tiers-lock-count',
  text: 'select subscriber_count from subscription_tiers where id = $1 for no key update',
};
/** No one can subscribe until the commit. */
export async function lockSubscriberCount(tx: DbTransaction, id: string): Promise<number> {
  const [row] = await tx.run<Pick<TierRow, 'subscriber_count'>>(LOCK_COUNT, [id]);
  return row?.subscriber_count ?? 0;
}

export type TierValues = Omit<TierRow, 'id' | 'creator_id' | 'position' | 'subscriber_count'>;
export async function insertTier(
  tx: DbTransaction,
  tier: TierValues & Pick<TierRow, 'id' | 'creator_id' | 'position'> & { created_at: Date },
): Promise<void> {
  await tx.query
    .insertInto('subscription_tiers')
    .values({ ...tier, bundles: JSON.stringify(tier.bundles) })
    .execute();
}
export async function updateTier(tx: DbTransaction, id: string, { bundles, ...tier }: TierValues): Promise<void> {
  await tx.query
    .updateTable('subscription_tiers')
    .set({ ...tier, bundles: JSON.stringify(bundles) })
    .where('id', '=', id)
    .execute();
}
const SET_ORDER: SqlStatement = {
  name: 'subscription-tiers-order',
  text: `update subscription_tiers t set position = o.position::smallint
    from unnest($2::uuid[]) with ordinality as o (id, position) where t.id = o.id and t.creator_id = $1`,
};
export async function setOrder(tx: DbTransaction, creatorId: string, ids: readonly string[]): Promise<void> {
  await tx.run(SET_ORDER, [creatorId, ids]);
}
export async function markDeleted(tx: DbTransaction, id: string, at: Date): Promise<void> {
  await tx.query
    .updateTable('subscription_tiers')
    .set({ deleted_at: at, position: null, is_open: false })
    .where('id', '=', id)
    .execute();
}

/** What the creator wrote, except the names. */
export async function eraseTexts(tx: DbTransaction, creatorId: string): Promise<void> {
  await tx.query
    .updateTable('subscription_tiers')
    .set({ benefits: [], welcome_message: '' })
    .where('creator_id', '=', creatorId)
    .execute();
}
