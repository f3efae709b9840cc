/** One statement returns everything that a page of posts shows, however the page was selected. */

import { type PostDetails, parsePostDetails } from '@stagedoor/contract/content/post-details.ts';
import type { PostType } from '@stagedoor/contract/content/posts.ts';
import type { PostId, UserId } from '@stagedoor/contract/shared/ids.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { isGeoBlocked, listGeoBlockedIds } from '../../../platform/geo.ts';
import { blockedPairSql } from '../../identity/blocks/index.ts';
import { type Entitlement, joinEntitlement } from '../entitlements/index.ts';
import type { MediaMetadata } from '../media/index.ts';
import { type OpeningTier, openingTierSql } from '../subscription-tiers/index.ts';

export type PostMediaMetadata = MediaMetadata & { alt: string };

export type TaggedUserRow = { id: UserId; username: string; name: string; avatar_key: string | null };

export type PostRow = {
  id: PostId;
  creator_id: UserId;
  type: PostType;
  caption: string;
  price_cents: number;
  files_revision: number;
  media_count: number;
  like_count: number;
  created_at: Date;
  removed_at: Date | null;
  username: string;
  name: string;
  avatar_key: string | null;
  /** True if the creator is blocked or in a blocked pair with the viewer. Then only buyers see the post. */
  is_blocked: boolean;
  craft: string;
  city: string;
  is_verified: boolean;
  is_liked: boolean;
  /** The right that opens its media, or null if they are locked. */
  entitlement: Entitlement;
  /** The price that the viewer paid, or null without a purchase or after a refund. */
  bought_cents: number | null;
  media: PostMediaMetadata[];
  details: PostDetails;
  /** What the viewer can subscribe to in order to open it. Null if it is open. */
  opening_tier: OpeningTier | null;
  people: TaggedUserRow[];
  pin_place: number | null;
};

/**
 * A post is withdrawn if it is removed, or if its creator is blocked or in a blocked pair with the viewer
 * (`pair.is_blocked_pair`). The blocked pair is looked up once per row, because each subquery takes as long to prepare
 * as reading a row.
 */
export const joinAccess = (viewer: string): string =>
  `cross join lateral (select ${blockedPairSql(viewer, 'p.creator_id')} as is_blocked_pair offset 0) pair ${joinEntitlement(
    {
      viewer,
      owner: 'p.creator_id',
      subject: 'p.id',
      price: 'p.price_cents',
      access: `case when p.removed_at is null and not u.is_blocked and not pair.is_blocked_pair then 'shown' else 'withdrawn' end`,
      container: 'p.container_id',
    },
  )}`;

const BOUGHT_CENTS =
  '(select b.price_cents from post_purchases b where b.fan_id = $1::uuid and b.post_id = p.id and b.revoked_at is null)';
const TAGGED_USERS = `(select json_agg(json_build_object('id', w.id, 'username', w.username, 'name', w.name, 'avatar_key', w.avatar_key)
    order by pp.position)::text
  from post_people pp join users w on w.id = pp.user_id where pp.post_id = p.id and pp.left_at is null and not w.is_blocked
    and not ${blockedPairSql('$1::uuid', 'w.id')})`;

/**
 * `page` is a SELECT that returns `id` and may return more columns, which `extra` then names. Its parameters start at
 * $2, because $1 is the viewer (null for a visitor).
 */
export function createPostsStatement(
  name: string,
  page: string,
  { extra = '', order = 'p.id desc' } = {},
): SqlStatement {
  return {
    name,
    text: `with page as (${page})
select p.id, p.creator_id, p.type, p.caption, p.price_cents, p.files_revision, p.media_count, p.like_count, p.created_at, p.removed_at,
  u.username, u.name, u.avatar_key, u.is_blocked or pair.is_blocked_pair as is_blocked, c.craft, c.city, c.is_verified,
  exists (select from post_likes l where l.post_id = p.id and l.user_id = $1::uuid) as is_liked,
  e.source as entitlement,
  ${BOUGHT_CENTS} as bought_cents,
  p.details::text as details_json, case when e.source is null then ${openingTierSql('p.creator_id', 'p.container_id')} end as opening_tier_json, p.pin_place, case when p.has_people then ${TAGGED_USERS} end as people_json, p.media_metadata${extra}
from page join posts p on p.id = page.id join users u on u.id = p.creator_id join creators c on c.user_id = p.creator_id ${joinAccess('$1::uuid')}
order by ${order}`,
  };
}

export type StoredPost = Omit<PostRow, 'media' | 'details' | 'opening_tier' | 'people'> & {
  media_metadata: string;
  details_json: string;
  opening_tier_json: string | null;
  people_json: string | null;
};

function parseMedia(stored: StoredPost): PostMediaMetadata[] {
  return JSON.parse(stored.media_metadata);
}

function parseDetails(stored: StoredPost): PostDetails {
  return parsePostDetails(JSON.parse(stored.details_json));
}

export function parseOpeningTier({
  opening_tier_json: stored,
}: Pick<StoredPost, 'opening_tier_json'>): OpeningTier | null {
  return stored === null ? null : JSON.parse(stored);
}

function parseTaggedUsers(stored: StoredPost): TaggedUserRow[] {
  return stored.people_json === null ? [] : JSON.parse(stored.people_json);
}

export function hydratePost<Row extends StoredPost>(stored: Row): Row & PostRow {
  return {
    ...stored,
    media: parseMedia(stored),
    details: parseDetails(stored),
    opening_tier: parseOpeningTier(stored),
    people: parseTaggedUsers(stored),
  };
}

/** Only bought posts are open if their creator is hidden in the caller's region. */
function applyGeoBlocks<Row extends StoredPost>(row: Row): Row {
  const isHidden = isGeoBlocked(row.creator_id);
  const people_json = row.people_json && JSON.stringify(parseTaggedUsers(row).filter((user) => !isGeoBlocked(user.id)));
  if (!isHidden) return { ...row, people_json };
  const isBought = row.entitlement === 'purchase' || row.bought_cents !== null;
  return { ...row, people_json, is_blocked: true, entitlement: isBought ? 'purchase' : null };
}

export async function queryStoredPosts<Extra extends object = object>(
  db: Executor,
  statement: SqlStatement,
  values: readonly unknown[],
): Promise<(StoredPost & Extra)[]> {
  const rows = await db.run<StoredPost & Extra>(statement, values);
  return listGeoBlockedIds().length > 0 ? rows.map(applyGeoBlocks) : rows;
}

export async function queryPosts<Extra extends object = object>(
  db: Executor,
  statement: SqlStatement,
  values: readonly unknown[],
): Promise<(PostRow & Extra)[]> {
  return (await queryStoredPosts<Extra>(db, statement, values)).map(hydratePost);
}
