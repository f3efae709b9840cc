/** Posts (section C of the specification). */
import * as z from 'zod/mini';
import { postPath } from '../shared/addresses.ts';
import { event } from '../shared/event.ts';
import { instant, mediaId, postId, subscriptionTierId, transactionId, userId } from '../shared/ids.ts';
import { ALT_LENGTH, AUDIENCE_CHANGES_MAX, PINNED_POSTS, POST_LIMITS } from '../shared/limits.ts';
import { balanceFields, inputUsd, usd } from '../shared/money.ts';
import { limit, offset, pageQuery, toPageSchema } from '../shared/paging.ts';
import { RECURRENCES } from '../shared/recurrence.ts';
import { route } from '../shared/route.ts';
import { MEDIA_KINDS, postMedia } from './pictures.ts';
import { postAudience, postDetails, postDetailsBody } from './post-details.ts';

/** The types of row C1, and audio. */
export const POST_TYPES = ['picture', 'pictureSet', 'video', 'audio'] as const;
export const postType = z.enum(POST_TYPES);
export type PostType = z.infer<typeof postType>;

/** Increases when files are removed or replaced, but not when files are added. */
export const filesRevision = z.int().check(z.positive());

export const author = z.object({
  id: userId,
  username: z.string(),
  name: z.string(),
  avatarUrl: z.nullable(z.string()),
  craft: z.string(),
  city: z.string(),
  isVerified: z.boolean(),
});
export type Author = z.infer<typeof author>;

export const taggedUser = z.object({
  id: userId,
  username: z.string(),
  name: z.string(),
  avatarUrl: z.nullable(z.string()),
});
export type TaggedUser = z.infer<typeof taggedUser>;

/** The cheapest tier that opens a post, for its shortest period. A free tier has the price 0. */
export const postSubscription = z.object({
  tierId: subscriptionTierId,
  name: z.string(),
  price: usd,
  recurrence: z.enum(RECURRENCES),
});

export const post = z.object({
  id: postId,
  /** `/post/{id}` in an array (row C3). */
  postUri: z.array(z.string()),
  createdAt: instant,
  type: postType,
  /** First line of the caption, at most 120 characters. */
  title: z.string(),
  caption: z.string(),
  price: usd,
  filesRevision,
  isUnlocked: z.boolean(),
  isPurchased: z.boolean(),
  /** Open to the viewer by a subscription, and not purchased. */
  isSubscribed: z.boolean(),
  paid: z.nullable(usd),
  isLiked: z.boolean(),
  likeCount: z.number(),
  mediaCount: z.number(),
  author,
  media: z.array(postMedia),
  ...postDetails.shape,
  /** How the viewer can open it without purchasing it. Null if it is open, or no tier that opens it can be subscribed to now. */
  subscription: z.nullable(postSubscription),
  people: z.array(taggedUser),
  isPinned: z.boolean(),
});
export type Post = z.infer<typeof post>;

/** Public preview: `.gif` for video posts, `.jpg` otherwise (row C6). */
export function previewPath({ id, type }: { id: string; type: PostType }): string {
  return `${postPath(id)}.${type === 'video' ? 'gif' : 'jpg'}`;
}

export const imagePreviewPath = ({ id }: { id: string }): string => `${postPath(id)}.jpg`;

/** USD; 0 is free. The server checks the limits in force. */
export const postPrice = inputUsd;
export const caption = z
  .string()
  .check(z.trim(), z.maxLength(POST_LIMITS.captionLength, `At most ${POST_LIMITS.captionLength} characters`));
export const altText = z.string().check(z.trim(), z.maxLength(ALT_LENGTH, `At most ${ALT_LENGTH} characters`));

export const postMediaBody = z.object({ id: mediaId, alt: z._default(altText, '') });
export const taggedUserIds = z.array(userId).check(
  z.maxLength(POST_LIMITS.people, `At most ${POST_LIMITS.people} people`),
  z.refine((ids) => new Set(ids).size === ids.length, 'Each person can only be tagged once'),
);
const postBody = z.object({
  caption: z._default(caption, ''),
  price: postPrice,
  /** In display order: one or several pictures, one video, or one audio. */
  media: z
    .array(postMediaBody)
    .check(
      z.minLength(POST_LIMITS.minFiles, 'Add at least one file'),
      z.maxLength(POST_LIMITS.files, `At most ${POST_LIMITS.files} files`),
    ),
  ...postDetailsBody.shape,
  people: z._default(taggedUserIds, []),
});
export type PostBody = z.input<typeof postBody>;

const postParams = z.object({ id: postId });

