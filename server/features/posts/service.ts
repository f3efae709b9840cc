/** What people do with posts: publish, change, remove, read, like. Buying is in purchases.ts. */
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { toCents } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import type {
  createPost,
  likeUnlike,
  listCreatorPosts,
  listOwnPosts,
  Post,
  PostType,
} from '@stagedoor/contract/posts.ts';
import type { Context } from '../../kernel/context.ts';
import { newId } from '../../kernel/ids.ts';
import { cursorOf, readIdOffset } from '../../kernel/offset.ts';
import { claimOperation } from '../../kernel/operations.ts';
import type { Actor } from '../../kernel/session.ts';
import { hashRequest } from '../ledger/index.ts';
import { claimMedia, type MediaKind, showMedia } from '../media/index.ts';
import { accessPost, isVisibleTo } from './access.ts';
import './events.ts';
import { presentOwnPost, presentPost } from './present.ts';
import * as store from './store.ts';

type Draft = BodyOf<typeof createPost>;
type PageQuery = { limit: number; offset: string };

function typeOf(kinds: readonly MediaKind[]): PostType {
  if (kinds.every((kind) => kind === 'picture')) return kinds.length > 1 ? 'pictureSet' : 'picture';
  if (kinds.length === 1 && kinds[0] === 'video') return 'video';
  throw invalid('media', 'A post holds pictures, or one video.');
}

/**
 * Publishes a post of own, ready, unused media. The same operation again answers the same post.
 * Throws VALIDATION, NOT_FOUND (somebody else's media), CONFLICT (media in use or not ready, operation id reused).
 */
export async function publishPost(ctx: Context, actor: Actor, draft: Draft, operationId: string): Promise<Post> {
  const ids = draft.media.map(({ id }) => id);
  if (new Set(ids).size < ids.length) throw invalid('media', 'The same picture is in it twice.');
  const priceCents = toCents(draft.price);
  const id = newId(ctx.clock);
  const createdAt = ctx.clock.now();
  const earlier = await ctx.db.transaction(async (tx) => {
    const requestHash = hashRequest({
      call: 'createPost',
      caption: draft.caption,
      priceCents,
      media: draft.media.map((media) => [media.id, media.alt]),
    });
    const known = await claimOperation(tx, { actorId: actor.userId, operationId, requestHash, subjectId: id });
    if (known) return known;
    const type = typeOf(await claimMedia(ctx, tx, actor.userId, ids, priceCents === 0));
    await store.insertPost(tx, {
      id,
      creatorId: actor.userId,
      type,
      caption: draft.caption,
      priceCents,
      media: draft.media,
      createdAt,
    });
    const { userId: creatorId, username } = actor;
    await tx.emit('post.published', {
      postId: id,
      creatorId,
      username,
      type,
      createdAt: createdAt.toISOString(),
      priceCents,
    });
    return undefined;
  });
  return presentPost(await accessPost(ctx.db, actor, earlier ?? id, 'view'), actor.userId);
}

/**
 * Changes caption, price, order and alt texts; buyers keep it. The media themselves stay, as they are what was sold.
 * Throws NOT_FOUND, CONFLICT when it was removed, VALIDATION.
 */
export async function changePost(ctx: Context, actor: Actor, id: string, draft: Draft): Promise<Post> {
  const priceCents = toCents(draft.price);
  await ctx.db.transaction(async (tx) => {
    await store.lockPost(tx, id);
    const post = await accessPost(tx, actor, id, 'edit');
    if (post.removed_at) throw new AppError('CONFLICT', { message: 'This post was removed.' });
    const given = draft.media.map((media) => media.id);
    const present = new Set(post.media.map((media) => media.id));
    if (
      given.length !== present.size ||
      new Set(given).size !== present.size ||
      given.some((mediaId) => !present.has(mediaId))
    ) {
      throw invalid('media', 'The pictures of a published post stay. Their order and descriptions may change.');
    }
    await store.updatePost(tx, id, { caption: draft.caption, priceCents, media: draft.media, at: ctx.clock.now() });
    const isFree = priceCents === 0;
    if (isFree !== (post.price_cents === 0)) await showMedia(tx, given, isFree);
    await tx.emit('post.changed', { postId: id, creatorId: actor.userId, username: actor.username });
  });
  return presentPost(await accessPost(ctx.db, actor, id, 'view'), actor.userId);
}

/** Removes an own post for all but its buyers. Again, it stays removed. Throws NOT_FOUND. */
export async function removePost(ctx: Context, actor: Actor, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await store.lockPost(tx, id);
    const post = await accessPost(tx, actor, id, 'edit');
    if (post.removed_at) return;
    await store.removePost(tx, post, ctx.clock.now());
    const mediaIds = post.media.map((media) => media.id);
    if (post.price_cents === 0) await showMedia(tx, mediaIds, false);
    await tx.emit('post.removed', { postId: id, creatorId: actor.userId, username: actor.username });
  });
}

/** One post. Throws NOT_FOUND for what the viewer may not see. */
export async function getPost(ctx: Context, actor: Actor | undefined, id: string): Promise<Post> {
  return presentPost(await accessPost(ctx.db, actor, id, 'view'), actor?.userId ?? null);
}

/** A creator's published posts, newest first. Throws NOT_FOUND for who is none, or is blocked. */
export async function listPostsOf(
  ctx: Context,
  actor: Actor | undefined,
  creatorId: string,
  { limit, offset }: PageQuery,
): Promise<AnswerOf<typeof listCreatorPosts>> {
  const viewerId = actor?.userId ?? null;
  const page = { ...readIdOffset(offset), limit: limit + 1 };
  const [creator, rows] = await Promise.all([
    store.findCreator(ctx.db, creatorId),
    store.listOfCreator(ctx.db, viewerId, creatorId, page),
  ]);
  if (!creator || (creator.is_blocked && creatorId !== viewerId)) throw new AppError('NOT_FOUND');
  const shown = rows.slice(0, limit).filter((row) => isVisibleTo(row, viewerId));
  const data = shown.map((row) => presentPost(row, viewerId));
  const last = shown.at(-1);
  return {
    data,
    limit,
    totalCount: creator.post_count,
    ...(rows.length > limit && last ? { nextOffset: cursorOf(last.id) } : {}),
  };
}

/** Own posts with their numbers. */
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
      : store.findCreator(ctx.db, actor.userId).then((creator) => creator?.post_count ?? 0),
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

/** Likes, unlikes, or turns what is. The last wish wins, and the count is exact. Throws NOT_FOUND. */
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
