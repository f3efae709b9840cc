import { toPostDetails } from '@stagedoor/contract/content/post-details.ts';
import type * as contract from '@stagedoor/contract/content/posts.ts';
import type { likeUnlikePost, listCreatorPosts, listOwnPosts, Post } from '@stagedoor/contract/content/posts.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { PINNED_POSTS } from '@stagedoor/contract/shared/limits.ts';
import { toCents } from '@stagedoor/contract/shared/money.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor } from '../../../platform/database/db.ts';
import { claimIdempotencyKey } from '../../../platform/database/idempotency.ts';
import { LAST_ID, parseIdOffset, toCursor } from '../../../platform/database/pagination.ts';
import { createId } from '../../../platform/ids.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { requirePriceInLimits } from '../../commerce/sales/index.ts';
import { adjustMediaCount } from '../../identity/accounts/index.ts';
import { hashRequest } from '../../ledger/ledger/index.ts';
import { isFree } from '../entitlements/index.ts';
import { claimMedia, type MediaKind, releaseMedia, setMediaVisibility, updateMediaGrouping } from '../media/index.ts';
import { accessPost, isVisible } from './access.ts';
import { resolveDetails } from './audience.ts';
import './events.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { PostRow } from './hydrate.ts';
import { presentOwnPost, presentPost } from './present.ts';
import {
  type PostContent,
  publishContent,
  requireAllowedPrice,
  requirePublishable,
  requireUniqueMedia,
  toPostType,
} from './publish.ts';
import * as store from './store.ts';
import { requireNoRemovedTaggedUsers, requireTaggable } from './tagged-users.ts';
import * as texts from './texts.ts';

type PostPageQuery = { limit: number; offset: string };

function hashContent(content: PostContent): Buffer {
  const { caption, price, media, people } = content;
  return hashRequest({
    call: 'createPost',
    caption,
    priceCents: toCents(price),
    media: media.map(({ id, alt }) => [id, alt]),
    details: toPostDetails(content),
    people,
  });
}

/**
 * The same operation id returns the same post.
 * Throws VALIDATION, NOT_FOUND (media of another user), CONFLICT (media in use or not ready, operation id reused),
 * NOT_VERIFIED.
 */
export async function publishPost(
  ctx: Context,
  actor: Actor,
  content: PostContent,
  operationId: string,
): Promise<Post> {
  requireUniqueMedia(content.media);
  const id = createId(ctx.clock);
  const existingId = await ctx.db.transaction(async (tx) => {
    const requestHash = hashContent(content);
    const knownId = await claimIdempotencyKey(tx, { actorId: actor.userId, operationId, requestHash, subjectId: id });
    if (!knownId) await publishContent(ctx, tx, id, actor, content);
    return knownId;
  });
  return presentPost(await accessPost(ctx.db, actor, existingId ?? id, 'view'));
}

const exclude = (all: readonly string[], some: readonly string[]) => all.filter((id) => !some.includes(id));

/**
 * The caller must hold the lock on the post. Files of a sold post cannot be removed. Throws VALIDATION, NOT_FOUND,
 * CONFLICT.
 */
async function replaceMedia(ctx: Context, tx: DbTransaction, post: PostRow, newIds: string[], isPublic: boolean) {
  const currentIds = post.media.map(({ id }) => String(id));
  const removedIds = exclude(currentIds, newIds);
  const addedIds = exclude(newIds, currentIds);
  if (removedIds.length === 0 && addedIds.length === 0) return { type: post.type, hasRemovedMedia: false };
  if (removedIds.length > 0 && (await store.isSold(tx, post.id)))
    throw createFieldError('media', texts.unlockedFilesLocked);
  const kinds = new Map<string, MediaKind>(post.media.map(({ id, kind }) => [id, kind]));
  const claimed = await claimMedia(ctx, tx, post.creator_id, addedIds, isPublic);
  for (const [index, kind] of claimed.entries()) kinds.set(addedIds[index] ?? '', kind);
  const type = toPostType(newIds.flatMap((id) => kinds.get(id) ?? []));
  await updateMediaGrouping(tx, newIds);
  await releaseMedia(tx, removedIds);
  await adjustMediaCount(tx, post.creator_id, addedIds.length - removedIds.length);
  return { type, hasRemovedMedia: removedIds.length > 0 };
}

