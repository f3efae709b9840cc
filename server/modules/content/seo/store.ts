import { POST_TYPES, type PostType } from '@stagedoor/contract/content/posts.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { beforeIdSql } from '../../../platform/database/pagination.ts';

export type PublicCreator = { id: string; username: string; changed_at: Date | null };
export type PublicPost = { id: string; type: PostType; changed_at: Date };

/**
 * $1 first id, $2 true to exclude that id, $3 limit, $4 first id of the next file. $1 must be a separate lower bound:
 * inside an "or" it is no index condition, and every batch would scan all earlier rows.
 */
const CREATORS: SqlStatement = {
  name: 'seo-creators',
  text: `select c.user_id as id, u.username, c.last_post_at as changed_at from creators c join users u on u.id = c.user_id
    where c.is_listed and c.user_id >= $1::uuid and (not $2::boolean or c.user_id > $1::uuid) and ${beforeIdSql('c.user_id', '$4')} order by c.user_id limit $3::int`,
};
const POSTS: SqlStatement = {
  name: 'seo-posts',
  text: `select p.id, p.type, coalesce(p.edited_at, p.created_at) as changed_at from posts p
      cross join lateral (select from creators where user_id = p.creator_id and is_listed offset 0) c
    where p.removed_at is null and p.id >= $1::uuid and (not $2::boolean or p.id > $1::uuid) and ${beforeIdSql('p.id', '$4')}
    order by p.id limit $3::int`,
};
const CREATOR_STARTS: SqlStatement = {
  name: 'seo-creator-starts',
  text: `select id from (select user_id as id, row_number() over (order by user_id) as position from creators where is_listed) c
    where (position - 1) % $1::int = 0 order by id`,
};
/** Unlisted posts are counted too. They only make a file shorter. */
const POST_STARTS: SqlStatement = {
  name: 'seo-post-starts',
  text: `select id from (select id, row_number() over (order by id) as position from posts where removed_at is null) p
    where (position - 1) % $1::int = 0 order by id`,
};

export type SitemapBatch = { from: string; isAfter: boolean; limit: number; until: string | undefined };
const toParameters = ({ from, isAfter, limit, until }: SitemapBatch) => [from, isAfter, limit, until ?? null];
export const listCreatorBatch = (db: Executor, batch: SitemapBatch) =>
  db.run<PublicCreator>(CREATORS, toParameters(batch));
export const listPostBatch = (db: Executor, batch: SitemapBatch) => db.run<PublicPost>(POSTS, toParameters(batch));
const listIds = async (rows: Promise<{ id: string }[]>) => (await rows).map(({ id }) => id);
export const listCreatorFileStarts = (db: Executor, size: number) =>
  listIds(db.run<{ id: string }>(CREATOR_STARTS, [size]));
export const listPostFileStarts = (db: Executor, size: number) => listIds(db.run<{ id: string }>(POST_STARTS, [size]));

export type FeedCreator = { id: string; username: string; name: string; bio: string; craft: string; created_at: Date };
export type FeedPost = {
  id: string;
  type: PostType;
  caption: string;
  price_cents: number;
  created_at: Date;
  edited_at: Date | null;
};

const CREATOR: SqlStatement = {
  name: 'seo-creator',
  text: `select c.user_id as id, u.username, u.name, c.bio, c.craft, u.created_at from creators c join users u on u.id = c.user_id
    where u.username = $1::citext and c.is_listed`,
};
const NEWEST: SqlStatement = {
  name: 'seo-newest-posts',
  text: `select id, type, caption, price_cents, created_at, edited_at from posts
    where creator_id = $1 and removed_at is null order by id desc limit $2::int`,
};

export async function findFeedCreator(db: Executor, username: string): Promise<FeedCreator | undefined> {
  return (await db.run<FeedCreator>(CREATOR, [username]))[0];
}
export async function listNewestPosts(db: Executor, creatorId: string, limit: number): Promise<FeedPost[]> {
  const rows = await db.run<FeedPost>(NEWEST, [creatorId, limit]);
  return rows.filter(({ type }) => POST_TYPES.includes(type));
}
