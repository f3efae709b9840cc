import type { PostDetails } from '@stagedoor/contract/content/post-details.ts';
import type { PostType } from '@stagedoor/contract/content/posts.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { isGeoBlocked } from '../../../platform/geo.ts';
import { addPostCount, removePostCount } from '../../identity/accounts/index.ts';
import { blockedPairSql } from '../../identity/blocks/index.ts';
import { changeContainerSql, toContainerSql } from './container-sql.ts';
import { createPostsStatement, type PostRow, queryPosts } from './hydrate.ts';

const BY_ID = createPostsStatement('posts-one', 'select $2::uuid as id');
const BY_CREATOR = createPostsStatement(
  'posts-of-creator',
  `(select id, pin_place::int as position from posts where creator_id = $2 and pin_place is not null and $6::boolean)
    union all
    (select id, 9 from posts where creator_id = $2 and removed_at is null and pin_place is null and id < $3::uuid
      order by id desc limit $4::bigint + $5::bigint)
    order by position, id desc offset $4 limit $5`,
  { extra: ', c.post_count', order: 'page.position, p.id desc' },
);

export type PostPageRange = { before: string; skip: number; limit: number };

/** The caller must check access. */
export async function findPost(db: Executor, viewerId: string | null, id: string): Promise<PostRow | undefined> {
  return (await queryPosts(db, BY_ID, [viewerId, id]))[0];
}

export function listByCreator(
  db: Executor,
  viewerId: string | null,
  creatorId: string,
  { before, skip, limit, hasPinned }: PostPageRange & { hasPinned: boolean },
): Promise<(PostRow & { post_count: number })[]> {
  return queryPosts<{ post_count: number }>(db, BY_CREATOR, [viewerId, creatorId, before, skip, limit, hasPinned]);
}

type OwnPostTotals = { unlock_count: number; earned_cents: number };
export type OwnPostRow = PostRow & OwnPostTotals;

const OWN_TOTALS = `, (select count(*) from post_purchases n where n.post_id = p.id and n.revoked_at is null) as unlock_count,
  (select coalesce(sum(n.net_cents), 0)::bigint from post_purchases n where n.post_id = p.id and n.revoked_at is null) as earned_cents`;
const createOwnPage = (condition: string) =>
  `select id from posts where creator_id = $2 and removed_at ${condition} and id < $3::uuid order by id desc offset $4 limit $5`;
const OWN = {
  published: createPostsStatement('posts-own-published', createOwnPage('is null'), { extra: OWN_TOTALS }),
  removed: createPostsStatement('posts-own-removed', createOwnPage('is not null and media_count > 0'), {
    extra: OWN_TOTALS,
  }),
};
const COUNT_REMOVED: SqlStatement = {
  name: 'posts-count-removed',
  text: 'select count(*) as count from posts where creator_id = $1 and removed_at is not null and media_count > 0',
};

export function queryOwnPosts(
  db: Executor,
  creatorId: string,
  status: keyof typeof OWN,
  page: PostPageRange,
): Promise<OwnPostRow[]> {
  return queryPosts<OwnPostTotals>(db, OWN[status], [creatorId, creatorId, page.before, page.skip, page.limit]);
}

export async function countRemoved(db: Executor, creatorId: string): Promise<number> {
  return (await db.run<{ count: number }>(COUNT_REMOVED, [creatorId]))[0]?.count ?? 0;
}

const CREATOR: SqlStatement = {
  name: 'posts-creator',
  text: `select c.post_count, u.is_blocked or ${blockedPairSql('$1::uuid', 'c.user_id')} as is_blocked
    from creators c join users u on u.id = c.user_id where c.user_id = $2`,
};

export async function findPostCreator(
  db: Executor,
  viewerId: string | null,
  id: string,
): Promise<{ post_count: number; is_blocked: boolean } | undefined> {
  const [creator] = await db.run<{ post_count: number; is_blocked: boolean }>(CREATOR, [viewerId, id]);
  return creator && { ...creator, is_blocked: creator.is_blocked || isGeoBlocked(id) };
}

export type PostInsert = {
  id: string;
  creatorId: string;
  type: PostType;
  caption: string;
  priceCents: number;
  media: readonly { id: string; alt: string }[];
  details: PostDetails;
  people: readonly string[];
  createdAt: Date;
};