/**
 * Throws NOT_FOUND, CONFLICT if it was removed or a file is not ready or used elsewhere, VALIDATION, NOT_VERIFIED if it
 * was free and gets a price, or if files become public.
 */
export async function editPost(ctx: Context, actor: Actor, id: string, content: PostContent): Promise<Post> {
  const priceCents = toCents(content.price);
  await ctx.db.transaction(async (tx) => {
    // The creator's row is locked first, as for pinning, because files are counted on it.
    await store.lockCreator(tx, actor.userId);
    await store.lockPost(tx, id);
    const post = await accessPost(tx, actor, id, 'edit');
    if (post.removed_at) throw new AppError('CONFLICT', { message: texts.postRemoved });
    if (isFree(post.price_cents)) await requireAllowedPrice(ctx, tx, actor.userId, priceCents);
    else if (priceCents !== post.price_cents) await requirePriceInLimits(tx, 'post', priceCents);
    requireUniqueMedia(content.media);
    const newIds = content.media.map((media) => String(media.id));
    const isPublic = isFree(priceCents);
    const publicIds = isFree(post.price_cents) ? post.media.map((media) => String(media.id)) : [];
    if (isPublic && exclude(newIds, publicIds).length > 0) await requirePublishable(ctx, tx, actor.userId, priceCents);
    const mediaChange = await replaceMedia(ctx, tx, post, newIds, isPublic);
    await requireTaggable(tx, actor.userId, content.people);
    await requireNoRemovedTaggedUsers(tx, id, content.people);
    const { caption, media, people } = content;
    const details = await resolveDetails(tx, actor.userId, toPostDetails(content), priceCents);
    await store.updatePost(tx, id, {
      ...mediaChange,
      caption,
      priceCents,
      media,
      details,
      people,
      at: ctx.clock.now(),
    });
    if (isPublic !== isFree(post.price_cents)) await setMediaVisibility(tx, newIds, isPublic);
    if (priceCents !== post.price_cents) await tx.emit('post.priceChanged', { postId: id, creatorId: actor.userId });
    if (details.subscribers !== post.details.subscribers)
      await tx.emit('post.audienceChanged', { creatorId: actor.userId, postIds: [id] });
    await tx.emit('post.changed', { postId: id, creatorId: actor.userId, username: actor.username });
  });
  return presentPost(await accessPost(ctx.db, actor, id, 'view'));
}

/** Buyers keep access. The files of an unsold post are released (release-files.ts). Idempotent. Throws NOT_FOUND. */
export async function removePost(
  ctx: Context,
  actor: Pick<Actor, 'userId' | 'type' | 'username'>,
  id: string,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    // The creator's row is locked first, as for pinning.
    await store.lockCreator(tx, actor.userId);
    await store.lockPost(tx, id);
    const post = await accessPost(tx, actor, id, 'edit');
    if (post.removed_at) return store.markDeleted(tx, id, ctx.clock.now());
    await store.removePost(tx, post, ctx.clock.now());
    const mediaIds = post.media.map((media) => media.id);
    if (isFree(post.price_cents)) await setMediaVisibility(tx, mediaIds, false);
    await tx.emit('post.removed', { postId: id, creatorId: actor.userId, username: actor.username });
  });
}

