/** Posts and their pictures: publishing, reading, liking, unlocking, the feed (section C of the rows). */
import * as z from 'zod/mini';
import { postPath } from './addresses.ts';
import { event } from './atoms/event.ts';
import { instant, mediaId, postId, transactionId, userId } from './atoms/ids.ts';
import { ALT_LENGTH, PINNED_POSTS, POST_LIMITS } from './atoms/limits.ts';
import { askedUsd, balance, usd } from './atoms/money.ts';
import { limit, offset, pageOf, pageQuery } from './atoms/paging.ts';
import { route } from './atoms/route.ts';
import { tags } from './atoms/tags.ts';
import { MEDIA_KINDS, postMedia } from './pictures.ts';

/** Row C1's types, and audio. */
export const POST_TYPES = ['picture', 'pictureSet', 'video', 'audio'] as const;
export const postType = z.enum(POST_TYPES);
export type PostType = z.infer<typeof postType>;

/** Rises when files are taken out of a post or exchanged; those that are added leave it. */
export const filesRevision = z.int().check(z.positive());

/** Who made a post, as shown beside it. */
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

/** Who is in a post, as shown on it: a creator. */
export const person = z.object({
  id: userId,
  username: z.string(),
  name: z.string(),
  avatarUrl: z.nullable(z.string()),
});
export type Person = z.infer<typeof person>;

export const post = z.object({
  id: postId,
  /** `/post/{id}`, in the array that row C3 tests for. */
  postUri: z.array(z.string()),
  createdAt: instant,
  type: postType,
  /** The first line of the caption, at most 120 characters: a card's name. */
  title: z.string(),
  caption: z.string(),
  /** USD; 0 is free. */
  price: usd,
  filesRevision,
  isUnlocked: z.boolean(),
  isPurchased: z.boolean(),
  /** USD that the viewer paid for it; null where they did not buy it. */
  paid: z.nullable(usd),
  isLiked: z.boolean(),
  likeCount: z.number(),
  mediaCount: z.number(),
  author,
  media: z.array(postMedia),
  /** Without the `#`. */
  tags: z.array(z.string()),
  people: z.array(person),
  /** Shown first on its creator's profile. */
  isPinned: z.boolean(),
});
export type Post = z.infer<typeof post>;

/** Row C6: the picture of a link to a post, for everybody: its path plus `.gif` for video posts, `.jpg` otherwise. */
export function previewPath({ id, type }: { id: string; type: PostType }): string {
  return `${postPath(id)}.${type === 'video' ? 'gif' : 'jpg'}`;
}

/** Where such a picture holds still, for videos as well. */
export const stillPath = ({ id }: { id: string }): string => `${postPath(id)}.jpg`;

/** A price in USD: 0 is free; the server holds it to the limits in force. */
export const postPrice = askedUsd;
export const caption = z
  .string()
  .check(z.trim(), z.maxLength(POST_LIMITS.captionLength, `At most ${POST_LIMITS.captionLength} characters`));
export const altText = z.string().check(z.trim(), z.maxLength(ALT_LENGTH, `At most ${ALT_LENGTH} characters`));

/** A medium of a post that is being written. */
export const givenMedia = z.object({ id: mediaId, alt: z._default(altText, '') });
/** The creators in it, by id. */
export const givenPeople = z.array(userId).check(
  z.maxLength(POST_LIMITS.people, `At most ${POST_LIMITS.people} people`),
  z.refine((ids) => new Set(ids).size === ids.length, 'Everybody is in it once'),
);
const postBody = z.object({
  caption: z._default(caption, ''),
  price: postPrice,
  /** In the order shown: one is a `picture`, several a `pictureSet`; or one video, or one audio. */
  media: z
    .array(givenMedia)
    .check(
      z.minLength(POST_LIMITS.minFiles, 'Please add at least one file'),
      z.maxLength(POST_LIMITS.files, `At most ${POST_LIMITS.files} files`),
    ),
  tags: z._default(tags, []),
  people: z._default(givenPeople, []),
});
export type PostBody = z.input<typeof postBody>;

