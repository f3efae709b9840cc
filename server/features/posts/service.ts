import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { PINNED_POSTS } from '@stagedoor/contract/atoms/limits.ts';
import { toCents } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import type * as contract from '@stagedoor/contract/posts.ts';
import type { likeUnlike, listCreatorPosts, listOwnPosts, Post } from '@stagedoor/contract/posts.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Transaction } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { cursorOf, LAST_ID, readIdOffset } from '../../kernel/offset.ts';
import { claimOperation } from '../../kernel/operations.ts';
import type { Actor } from '../../kernel/session.ts';
import { countMedia } from '../accounts/index.ts';
import { isFree } from '../entitlements/index.ts';
import { hashRequest } from '../ledger/index.ts';
import { claimMedia, groupMedia, type MediaKind, releaseMedia, showMedia } from '../media/index.ts';
import { requirePriceWithin } from '../sales/index.ts';
import { accessPost, isVisible } from './access.ts';
import './events.ts';
import type { PostRow } from './hydrate.ts';
import { requireNobodyLeft, requirePeople } from './people.ts';
import { presentOwnPost, presentPost } from './present.ts';
import { type PostContent, publishContent, requireMayAsk, requireOnce, typeOf } from './publish.ts';
import * as store from './store.ts';

type PageQuery = { limit: number; offset: string };

function hashOf(content: PostContent): Buffer {
  const { caption, price, media, tags, people } = content;
  return hashRequest({
    call: 'createPost',
    caption,
    priceCents: toCents(price),
    media: media.map(({ id, alt }) => [id, alt]),
    tags,
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
  requireOnce(content.media);
  const id = newId(ctx.clock);
  const earlier = await ctx.db.transaction(async (tx) => {
    const requestHash = hashOf(content);
    const known = await claimOperation(tx, { actorId: actor.userId, operationId, requestHash, subjectId: id });
    if (!known) await publishContent(ctx, tx, id, actor, content);
    return known;
  });
  return presentPost(await accessPost(ctx.db, actor, earlier ?? id, 'view'));
}

const without = (all: readonly string[], some: readonly string[]) => all.filter((id) => !some.includes(id));

/**
 * The caller must hold the lock on the post. Files of a sold post cannot be removed. Throws VALIDATION, NOT_FOUND,
 * CONFLICT.
 */
async function exchangeMedia(ctx: Context, tx: Transaction, post: PostRow, given: string[], isPublic: boolean) {
  const present = post.media.map(({ id }) => String(id));
  const gone = without(present, given);
  const added = without(given, present);
  if (gone.length === 0 && added.length === 0) return { type: post.type, hasLost: false };
  if (gone.length > 0 && (await store.isSold(tx, post.id)))
    throw invalid(
      'media',
      'Fans have unlocked this post, so you can’t remove its files. You can add files, or delete the post and publish a new one.',
    );
  const kinds = new Map<string, MediaKind>(post.media.map(({ id, kind }) => [id, kind]));
  const claimed = await claimMedia(ctx, tx, post.creator_id, added, isPublic);
  for (const [index, kind] of claimed.entries()) kinds.set(added[index] ?? '', kind);
  const type = typeOf(given.flatMap((id) => kinds.get(id) ?? []));
  await groupMedia(tx, given);
  await releaseMedia(tx, gone);
  await countMedia(tx, post.creator_id, added.length - gone.length);
  return { type, hasLost: gone.length > 0 };
}

/**
 * Throws NOT_FOUND, CONFLICT if it was removed or a file is not ready or used elsewhere, VALIDATION, NOT_VERIFIED if it
 * was free.
 */
export async function changePost(ctx: Context, actor: Actor, id: string, content: PostContent): Promise<Post> {
  const priceCents = toCents(content.price);
  await ctx.db.transaction(async (tx) => {
    // The creator's row is locked first, as for pinning, because files are counted on it.
    await store.lockCreator(tx, actor.userId);
    await store.lockPost(tx, id);
    const post = await accessPost(tx, actor, id, 'edit');
    if (post.removed_at) throw new AppError('CONFLICT', { message: 'This post was removed.' });
    if (isFree(post.price_cents)) await requireMayAsk(ctx, tx, actor.userId, priceCents);
    else if (priceCents !== post.price_cents) await requirePriceWithin(tx, 'post', priceCents);
    requireOnce(content.media);
    const given = content.media.map((media) => String(media.id));
    const isPublic = isFree(priceCents);
    const exchanged = await exchangeMedia(ctx, tx, post, given, isPublic);
    await requirePeople(tx, actor.userId, content.people);
    await requireNobodyLeft(tx, id, content.people);
    const { caption, media, people } = content;
    const tags = [...new Set(content.tags)];
    await store.updatePost(tx, id, { ...exchanged, caption, priceCents, media, tags, people, at: ctx.clock.now() });
    if (isPublic !== isFree(post.price_cents)) await showMedia(tx, given, isPublic);
    await tx.emit('post.changed', { postId: id, creatorId: actor.userId, username: actor.username });
  });
  return presentPost(await accessPost(ctx.db, actor, id, 'view'));
}

/** Buyers keep access. The files of an unsold post are released (give-back.ts). Idempotent. Throws NOT_FOUND. */
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
    if (post.removed_at) return store.noteDeleted(tx, id, ctx.clock.now());
    await store.removePost(tx, post, ctx.clock.now());
    const mediaIds = post.media.map((media) => media.id);
    if (isFree(post.price_cents)) await showMedia(tx, mediaIds, false);
    await tx.emit('post.removed', { postId: id, creatorId: actor.userId, username: actor.username });
  });
}