export const createPost = route({
  method: 'POST',
  path: '/post',
  summary: 'Publish a post',
  auth: 'creator',
  team: ['posts'],
  activity: 'posting',
  rate: 'write',
  idempotent: true,
  body: postBody,
  response: post,
  errors: ['NOT_FOUND', 'CONFLICT', 'NOT_VERIFIED'],
});
export const updatePost = route({
  method: 'PATCH',
  path: '/post/:id',
  summary: 'Update a post. Files can’t be removed from a purchased post',
  auth: 'creator',
  team: ['posts'],
  activity: 'posting',
  rate: 'write',
  params: postParams,
  body: postBody,
  response: post,
  errors: ['NOT_FOUND', 'CONFLICT', 'NOT_VERIFIED'],
});
export const deletePost = route({
  method: 'DELETE',
  path: '/post/:id',
  summary: 'Delete a post. Buyers keep access',
  auth: 'creator',
  team: ['posts'],
  allowedInMaintenance: true,
  rate: 'write',
  params: postParams,
  response: z.object({ info: z.string() }),
  errors: ['NOT_FOUND'],
});
export const pinPost = route({
  method: 'PUT',
  path: '/post/:id/pin',
  summary: `Pin a post to the creator’s profile, or unpin it. At most ${PINNED_POSTS} posts can be pinned`,
  auth: 'creator',
  team: ['posts'],
  rate: 'write',
  params: postParams,
  /** `position` starts at 1. Posts after it move down. */
  body: z.object({
    isPinned: z.boolean(),
    position: z.optional(z.number().check(z.int(), z.gte(1), z.lte(PINNED_POSTS))),
  }),
  response: z.object({ isPinned: z.boolean() }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});
const audienceChange = z.object({ id: postId, subscribers: postAudience });
export type PostAudienceChange = z.input<typeof audienceChange>;
export const updatePostAudiences = route({
  method: 'PUT',
  path: '/creator/posts/audiences',
  summary: 'Set who can open posts by a subscription: all of them or none. Free posts are left as they are',
  auth: 'creator',
  team: ['posts'],
  activity: 'posting',
  rate: 'write',
  body: z.object({
    posts: z.array(audienceChange).check(
      z.minLength(1),
      z.maxLength(AUDIENCE_CHANGES_MAX, `At most ${AUDIENCE_CHANGES_MAX} posts`),
      z.refine(
        (posts) => new Set(posts.map(({ id }) => id)).size === posts.length,
        'Each post can only be listed once',
      ),
    ),
  }),
  /** The posts that changed, with their former values, which undo the change. */
  response: z.object({ previous: z.array(audienceChange) }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});
/** Permanent: the creator cannot tag them again. */
export const removeOwnTag = route({
  method: 'DELETE',
  path: '/post/:id/people',
  summary: 'Remove the creator’s tag from another creator’s post',
  auth: 'creator',
  allowedInMaintenance: true,
  rate: 'write',
  params: postParams,
  response: z.object({ info: z.string() }),
  errors: ['NOT_FOUND'],
});
export const getPost = route({
  method: 'GET',
  path: '/post/:id',
  summary: 'Retrieve a post as visible to the caller',
  auth: 'public',
  team: ['posts'],
  rate: 'read',
  params: postParams,
  response: post,
  errors: ['NOT_FOUND'],
});
export const listCreatorPosts = route({
  method: 'GET',
  path: '/public/posts/:creatorId',
  summary: 'List a creator’s posts, pinned first, then newest first',
  auth: 'public',
  team: ['posts'],
  rate: 'read',
  params: z.object({ creatorId: userId }),
  query: pageQuery,
  response: toPageSchema(post),
  errors: ['NOT_FOUND'],
});

export const FEED_KINDS = ['all', ...POST_TYPES] as const;
export const likeUnlikePost = route({
  method: 'POST',
  path: '/post/like-unlike/:id',
  summary: 'Like or unlike a post. Without `isLiked` the current state is toggled',
  auth: 'session',
  rate: 'write',
  params: postParams,
  body: z.optional(z.object({ isLiked: z.optional(z.boolean()) })),
  response: z.object({ isLiked: z.boolean(), likeCount: z.number() }),
  errors: ['NOT_FOUND'],
});

export const unlockPost = route({
  method: 'POST',
  path: '/post/unlock/:id',
  summary: 'Purchase a post. Purchasing it again has no effect and costs nothing',
  auth: 'customer',
  rate: 'money',
  idempotent: true,
  params: postParams,
  /** Price in USD and files that the fan saw. CONFLICT if either changed; nothing is charged. */
  body: z.optional(z.object({ price: z.optional(inputUsd), filesRevision: z.optional(filesRevision) })),
  response: z.object({ ...balanceFields, transactionId, post }),
  errors: ['NOT_FOUND', 'INSUFFICIENT_FUNDS', 'CONFLICT', 'FORBIDDEN'],
});

/** `id` is the post's id (row C5). */
export const purchasedPost = z.object({ purchasedAt: instant, price: usd, transactionId, post });
export const listPurchasedPosts = route({
  method: 'GET',
  path: '/customer/post-media-list',
  summary: 'List purchased posts, newest first',
  auth: 'customer',
  rate: 'read',
  query: z.object({ limit, offset, type: z._default(z.enum(FEED_KINDS), 'all') }),
  response: toPageSchema(purchasedPost),
});
export const hidePurchasedPost = route({
  method: 'DELETE',
  path: '/customer/post-media/:id',
  summary: 'Hide a purchased post from the list. Access is kept',
  auth: 'customer',
  rate: 'write',
  params: postParams,
  response: z.object({ success: z.boolean() }),
  errors: ['NOT_FOUND'],
});

export const restorePurchasedPost = route({
  method: 'POST',
  path: '/customer/post-media/:id',
  summary: 'Show a hidden purchased post in the list again',
  auth: 'customer',
  rate: 'write',
  params: postParams,
  response: z.object({ success: z.boolean() }),
  errors: ['NOT_FOUND'],
});

export const postedMedia = z.object({
  postId,
  title: z.string(),
  price: usd,
  isUnlocked: z.boolean(),
  isPurchased: z.boolean(),
  /** The same as for the post. */
  subscription: z.nullable(postSubscription),
  media: postMedia,
});
export type PostedMedia = z.infer<typeof postedMedia>;
export const POSTED_MEDIA_KINDS = ['all', ...MEDIA_KINDS] as const;
export const listCreatorMedia = route({
  method: 'GET',
  path: '/public/media/:creatorId',
  summary: 'List media in a creator’s posts, newest post first',
  auth: 'public',
  team: ['posts'],
  rate: 'read',
  params: z.object({ creatorId: userId }),
  query: z.object({ limit, offset, kind: z._default(z.enum(POSTED_MEDIA_KINDS), 'all') }),
  response: z.object({ data: z.array(postedMedia), limit: z.number(), nextOffset: z.optional(z.string()) }),
  errors: ['NOT_FOUND'],
});

export const continueWatchingItem = z.object({ post, mediaId, seconds: z.number(), watchedAt: instant });
export type ContinueWatchingItem = z.infer<typeof continueWatchingItem>;
export const listContinueWatching = route({
  method: 'GET',
  path: '/customer/continue-watching',
  summary: 'List partly watched posts, most recently watched first',
  auth: 'customer',
  rate: 'read',
  query: z.object({ limit, offset }),
  response: z.object({ data: z.array(continueWatchingItem), limit: z.number(), nextOffset: z.optional(z.string()) }),
});

export const ownPost = z.object({
  post,
  status: z.enum(['published', 'removed']),
  unlockCount: z.number(),
  earned: usd,
  isEditable: z.boolean(),
  /** Starts at 1; null if it is not pinned. */
  pinPosition: z.nullable(z.number()),
});
export type OwnPost = z.infer<typeof ownPost>;
export const listOwnPosts = route({
  method: 'GET',
  path: '/creator/posts',
  summary: 'List the creator’s posts with purchases and earnings, newest first',
  auth: 'creator',
  team: ['posts'],
  rate: 'read',
  query: z.object({ limit, offset, status: z._default(z.enum(['published', 'removed']), 'published') }),
  response: z.extend(toPageSchema(ownPost), { pinnedCount: z.number() }),
});

/**
 * Files can also be requested by path, `/asset/private/{tblType}/{fileKey}`, so that playlists can use relative URLs
 * (row C9).
 */
export const PRIVATE_ASSET_PATH = '/asset/private';

/** A post became public (rows C3, E10). */
export const publicPostFeed = event({
  name: 'PUBLIC_POST_FEED',
  audience: 'public',
  payload: z.object({ id: postId, postUri: z.array(z.string()), createdAt: instant, creatorId: userId }),
});
export const publicPostRemoved = event({
  name: 'PUBLIC_POST_REMOVE_FROM_FEED',
  audience: 'public',
  payload: z.object({ postId }),
});
/** Emitted to viewers of the creator: the price of a post is another one. */
export const postPriceChanged = event({
  name: 'POST_PRICE_CHANGED',
  audience: 'watching',
  payload: z.object({ postId, price: usd }),
});
/** Emitted to viewers of the creator: refetch the posts, because subscriptions open them to others than before. */
export const postAudienceChanged = event({
  name: 'POST_AUDIENCE_CHANGED',
  audience: 'watching',
  payload: z.object({ postIds: z.array(postId) }),
});
export const postUnlocked = event({
  name: 'POST_UNLOCKED',
  audience: 'user',
  payload: z.object({ postId: z.string() }),
});
