import type { PostType } from '@stagedoor/contract/content/posts.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { afterIdSql } from '../../../platform/database/pagination.ts';
import { markTimelineFilled } from '../follows/index.ts';
import { createPostsStatement, queryStoredPosts, type StoredPost } from '../posts/index.ts';

/**
 * Reads the timeline and the posts that are not in it yet: of creators merged at read time, of newly followed creators,
 * and posts whose fan-out has not finished. So the feed is complete before any job has run. Each scalar subquery is one
 * primary key lookup. With joins, the planner may read all of a fan's follows.
 */
const FEED = createPostsStatement(
  'feed-page',
  `select id from (
    (select t.post_id as id from timelines t
      where t.fan_id = $1::uuid and t.post_id < $2::uuid and ($3::text is null or t.type = $3)
        and (select true from follows f where f.fan_id = t.fan_id and f.creator_id = t.creator_id)
      order by t.post_id desc limit $4::int + $5::int)
    union
    (select q.id from follows f cross join lateral (
        select q.id from posts q where q.creator_id = f.creator_id and q.removed_at is null and q.id < $2::uuid and ($3::text is null or q.type = $3)
        order by q.id desc limit $4::int + $5::int) q
      where f.fan_id = $1::uuid and (f.is_fan_out_on_read or not f.is_timeline_filled))
    union
    (select q.id from posts q
      where not q.in_timelines and q.removed_at is null and q.id < $2::uuid and ($3::text is null or q.type = $3)
        and (select true from follows f where f.fan_id = $1::uuid and f.creator_id = q.creator_id)
      order by q.id desc limit $4::int + $5::int)
  ) merged order by id desc offset $4::int limit $5::int`,
);

export type FeedQuery = { before: string; type: PostType | null; skip: number; limit: number };

/** May contain posts that were removed moments ago. */
export function listFeedPosts(
  db: Executor,
  fanId: string,
  { before, type, skip, limit }: FeedQuery,
): Promise<StoredPost[]> {
  return queryStoredPosts(db, FEED, [fanId, before, type, skip, limit]);
}

const COPY_TO_TIMELINES: SqlStatement = {
  name: 'feed-fan-out',
  text: `with batch as (
      select fan_id from follows where creator_id = $1 and ${afterIdSql('fan_id', '$4')} order by fan_id limit $5
    ), written as (
      insert into timelines (fan_id, post_id, creator_id, type) select fan_id, $2, $1, $3 from batch on conflict do nothing
    )
    select (select fan_id from batch order by fan_id desc limit 1) as last, (select count(*) from batch) as count`,
};
const REMOVE_FROM_TIMELINES: SqlStatement = {
  name: 'feed-withdraw',
  text: `with batch as (
      select fan_id from follows where creator_id = $1 and ${afterIdSql('fan_id', '$3')} order by fan_id limit $4
    ), gone as (
      delete from timelines t using batch b where t.fan_id = b.fan_id and t.post_id = $2
    )
    select (select fan_id from batch order by fan_id desc limit 1) as last, (select count(*) from batch) as count`,
};

type FanOutBatch = { last: string | null; count: number };

/** Returns the cursor for the next batch, or null at the end. */
export async function copyToTimelines(
  db: Executor,
  post: { id: string; creatorId: string; type: PostType },
  after: string | null,
  size: number,
): Promise<string | null> {
  const [batch] = await db.run<FanOutBatch>(COPY_TO_TIMELINES, [post.creatorId, post.id, post.type, after, size]);
  return batch && batch.count === size ? batch.last : null;
}

export async function removeFromTimelines(
  db: Executor,
  post: { id: string; creatorId: string },
  after: string | null,
  size: number,
): Promise<string | null> {
  const [batch] = await db.run<FanOutBatch>(REMOVE_FROM_TIMELINES, [post.creatorId, post.id, after, size]);
  return batch && batch.count === size ? batch.last : null;
}

const LOCK_PAIR: SqlStatement = {
  name: 'feed-lock-pair',
  text: 'select pg_advisory_xact_lock(hashtextextended($1, 7))',
};
const FILL: SqlStatement = {
  name: 'feed-fill',
  text: `insert into timelines (fan_id, post_id, creator_id, type)
    select $1, p.id, p.creator_id, p.type from posts p where p.creator_id = $2 and p.removed_at is null
      and exists (select from follows f where f.fan_id = $1 and f.creator_id = $2 and not f.is_fan_out_on_read)
    order by p.id desc limit $3 on conflict do nothing`,
};
const EMPTY: SqlStatement = {
  name: 'feed-empty',
  text: `delete from timelines t where t.fan_id = $1 and t.creator_id = $2
    and not exists (select from follows f where f.fan_id = $1 and f.creator_id = $2)`,
};

/**
 * Makes a timeline match the current follow state. An advisory lock per fan and creator makes concurrent calls run one
 * after another, so that the last one sees the final state.
 */
export async function syncFollowTimeline(
  tx: DbTransaction,
  fanId: string,
  creatorId: string,
  size: number,
): Promise<void> {
  await tx.run(LOCK_PAIR, [`${fanId} ${creatorId}`]);
  await tx.run(EMPTY, [fanId, creatorId]);
  await tx.run(FILL, [fanId, creatorId, size]);
  await markTimelineFilled(tx, fanId, creatorId);
}