const onPost = z.object({ id: postId });

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
  summary:
    'Change an own post: words, price, tags, people, files and their order; of what was bought no file is taken away',
  auth: 'creator',
  team: ['posts'],
  activity: 'posting',
  rate: 'write',
  params: onPost,
  body: postBody,
  response: post,
  errors: ['NOT_FOUND', 'CONFLICT', 'NOT_VERIFIED'],
});
export const deletePost = route({
  method: 'DELETE',
  path: '/post/:id',
  summary: 'Remove an own post; those who bought it keep it, and unsold its files go back to the library',
  auth: 'creator',
  team: ['posts'],
  goesOn: true,
  rate: 'write',
  params: onPost,
  response: z.object({ info: z.string() }),
  errors: ['NOT_FOUND'],
});
export const pinPost = route({
  method: 'PUT',
  path: '/post/:id/pin',
  summary: `Show an own post first on the profile, one of up to ${PINNED_POSTS}; or no more`,
  auth: 'creator',
  team: ['posts'],
  rate: 'write',
  params: onPost,
  /** `place` is counted from 1, the first; the others come after it. */
  body: z.object({
    isPinned: z.boolean(),
    place: z.optional(z.number().check(z.int(), z.gte(1), z.lte(PINNED_POSTS))),
  }),
  response: z.object({ isPinned: z.boolean() }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});
/** For good: the post's creator cannot put them back. */
export const leavePost = route({
  method: 'DELETE',
  path: '/post/:id/people',
  summary: "Take oneself out of somebody's post",
  auth: 'creator',
  goesOn: true,
  rate: 'write',
  params: onPost,
  response: z.object({ info: z.string() }),
  errors: ['NOT_FOUND'],
});
export const getPost = route({
  method: 'GET',
  path: '/post/:id',
  summary: 'One post, as the viewer may see it',
  auth: 'public',
  team: ['posts'],
  rate: 'read',
  params: onPost,
  response: post,
  errors: ['NOT_FOUND'],
});
export const listCreatorPosts = route({
  method: 'GET',
  path: '/public/posts/:creatorId',
  summary: "A creator's posts: the pinned ones, then newest first",
  auth: 'public',
  team: ['posts'],
  rate: 'read',
  params: z.object({ creatorId: userId }),
  query: pageQuery,
  response: pageOf(post),
  errors: ['NOT_FOUND'],
});

export const FEED_KINDS = ['all', ...POST_TYPES] as const;
export const likeUnlike = route({
  method: 'POST',
  path: '/post/like-unlike/:id',
  summary: 'Like or unlike; without `isLiked` the present state is turned',
  auth: 'session',
  rate: 'write',
  params: onPost,
  body: z.optional(z.object({ isLiked: z.optional(z.boolean()) })),
  response: z.object({ isLiked: z.boolean(), likeCount: z.number() }),
  errors: ['NOT_FOUND'],
});

export const unlockPost = route({
  method: 'POST',
  path: '/post/unlock/:id',
  summary: 'Buy a post; buying again what is owned changes nothing and costs nothing',
  auth: 'customer',
  rate: 'money',
  idempotent: true,
  params: onPost,
  /** The price the fan saw, in USD, and the files: if either has changed meanwhile, CONFLICT and nothing is charged. */
  body: z.optional(z.object({ price: z.optional(askedUsd), filesRevision: z.optional(filesRevision) })),
  response: z.object({ ...balance, transactionId, post }),
  errors: ['NOT_FOUND', 'INSUFFICIENT_FUNDS', 'CONFLICT', 'FORBIDDEN'],
});

/** Row C5: what the fan bought. `id` is the post's. */
export const purchasedPost = z.object({ purchasedAt: instant, price: usd, transactionId, post });
export const listPurchasedPosts = route({
  method: 'GET',
  path: '/customer/post-media-list',
  summary: 'Bought posts, newest first',
  auth: 'customer',
  rate: 'read',
  query: z.object({ limit, offset, type: z._default(z.enum(FEED_KINDS), 'all') }),
  response: pageOf(purchasedPost),
});
export const hidePurchasedPost = route({
  method: 'DELETE',
  path: '/customer/post-media/:id',
  summary: 'Hide a bought post from the list; the purchase stands',
  auth: 'customer',
  rate: 'write',
  params: onPost,
  response: z.object({ success: z.boolean() }),
  errors: ['NOT_FOUND'],
});

export const restorePurchasedPost = route({
  method: 'POST',
  path: '/customer/post-media/:id',
  summary: 'Show a hidden bought post in the list again',
  auth: 'customer',
  rate: 'write',
  params: onPost,
  response: z.object({ success: z.boolean() }),
  errors: ['NOT_FOUND'],
});

/** One thing that hangs in a creator's posts, for the profile's Media tab. */
export const postedMedia = z.object({
  postId,
  title: z.string(),
  /** USD of the post; 0 is free. */
  price: usd,
  isUnlocked: z.boolean(),
  isPurchased: z.boolean(),
  media: postMedia,
});
export type PostedMedia = z.infer<typeof postedMedia>;
export const POSTED_KINDS = ['all', ...MEDIA_KINDS] as const;
export const listCreatorMedia = route({
  method: 'GET',
  path: '/public/media/:creatorId',
  summary: "Everything in a creator's posts, one by one: the newest post's first, each in its post's order",
  auth: 'public',
  team: ['posts'],
  rate: 'read',
  params: z.object({ creatorId: userId }),
  query: z.object({ limit, offset, kind: z._default(z.enum(POSTED_KINDS), 'all') }),
  response: z.object({ data: z.array(postedMedia), limit: z.number(), nextOffset: z.optional(z.string()) }),
  errors: ['NOT_FOUND'],
});

/** A post whose film or recording the fan left before its end; `seconds` is where. */
export const continued = z.object({ post, mediaId, seconds: z.number(), watchedAt: instant });
export type Continued = z.infer<typeof continued>;
/** Of the latest 200 places kept. */
export const listContinueWatching = route({
  method: 'GET',
  path: '/customer/continue-watching',
  summary: 'Posts that were begun and not watched to their end, the latest first',
  auth: 'customer',
  rate: 'read',
  query: z.object({ limit, offset }),
  response: z.object({ data: z.array(continued), limit: z.number(), nextOffset: z.optional(z.string()) }),
});

/** The creator's own view of a post, with its numbers. */
export const ownPost = z.object({
  post,
  status: z.enum(['published', 'removed']),
  unlockCount: z.number(),
  /** USD after the platform's fee. */
  earned: usd,
  isEditable: z.boolean(),
  /** Of the pinned ones which, from 1; null where it is not pinned. */
  pinPlace: z.nullable(z.number()),
});
export type OwnPost = z.infer<typeof ownPost>;
export const listOwnPosts = route({
  method: 'GET',
  path: '/creator/posts',
  summary: 'Own posts with their numbers, newest first',
  auth: 'creator',
  team: ['posts'],
  rate: 'read',
  query: z.object({ limit, offset, status: z._default(z.enum(['published', 'removed']), 'published') }),
  response: pageOf(ownPost),
});

/** Row C9, see `privateAsset`; also by path, `/asset/private/{tblType}/{fileKey}`, so that playlists may name what lies beside them. */
export const PRIVATE_ASSET_PATH = '/asset/private';

/** Rows C3 and E10: a post that became public. */
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
/** To the fan's every tab: a post was bought, here or elsewhere. */
export const postUnlocked = event({
  name: 'POST_UNLOCKED',
  audience: 'user',
  payload: z.object({ postId: z.string() }),
});