/** Throws NOT_FOUND, CONFLICT if it was removed or the maximum is pinned. */
export async function pinPost(
  ctx: Context,
  actor: Actor,
  id: string,
  { isPinned, place = 1 }: BodyOf<typeof contract.pinPost>,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await store.lockCreator(tx, actor.userId);
    await store.lockPost(tx, id);
    const post = await accessPost(tx, actor, id, 'edit');
    if (post.removed_at) throw new AppError('CONFLICT', { message: 'This post was removed.' });
    const pinned = await store.pinnedOf(tx, actor.userId);
    const wished = pinned.filter((each) => each !== id);
    if (isPinned) wished.splice(place - 1, 0, id);
    if (wished.length > PINNED_POSTS)
      throw new AppError('CONFLICT', { message: `You can pin up to ${PINNED_POSTS} posts. Unpin one first.` });
    if (wished.length === pinned.length && wished.every((each, index) => each === pinned[index])) return;
    await store.pin(tx, actor.userId, wished);
    await tx.emit('post.changed', { postId: id, creatorId: actor.userId, username: actor.username });
  });
}

/** Throws NOT_FOUND. */
export async function getPost(ctx: Context, actor: Actor | undefined, id: string): Promise<Post> {
  return presentPost(await accessPost(ctx.db, actor, id, 'view'));
}

/** Returns the post as a visitor without a session sees it. Throws NOT_FOUND. */
export function openPost(db: Executor, id: string): Promise<PostRow> {
  return accessPost(db, undefined, id, 'view');
}

/** Throws NOT_FOUND if the user is not a creator, is blocked or is in a blocked pair with the viewer. */
export async function listPostsOf(
  ctx: Context,
  actor: Actor | undefined,
  creatorId: string,
  { limit, offset }: PageQuery,
): Promise<AnswerOf<typeof listCreatorPosts>> {
  const viewerId = actor?.userId ?? null;
  const { before, skip } = readIdOffset(offset);
  // A cursor is always past the pinned posts.
  const page = { before, skip, limit: limit + 1, hasPinned: before === LAST_ID };
  const rows = await store.listOfCreator(ctx.db, viewerId, creatorId, page);
  // A post contains the data of its author. Without posts it must be read separately.
  const creator = rows[0] ?? (await store.findCreator(ctx.db, viewerId, creatorId));
  if (!creator || (creator.is_blocked && creatorId !== viewerId)) throw new AppError('NOT_FOUND');
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  // After a page of only pinned posts, the next page continues by offset.
  const next = last && (last.pin_place === null ? cursorOf(last.id) : String(skip + shown.length));
  return {
    data: shown.filter(isVisible).map(presentPost),
    limit,
    totalCount: creator.post_count,
    ...(rows.length > limit && next ? { nextOffset: next } : {}),
  };
}

export async function listOwn(
  ctx: Context,
  actor: Actor,
  { limit, offset, status }: PageQuery & { status: 'published' | 'removed' },
): Promise<AnswerOf<typeof listOwnPosts>> {
  const page = { ...readIdOffset(offset), limit: limit + 1 };
  const [rows, totalCount] = await Promise.all([
    store.listOwn(ctx.db, actor.userId, status, page),
    status === 'removed'
      ? store.countRemoved(ctx.db, actor.userId)
      : store.findCreator(ctx.db, actor.userId, actor.userId).then((creator) => creator?.post_count ?? 0),
  ]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: shown.map(presentOwnPost),
    limit,
    totalCount,
    ...(rows.length > limit && last ? { nextOffset: cursorOf(last.id) } : {}),
  };
}

/** Toggles if `wish` is undefined. The last request wins, and the count is exact. Throws NOT_FOUND. */
export async function likePost(
  ctx: Context,
  actor: Actor,
  id: string,
  wish: boolean | undefined,
): Promise<AnswerOf<typeof likeUnlike>> {
  await accessPost(ctx.db, actor, id, 'like');
  const { is_liked: isLiked, like_count: likeCount } = await store.like(ctx.db, id, actor.userId, wish ?? null);
  return { isLiked, likeCount };
}
