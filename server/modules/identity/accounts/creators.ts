/** Counters change in the transaction of what they count. */
import type { Updateable } from 'kysely';
import type { DbTransaction, Executor, SqlStatement, Tables } from '../../../platform/database/db.ts';

type ManagedColumn =
  | 'user_id'
  | 'follower_count'
  | 'post_count'
  | 'media_count'
  | 'view_count'
  | 'last_post_at'
  | 'search_text'
  | 'is_listed'
  | 'created_at';

/** Absent fields stay unchanged. */
export async function updateCreatorRow(
  db: Executor,
  creatorId: string,
  changes: Omit<Updateable<Tables['creators']>, ManagedColumn>,
): Promise<void> {
  await db.query.updateTable('creators').set(changes).where('user_id', '=', creatorId).execute();
}

const ADJUST_FOLLOWERS: SqlStatement = {
  name: 'accounts-count-followers',
  text: 'update creators set follower_count = follower_count + $2 where user_id = $1 returning follower_count',
};

/** Returns the new count of followers. The row stays locked until the transaction ends. */
export async function adjustFollowerCount(tx: DbTransaction, creatorId: string, delta: 1 | -1): Promise<number> {
  return (await tx.run<{ follower_count: number }>(ADJUST_FOLLOWERS, [creatorId, delta]))[0]?.follower_count ?? 0;
}

const ADD_POST: SqlStatement = {
  name: 'accounts-count-post',
  text: `update creators set post_count = post_count + 1, media_count = media_count + $2, last_post_at = greatest(last_post_at, $3) where user_id = $1`,
};
const REMOVE_POST: SqlStatement = {
  name: 'accounts-count-no-post',
  text: `update creators set post_count = post_count - 1, media_count = media_count - $2, last_post_at = $3 where user_id = $1`,
};

export async function addPostCount(tx: DbTransaction, creatorId: string, media: number, at: Date): Promise<void> {
  await tx.run(ADD_POST, [creatorId, media, at]);
}

/** `lastAt` is when the latest remaining post was published. */
export async function removePostCount(
  tx: DbTransaction,
  creatorId: string,
  media: number,
  lastAt: Date | null,
): Promise<void> {
  await tx.run(REMOVE_POST, [creatorId, media, lastAt]);
}

const ADJUST_MEDIA: SqlStatement = {
  name: 'accounts-count-media',
  text: 'update creators set media_count = media_count + $2 where user_id = $1 and $2 <> 0',
};

export async function adjustMediaCount(tx: DbTransaction, creatorId: string, delta: number): Promise<void> {
  await tx.run(ADJUST_MEDIA, [creatorId, delta]);
}

const ADD_VIEWS: SqlStatement = {
  name: 'accounts-count-views',
  // Rows are locked in the order of ids, so that two concurrent batches do not deadlock.
  text: `with given as (select * from unnest($1::uuid[], $2::bigint[]) as g (id, count)),
    locked as (select c.user_id from creators c join given g on g.id = c.user_id order by c.user_id for no key update of c)
    update creators c set view_count = c.view_count + g.count from given g, locked l where c.user_id = g.id and l.user_id = g.id`,
};

export async function addViewCounts(
  tx: DbTransaction,
  views: readonly { creatorId: string; count: number }[],
): Promise<void> {
  if (views.length === 0) return;
  await tx.run(ADD_VIEWS, [views.map(({ creatorId }) => creatorId), views.map(({ count }) => count)]);
}