const INSERT: SqlStatement = {
  name: 'posts-insert',
  text: `insert into posts (id, creator_id, type, caption, price_cents, media_count, media_metadata, created_at, details, has_people,
      in_timelines, container_id)
    values ($1, $2, $3, $4, $5, cardinality($6::uuid[]), build_post_media_metadata($6::uuid[], $7::text[]), $8, $9::jsonb, $10, false,
      ${toContainerSql('$9::jsonb', '$2::uuid')})`,
};
const INSERT_MEDIA: SqlStatement = {
  name: 'posts-insert-media',
  text: `insert into post_media (post_id, position, media_id, alt)
    select $1, ordinality - 1, id, alt from unnest($2::uuid[], $3::text[]) with ordinality as given (id, alt, ordinality)`,
};
const INSERT_TAGGED_USERS: SqlStatement = {
  name: 'posts-insert-people',
  text: `insert into post_people (post_id, user_id, position)
    select $1, id, ordinality - 1 from unnest($2::uuid[]) with ordinality as given (id, ordinality)`,
};
const LATEST: SqlStatement = {
  name: 'posts-latest',
  text: 'select max(created_at) as at from posts where creator_id = $1 and removed_at is null',
};

const IN_TIMELINES: SqlStatement = {
  name: 'posts-in-timelines',
  text: 'update posts set in_timelines = true where id = $1 and not in_timelines',
};

export async function markInTimelines(db: Executor, id: string): Promise<void> {
  await db.run(IN_TIMELINES, [id]);
}

function toMediaColumns(media: PostInsert['media']): [string[], string[]] {
  return [media.map(({ id }) => id), media.map(({ alt }) => alt)];
}

export async function insertPost(tx: DbTransaction, post: PostInsert): Promise<void> {
  const { id, creatorId, type, caption, priceCents, media, details, people, createdAt } = post;
  const hasTaggedUsers = people.length > 0;
  await tx.run(INSERT, [
    id,
    creatorId,
    type,
    caption,
    priceCents,
    ...toMediaColumns(media),
    createdAt,
    JSON.stringify(details),
    hasTaggedUsers,
  ]);
  await tx.run(INSERT_MEDIA, [id, ...toMediaColumns(media)]);
  if (hasTaggedUsers) await tx.run(INSERT_TAGGED_USERS, [id, people]);
  await addPostCount(tx, creatorId, media.length, createdAt);
}

const UPDATE: SqlStatement = {
  name: 'posts-update',
  text: `update posts set caption = $2, price_cents = $3, edited_at = $4, media_metadata = build_post_media_metadata($5::uuid[], $6::text[]),
    media_count = cardinality($5::uuid[]), details = $7::jsonb, has_people = $8, type = $9,
    files_revision = files_revision + $10::boolean::int, container_id = ${changeContainerSql('$7::jsonb')} where id = $1`,
};
const LOCK: SqlStatement = { name: 'posts-lock', text: 'select 1 from posts where id = $1 for no key update' };

export async function lockPost(tx: DbTransaction, id: string): Promise<void> {
  await tx.run(LOCK, [id]);
}

const LOCK_CREATOR: SqlStatement = {
  name: 'posts-lock-creator',
  text: 'select 1 from creators where user_id = $1 for no key update',
};

/** Publishing, pinning and removing wait for this lock. */
export async function lockCreator(tx: DbTransaction, creatorId: string): Promise<void> {
  await tx.run(LOCK_CREATOR, [creatorId]);
}

export async function listPinnedIds(db: Executor, creatorId: string): Promise<string[]> {
  const rows = await db.query
    .selectFrom('posts')
    .select('id')
    .where('creator_id', '=', creatorId)
    .where('pin_place', 'is not', null)
    .orderBy('pin_place')
    .execute();
  return rows.map(({ id }) => id);
}

const PIN: SqlStatement = {
  name: 'posts-pin',
  text: `update posts set pin_place = position from unnest($1::uuid[]) with ordinality as given (id, position) where posts.id = given.id`,
};

/** The caller must hold the lock on the creator's row. */
export async function setPinned(tx: DbTransaction, creatorId: string, postIds: readonly string[]): Promise<void> {
  await tx.query
    .updateTable('posts')
    .set({ pin_place: null })
    .where('creator_id', '=', creatorId)
    .where('pin_place', 'is not', null)
    .execute();
  if (postIds.length > 0) await tx.run(PIN, [postIds]);
}

