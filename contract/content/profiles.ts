/** Creators and their profiles (section B of the specification). */
import * as z from 'zod/mini';
import { profileName, viewer } from '../identity/accounts.ts';
import { presence } from '../identity/presence.ts';
import { userId } from '../shared/ids.ts';
import {
  BIO_LENGTH,
  CATEGORIES,
  CITY_LENGTH,
  CRAFT_LENGTH,
  CUSTOM_LINKS,
  SEARCH_LENGTH,
  SOCIAL_NETWORKS,
} from '../shared/limits.ts';
import { usd } from '../shared/money.ts';
import { limit, offset, toPageSchema } from '../shared/paging.ts';
import { route } from '../shared/route.ts';
import { singleLineText } from '../shared/single-line-text.ts';
import { picture } from './pictures.ts';
import { customLink, customLinkBody, socialLink, socialLinkBody } from './social-links.ts';
import { arrangement, FORMATS, LAYOUTS, SHAPES, themeAppearance } from './themes.ts';

export const category = z.enum(CATEGORIES);
export type Category = z.infer<typeof category>;

const percent = z.number().check(z.int(), z.gte(0), z.lte(100));
/** Focal point in percent. It stays visible in every crop. */
export const focus = z.object({ x: percent, y: percent });
export type FocalPoint = z.infer<typeof focus>;
export const CENTER: FocalPoint = { x: 50, y: 50 };

export const creatorCard = z.object({
  id: userId,
  username: z.string(),
  name: z.string(),
  avatarUrl: z.nullable(z.string()),
  cover: z.nullable(picture),
  coverFocus: focus,
  craft: z.string(),
  city: z.string(),
  category: z.nullable(category),
  isVerified: z.boolean(),
  status: presence,
  callRate: z.nullable(usd),
  /** The lowest price of a month of the open tiers; other periods are converted. Null without a paid tier. */
  subscriptionPrice: z.nullable(usd),
  hasTrial: z.boolean(),
  isFollowed: z.boolean(),
  followerCount: z.number(),
  postCount: z.number(),
});
export type CreatorCard = z.infer<typeof creatorCard>;

export const DISCOVER_SORTS = ['recommended', 'new', 'online', 'following'] as const;
export const SUBSCRIPTION_PRICE_FILTERS = ['5', '10', '20'] as const;
export const discoverQuery = z.object({
  search: z._default(z.string().check(z.trim(), z.maxLength(SEARCH_LENGTH)), ''),
  category: z.optional(category),
  /** Creators with a paid tier of at most this price a month, in USD. */
  price: z.optional(z.enum(SUBSCRIPTION_PRICE_FILTERS)),
  /** Creators with a free trial. */
  trial: z.optional(z.enum(['true'])),
  sort: z._default(z.enum(DISCOVER_SORTS), 'recommended'),
  /** Excludes the viewer and creators whom they follow. */
  exclude: z.optional(z.enum(['followed'])),
  limit,
  offset,
});
export const listCreators = route({
  method: 'GET',
  path: '/public/creators',
  summary: 'Search and filter creators',
  auth: 'public',
  rate: 'read',
  query: discoverQuery,
  response: toPageSchema(creatorCard),
});

export const CATEGORY_COUNT_MAX = 1_000;
export const categorySummary = z.object({
  category,
  count: z.number(),
  cover: z.nullable(z.object({ id: userId, username: z.string(), picture, focus })),
});
export type CategorySummary = z.infer<typeof categorySummary>;
export const listCategories = route({
  method: 'GET',
  path: '/public/categories',
  summary: 'List categories with the number of creators in each',
  auth: 'public',
  rate: 'read',
  response: z.object({ data: z.array(categorySummary) }),
});

/** A changed name that waits for review, or was declined. */
const nameReview = z.discriminatedUnion('state', [
  z.object({ state: z.literal('waiting'), name: z.string(), verifiedName: z.string() }),
  z.object({ state: z.literal('declined'), name: z.string(), verifiedName: z.string(), reason: z.string() }),
]);
export type NameReview = z.infer<typeof nameReview>;

export const profile = z.object({
  ...creatorCard.shape,
  bio: z.string(),
  links: z.array(socialLink),
  customLinks: z.array(customLink),
  ...arrangement.shape,
  theme: z.nullable(themeAppearance),
  totalPostCount: z.number(),
  totalFollowersCount: z.number(),
  totalMediaCount: z.number(),
  profileViewCount: z.optional(z.number()),
  nameReview: z.optional(nameReview),
});
export type Profile = z.infer<typeof profile>;

const profileParams = z.object({ id: z.string().check(z.minLength(1), z.maxLength(64)) });
export const getProfile = route({
  method: 'GET',
  path: '/public/profile/:id',
  summary: 'Retrieve a creator’s public profile by ID or username',
  auth: 'public',
  team: ['posts'],
  rate: 'read',
  params: profileParams,
  response: profile,
  errors: ['NOT_FOUND'],
});
export const getProfileFollow = route({
  method: 'GET',
  path: '/public/profile-follow/:id',
  summary: 'Retrieve whether the caller follows a creator, and the number of followers',
  auth: 'public',
  rate: 'read',
  params: profileParams,
  response: z.object({ isFollowed: z.boolean(), totalFollowersCount: z.number() }),
  errors: ['NOT_FOUND'],
});

