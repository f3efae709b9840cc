/** Creators as people see them: discovery, profile, following (section B of the rows), and the creator's own editing of it. */
import * as z from 'zod/mini';
import { profileName } from './accounts.ts';
import { userId } from './atoms/ids.ts';
import { BIO_LENGTH, CALL_RATE_CENTS, CATEGORIES, SOCIAL_NETWORKS } from './atoms/limits.ts';
import { usd, usdBetween } from './atoms/money.ts';
import { limit, offset, pageOf } from './atoms/paging.ts';
import { route } from './atoms/route.ts';
import { picture } from './pictures.ts';

export const LAYOUTS = ['classic', 'hero'] as const;
export const SHAPES = ['box', 'round'] as const;
export const FORMATS = ['col', 'row'] as const;
export const PRESENCES = ['online', 'offline', 'busy', 'away'] as const;
export const presence = z.enum(PRESENCES);

export const category = z.enum(CATEGORIES);
export type Category = z.infer<typeof category>;

/** A creator in a list. */
export const creatorCard = z.object({
  id: userId,
  username: z.string(),
  name: z.string(),
  avatarUrl: z.nullable(z.string()),
  cover: z.nullable(picture),
  craft: z.string(),
  city: z.string(),
  category: z.nullable(category),
  isVerified: z.boolean(),
  status: presence,
  /** USD a minute; null while calls are not offered. */
  callRate: z.nullable(usd),
  isFollowed: z.boolean(),
  followerCount: z.number(),
  postCount: z.number(),
});
export type CreatorCard = z.infer<typeof creatorCard>;

export const DISCOVER_SORTS = ['recommended', 'new', 'online', 'following'] as const;
export const discoverQuery = z.object({
  search: z._default(z.string().check(z.trim(), z.maxLength(100)), ''),
  category: z.optional(category),
  sort: z._default(z.enum(DISCOVER_SORTS), 'recommended'),
  limit,
  offset,
});
export const listCreators = route({
  method: 'GET',
  path: '/public/creators',
  summary: 'Find creators by name or text, and filter them',
  auth: 'public',
  rate: 'read',
  query: discoverQuery,
  response: pageOf(creatorCard),
});

const socialLink = z.object({ network: z.enum(SOCIAL_NETWORKS), url: z.string() });

export const profile = z.object({
  ...creatorCard.shape,
  bio: z.string(),
  links: z.array(socialLink),
  layout: z.enum(LAYOUTS),
  shape: z.enum(SHAPES),
  format: z.enum(FORMATS),
  totalPostCount: z.number(),
  totalFollowersCount: z.number(),
  /** Media in public posts, for the Media tab's count. */
  totalMediaCount: z.number(),
  /** Only the owner sees it. */
  profileViewCount: z.optional(z.number()),
});
export type Profile = z.infer<typeof profile>;

/** `id` may be the id or the username. */
const whose = z.object({ id: z.string().check(z.minLength(1), z.maxLength(64)) });
export const getProfile = route({
  method: 'GET',
  path: '/public/profile/:id',
  summary: "A creator's public profile, by id or username",
  auth: 'public',
  rate: 'read',
  params: whose,
  response: profile,
  errors: ['NOT_FOUND'],
});
export const getProfileFollow = route({
  method: 'GET',
  path: '/public/profile-follow/:id',
  summary: 'Whether the viewer follows, and how many do',
  auth: 'public',
  rate: 'read',
  params: whose,
  response: z.object({ isFollowed: z.boolean(), totalFollowersCount: z.number() }),
  errors: ['NOT_FOUND'],
});

/** Row V6: http(s) or www links. */
export const URL_PATTERN = /^(?:https?:\/\/|www\.)[^\s<>"']{2,500}$/i;
const url = z
  .string()
  .check(z.trim(), z.regex(URL_PATTERN, 'Please enter a link that starts with http://, https:// or www.'));

export const profileBody = z.object({
  name: profileName,
  craft: z._default(z.string().check(z.trim(), z.maxLength(60, 'At most 60 characters')), ''),
  city: z._default(z.string().check(z.trim(), z.maxLength(60, 'At most 60 characters')), ''),
  bio: z._default(z.string().check(z.trim(), z.maxLength(BIO_LENGTH, `At most ${BIO_LENGTH} characters`)), ''),
  category: z.nullable(category),
  links: z._default(
    z.array(z.object({ network: z.enum(SOCIAL_NETWORKS), url })).check(z.maxLength(SOCIAL_NETWORKS.length)),
    [],
  ),
  layout: z._default(z.enum(LAYOUTS), 'classic'),
  shape: z._default(z.enum(SHAPES), 'box'),
  format: z._default(z.enum(FORMATS), 'row'),
  /** Not offered while null. */
  callRate: z._default(z.nullable(usdBetween(CALL_RATE_CENTS.min, CALL_RATE_CENTS.max)), null),
});
export type ProfileBody = z.input<typeof profileBody>;
export const getOwnProfile = route({
  method: 'GET',
  path: '/creator/profile',
  summary: 'Own profile, for the editor',
  auth: 'creator',
  rate: 'read',
  response: profile,
});
export const updateOwnProfile = route({
  method: 'PUT',
  path: '/creator/profile',
  summary: 'Change the own profile',
  auth: 'creator',
  rate: 'write',
  body: profileBody,
  response: profile,
});
/** Multipart: `file`. Which is `avatar` or `cover`; the answer carries the new addresses. */
export const updateOwnPicture = route({
  method: 'POST',
  path: '/creator/profile/:which',
  summary: 'Replace avatar or cover',
  auth: 'creator',
  rate: 'upload',
  multipart: true,
  params: z.object({ which: z.enum(['avatar', 'cover']) }),
  response: profile,
  errors: ['TOO_LARGE', 'UNSUPPORTED_TYPE'],
});

export const follow = route({
  method: 'POST',
  path: '/customer/follow/:id',
  summary: 'Follow or unfollow a creator',
  auth: 'customer',
  rate: 'write',
  params: z.object({ id: userId }),
  body: z.object({ isFollowed: z.boolean() }),
  response: z.object({ isFollowed: z.boolean(), totalFollowersCount: z.number() }),
  errors: ['NOT_FOUND'],
});
export const FOLLOW_SORTS = ['recent', 'name'] as const;
export const listFollowing = route({
  method: 'GET',
  path: '/customer/following-list',
  summary: 'Followed creators',
  auth: 'customer',
  rate: 'read',
  query: z.object({
    search: z._default(z.string().check(z.trim(), z.maxLength(100)), ''),
    sort: z._default(z.enum(FOLLOW_SORTS), 'recent'),
    /** Only those who are there now. */
    status: z.optional(z.enum(['online'])),
    limit,
    offset,
  }),
  response: pageOf(creatorCard),
});
export const followingCounts = route({
  method: 'GET',
  path: '/customer/following-counts',
  summary: 'How many creators are followed, and how many of them are online',
  auth: 'customer',
  rate: 'read',
  response: z.object({ following: z.number(), online: z.number() }),
});