export async function updatePost(
  tx: DbTransaction,
  id: string,
  changes: Pick<PostInsert, 'type' | 'caption' | 'priceCents' | 'media' | 'details' | 'people'> & {
    hasRemovedMedia: boolean;
    at: Date;
  },
): Promise<void> {
  const { type, caption, priceCents, media, details, people, hasRemovedMedia, at } = changes;
  const columns = toMediaColumns(media);
  const otherValues = [JSON.stringify(details), people.length > 0, type, hasRemovedMedia];
  await tx.run(UPDATE, [id, caption, priceCents, at, ...columns, ...otherValues]);
  await tx.query.deleteFrom('post_media').where('post_id', '=', id).execute();
  await tx.run(INSERT_MEDIA, [id, ...columns]);
  await tx.query.deleteFrom('post_people').where('post_id', '=', id).where('left_at', 'is', null).execute();
  if (people.length > 0) await tx.run(INSERT_TAGGED_USERS, [id, people]);
}

/** The caller must hold the lock on the creator's row. */
export async function removePost(
  tx: DbTransaction,
  post: { id: string; creator_id: string; media_count: number },
  at: Date,
): Promise<void> {
  await tx.query.updateTable('posts').set({ removed_at: at, pin_place: null }).where('id', '=', post.id).execute();
  const [latest] = await tx.run<{ at: Date | null }>(LATEST, [post.creator_id]);
  await removePostCount(tx, post.creator_id, post.media_count, latest?.at ?? null);
}

const HIDE: SqlStatement = {
  name: 'posts-hide',
  text: `update posts set hidden_at = coalesce(hidden_at, $2), is_taken_down = is_taken_down or removed_at is null where id = $1`,
};
const UNHIDE: SqlStatement = {
  name: 'posts-unhide',
  text: `update posts set hidden_at = null, is_taken_down = false where id = $1 and hidden_at is not null
    returning old.is_taken_down and old.deleted_at is null as was_shown`,
};

/** An earlier time is not overwritten. */
export async function hide(tx: DbTransaction, id: string, at: Date): Promise<void> {
  await tx.run(HIDE, [id, at]);
}

/** Returns true if the post was published until it was hidden, and its creator has not deleted it since. */
export async function unhide(tx: DbTransaction, id: string): Promise<boolean> {
  return (await tx.run<{ was_shown: boolean }>(UNHIDE, [id]))[0]?.was_shown ?? false;
}

/** A hidden post that its creator deletes is not published again. */
export async function markDeleted(tx: DbTransaction, id: string, at: Date): Promise<void> {
  await tx.query
    .updateTable('posts')
    .set({ deleted_at: at })
    .where('id', '=', id)
    .where('hidden_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .execute();
}

/** The post still has to be copied into timelines. */
export async function restorePost(tx: DbTransaction, id: string): Promise<void> {
  await tx.query.updateTable('posts').set({ removed_at: null, in_timelines: false }).where('id', '=', id).execute();
}

const IS_SOLD: SqlStatement = {
  name: 'posts-is-sold',
  text: 'select exists (select from post_purchases where post_id = $1 and revoked_at is null) as is_sold',
};

export async function isSold(db: Executor, id: string): Promise<boolean> {
  return (await db.run<{ is_sold: boolean }>(IS_SOLD, [id]))[0]?.is_sold ?? false;
}

const DETACH_UNSOLD: SqlStatement = {
  name: 'posts-empty-unsold',
  text: `with given as (
      delete from post_media pm using posts p where p.id = $1 and pm.post_id = p.id and p.removed_at is not null and p.hidden_at is null
        and not exists (select from post_purchases x where x.post_id = p.id and x.revoked_at is null)
      returning pm.media_id),
    emptied as (update posts set media_count = 0, media_metadata = '[]' where id = $1 and exists (select from given))
    select media_id from given`,
};

export async function detachUnsoldMedia(tx: DbTransaction, id: string): Promise<string[]> {
  return (await tx.run<{ media_id: string }>(DETACH_UNSOLD, [id])).map(({ media_id }) => media_id);
}

const LIKE: SqlStatement = { name: 'posts-like', text: 'select is_liked, like_count from post_like($1, $2, $3)' };

/** Toggles if `shouldLike` is null. Returns the new state. */
export async function like(
  db: Executor,
  postId: string,
  userId: string,
  shouldLike: boolean | null,
): Promise<{ is_liked: boolean; like_count: number }> {
  const [row] = await db.run<{ is_liked: boolean; like_count: number }>(LIKE, [postId, userId, shouldLike]);
  if (!row) throw new Error('post_like answered nothing');
  return row;
}