export const profileBody = z.object({
  name: profileName,
  craft: z._default(singleLineText(CRAFT_LENGTH), ''),
  city: z._default(singleLineText(CITY_LENGTH), ''),
  bio: z._default(z.string().check(z.trim(), z.maxLength(BIO_LENGTH, `At most ${BIO_LENGTH} characters`)), ''),
  category: z.nullable(category),
  links: z._default(
    z.array(socialLinkBody).check(
      z.maxLength(SOCIAL_NETWORKS.length),
      z.refine(
        (links) => new Set(links.map(({ network }) => network)).size === links.length,
        'Add only one link per network.',
      ),
    ),
    [],
  ),
  customLinks: z._default(
    z.array(customLinkBody).check(z.maxLength(CUSTOM_LINKS.max, `At most ${CUSTOM_LINKS.max} links`)),
    [],
  ),
  coverFocus: z._default(focus, CENTER),
  layout: z._default(z.enum(LAYOUTS), 'classic'),
  shape: z._default(z.enum(SHAPES), 'box'),
  format: z._default(z.enum(FORMATS), 'row'),
});
export type ProfileBody = z.input<typeof profileBody>;
export const getOwnProfile = route({
  method: 'GET',
  path: '/creator/profile',
  summary: 'Retrieve the creator’s own profile',
  auth: 'creator',
  rate: 'read',
  response: profile,
});
export const updateOwnProfile = route({
  method: 'PUT',
  path: '/creator/profile',
  summary: 'Update the creator’s own profile',
  auth: 'creator',
  rate: 'write',
  body: profileBody,
  response: profile,
});
const pictureKind = z.object({ pictureKind: z.enum(['avatar', 'cover']) });
/**
 * Multipart: `file`, for an avatar also `cropX`, `cropY` and `cropSide`: left edge, top edge and side of the crop, as
 * fractions (0 to 1) of the width, height and shorter side of the upright picture. Default: the center, also for the
 * focal point of a cover.
 */
export const uploadProfilePicture = route({
  method: 'POST',
  path: '/creator/profile/:pictureKind',
  summary: 'Replace the creator’s avatar or cover',
  auth: 'creator',
  rate: 'upload',
  multipart: true,
  params: pictureKind,
  response: profile,
  errors: ['TOO_LARGE', 'UNSUPPORTED_TYPE'],
});
export const deleteProfilePicture = route({
  method: 'DELETE',
  path: '/creator/profile/:pictureKind',
  summary: 'Remove the creator’s avatar or cover',
  auth: 'creator',
  rate: 'write',
  params: pictureKind,
  response: profile,
});

export const FOLLOW_SORTS = ['recent', 'name'] as const;
export const FOLLOW_STATUSES = ['online', 'muted'] as const;
export const listFollowing = route({
  method: 'GET',
  path: '/customer/following-list',
  summary: 'List followed creators',
  auth: 'customer',
  rate: 'read',
  query: z.object({
    search: z._default(z.string().check(z.trim(), z.maxLength(SEARCH_LENGTH)), ''),
    sort: z._default(z.enum(FOLLOW_SORTS), 'recent'),
    /** Creators who are online, or whose conversation the fan muted. */
    status: z.optional(z.enum(FOLLOW_STATUSES)),
    limit,
    offset,
  }),
  response: toPageSchema(creatorCard),
});
export const getFollowingCounts = route({
  method: 'GET',
  path: '/customer/following-counts',
  summary: 'Count followed creators, and how many are online or muted',
  auth: 'customer',
  rate: 'read',
  response: z.object({ following: z.number(), online: z.number(), muted: z.number() }),
});

/** oEmbed (oembed.com), JSON only. */
export const OEMBED_PATH = '/oembed';
const pixels = z.coerce.number().check(z.int(), z.gte(1), z.lte(10_000));
export const getOembed = route({
  method: 'GET',
  path: OEMBED_PATH,
  summary: 'Retrieve oEmbed data for the URL of a post or profile',
  auth: 'public',
  rate: 'read',
  query: z.object({
    url: z.string().check(z.maxLength(500)),
    maxwidth: z.optional(pixels),
    maxheight: z.optional(pixels),
    format: z._default(z.enum(['json']), 'json'),
  }),
  response: z.object({
    version: z.literal('1.0'),
    /** `link` if embedding is not allowed. */
    type: z.enum(['rich', 'video', 'link']),
    provider_name: z.string(),
    provider_url: z.string(),
    title: z.string(),
    author_name: z.string(),
    author_url: z.string(),
    html: z.optional(z.string()),
    width: z.optional(z.number()),
    height: z.optional(z.number()),
    cache_age: z.number(),
    thumbnail_url: z.optional(z.string()),
    thumbnail_width: z.optional(z.number()),
    thumbnail_height: z.optional(z.number()),
  }),
  errors: ['NOT_FOUND'],
});

/** Either role's name and avatar. Multipart: `name?`, `avatar?` (file), `isAvatarRemoved?`. */
export const updateUserProfile = route({
  method: 'POST',
  path: '/customer/profile-update',
  summary: 'Update the user’s name and avatar',
  auth: 'session',
  rate: 'write',
  multipart: true,
  response: viewer,
  errors: ['TOO_LARGE', 'UNSUPPORTED_TYPE'],
});
