import type { Category, CreatorCard, Profile } from '@stagedoor/contract/content/profiles.ts';
import type { UserId } from '@stagedoor/contract/shared/ids.ts';
import { CATEGORIES } from '@stagedoor/contract/shared/limits.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { toAvatarUrl } from '../../identity/accounts/index.ts';
import { blockedPairSql } from '../../identity/blocks/index.ts';
import { getPresence } from '../../identity/presence/index.ts';
import { presentCover } from '../media/index.ts';
import { findPublishedAppearance } from '../themes/index.ts';
import { parseCustomLinks, parseSocialLinks } from './links.ts';

export type CreatorRow = {
  id: UserId;
  username: string;
  name: string;
  avatar_key: string | null;
  is_blocked: boolean;
  craft: string;
  city: string;
  category: string | null;
  is_verified: boolean;
  call_rate_cents: number | null;
  subscription_cents: number | null;
  has_trial: boolean;
  cover_key: string | null;
  cover_width: number | null;
  cover_height: number | null;
  cover_thumbhash: string | null;
  cover_focus_x: number;
  cover_focus_y: number;
  follower_count: number;
  post_count: number;
  is_followed: boolean;
};

export type ProfileRow = CreatorRow & {
  /** True for a blocked pair with the viewer. */
  is_blocked_pair: boolean;
  bio: string;
  links: unknown;
  custom_links: unknown;
  layout: 'classic' | 'hero';
  shape: 'box' | 'round';
  format: 'col' | 'row';
  theme: string | null;
  media_count: number;
  view_count: number;
};

const CARD_COLUMNS = `c.user_id as id, u.username, u.name, u.avatar_key, u.is_blocked, c.craft, c.city, c.category, c.is_verified,
  c.call_rate_cents, c.subscription_cents, c.has_trial, c.cover_key, c.cover_width, c.cover_height, c.cover_thumbhash,
  c.cover_focus_x, c.cover_focus_y, c.follower_count, c.post_count,
  exists (select from follows f where f.fan_id = $1::uuid and f.creator_id = c.user_id) as is_followed`;
const FROM = 'creators c join users u on u.id = c.user_id';

/**
 * `page` is a SELECT that returns `id` and `position`, their order, and may return more columns, which `extra` then names.
 * $1 is the viewer (null for a visitor). `offset 0` makes each row one lookup by key. Otherwise the planner expects
 * long pages and would read all creators.
 */
export function createCreatorsStatement(name: string, page: string, extra = ''): SqlStatement {
  return {
    name,
    text: `with page as materialized (${page}) select ${CARD_COLUMNS}${extra} from page
      cross join lateral (select * from creators where user_id = page.id offset 0) c
      cross join lateral (select * from users where id = page.id offset 0) u order by page.position`,
  };
}

const createProfileQuery = (condition: string) =>
  `select ${CARD_COLUMNS}, c.bio, c.links, c.custom_links, c.layout, c.shape, c.format, t.published::text as theme, c.media_count, c.view_count, ${blockedPairSql('$1::uuid', 'c.user_id')} as is_blocked_pair from ${FROM}
     left join creator_themes t on t.creator_id = c.user_id where ${condition}`;
export const PROFILE_BY_ID: SqlStatement = { name: 'profiles-by-id', text: createProfileQuery('c.user_id = $2::uuid') };
export const PROFILE_BY_NAME: SqlStatement = {
  name: 'profiles-by-name',
  text: createProfileQuery('u.username = $2::citext'),
};

function isCategory(text: string | null): text is Category {
  return CATEGORIES.some((category) => category === text);
}

function presentRowCover(row: CreatorRow) {
  const { cover_key: key, cover_width: width, cover_height: height, cover_thumbhash: thumbhash } = row;
  return key === null || width === null || height === null ? null : presentCover({ key, width, height, thumbhash }, '');
}

export function presentCard(ctx: Context, row: CreatorRow): CreatorCard {
  return {
    id: row.id,
    username: row.username,
    name: row.name,
    avatarUrl: toAvatarUrl(row.avatar_key),
    cover: presentRowCover(row),
    coverFocus: { x: row.cover_focus_x, y: row.cover_focus_y },
    craft: row.craft,
    city: row.city,
    category: isCategory(row.category) ? row.category : null,
    isVerified: row.is_verified,
    status: getPresence(ctx, row.id),
    callRate: row.call_rate_cents === null ? null : toUsd(row.call_rate_cents),
    subscriptionPrice: row.subscription_cents === null ? null : toUsd(row.subscription_cents),
    hasTrial: row.has_trial,
    isFollowed: row.is_followed,
    followerCount: row.follower_count,
    postCount: row.post_count,
  };
}

/** Only its owner sees the number of views. */
export function presentProfile(ctx: Context, row: ProfileRow, viewerId: string | null): Profile {
  return {
    ...presentCard(ctx, row),
    bio: row.bio,
    links: parseSocialLinks(row.links),
    customLinks: parseCustomLinks(row.custom_links),
    layout: row.layout,
    shape: row.shape,
    format: row.format,
    theme: findPublishedAppearance(row.theme),
    totalPostCount: row.post_count,
    totalFollowersCount: row.follower_count,
    totalMediaCount: row.media_count,
    ...(viewerId === row.id ? { profileViewCount: row.view_count } : {}),
  };
}