/** Throws NOT_FOUND, CONFLICT if it was removed or the maximum is pinned. */
export async function pinPost(
  ctx: Context,
  actor: Actor,
  id: string,
  { isPinned, position = 1 }: BodyOf<typeof contract.pinPost>,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await store.lockCreator(tx, actor.userId);
    await store.lockPost(tx, id);
    const post = await accessPost(tx, actor, id, 'edit');
    if (post.removed_at) throw new AppError('CONFLICT', { message: texts.postRemoved });
    const previousIds = await store.listPinnedIds(tx, actor.userId);
    const pinnedIds = previousIds.filter((each) => each !== id);
    if (isPinned) pinnedIds.splice(position - 1, 0, id);
    if (pinnedIds.length > PINNED_POSTS)
      throw new AppError('CONFLICT', { message: formatText(texts.pinnedPostsLimit, { maxCount: PINNED_POSTS }) });
    if (pinnedIds.length === previousIds.length && pinnedIds.every((each, index) => each === previousIds[index]))
      return;
    await store.setPinned(tx, actor.userId, pinnedIds);
    await tx.emit('post.changed', { postId: id, creatorId: actor.userId, username: actor.username });
  });
}

/** Throws NOT_FOUND. */
export async function getPost(ctx: Context, actor: Actor | undefined, id: string): Promise<Post> {
  return presentPost(await accessPost(ctx.db, actor, id, 'view'));
}

/** Returns the post as a visitor without a session sees it. Throws NOT_FOUND. */
export function getPublicPost(db: Executor, id: string): Promise<PostRow> {
  return accessPost(db, undefined, id, 'view');
}

/** Throws NOT_FOUND if the user is not a creator, is blocked or is in a blocked pair with the viewer. */
export async function listProfilePosts(
  ctx: Context,
  actor: Actor | undefined,
  creatorId: string,
  { limit, offset }: PostPageQuery,
): Promise<ResponseInputOf<typeof listCreatorPosts>> {
  const viewerId = actor?.userId ?? null;
  const { before, skip } = parseIdOffset(offset);
  // A cursor is always past the pinned posts.
  const page = { before, skip, limit: limit + 1, hasPinned: before === LAST_ID };
  const rows = await store.listByCreator(ctx.db, viewerId, creatorId, page);
  // A post contains the data of its author. Without posts it must be read separately.
  const creator = rows[0] ?? (await store.findPostCreator(ctx.db, viewerId, creatorId));
  if (!creator || (creator.is_blocked && creatorId !== viewerId)) throw new AppError('NOT_FOUND');
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  // After a page of only pinned posts, the next page continues by offset.
  const next = last && (last.pin_place === null ? toCursor(last.id) : String(skip + shown.length));
  return {
    data: shown.filter(isVisible).map(presentPost),
    limit,
    totalCount: creator.post_count,
    ...(rows.length > limit && next ? { nextOffset: next } : {}),
  };
}

export async function viewOwnPosts(
  ctx: Context,
  actor: Actor,
  { limit, offset, status }: PostPageQuery & { status: 'published' | 'removed' },
): Promise<ResponseInputOf<typeof listOwnPosts>> {
  const page = { ...parseIdOffset(offset), limit: limit + 1 };
  const [rows, pinnedIds, totalCount] = await Promise.all([
    store.queryOwnPosts(ctx.db, actor.userId, status, page),
    store.listPinnedIds(ctx.db, actor.userId),
    status === 'removed'
      ? store.countRemoved(ctx.db, actor.userId)
      : store.findPostCreator(ctx.db, actor.userId, actor.userId).then((creator) => creator?.post_count ?? 0),
  ]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: shown.map(presentOwnPost),
    limit,
    totalCount,
    pinnedCount: pinnedIds.length,
    ...(rows.length > limit && last ? { nextOffset: toCursor(last.id) } : {}),
  };
}

/** Toggles if `shouldLike` is undefined. The last request wins, and the count is exact. Throws NOT_FOUND. */
export async function likePost(
  ctx: Context,
  actor: Actor,
  id: string,
  shouldLike: boolean | undefined,
): Promise<ResponseInputOf<typeof likeUnlikePost>> {
  await accessPost(ctx.db, actor, id, 'like');
  const { is_liked: isLiked, like_count: likeCount } = await store.like(ctx.db, id, actor.userId, shouldLike ?? null);
  return { isLiked, likeCount };
}
