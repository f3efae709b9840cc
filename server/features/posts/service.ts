/** What people do with posts: publish, change, remove, pin, read, like. Buying is in purchases.ts. */
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

/** What makes a request the same as an earlier one, in a stable form. */
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
 * Publishes a post of own, ready, unused media. The same operation again answers the same post.
 * Throws VALIDATION, NOT_FOUND (somebody else's media), CONFLICT (media in use or not ready, operation id reused), NOT_VERIFIED.
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

/** What is in `all` and not in `some`. */
const without = (all: readonly string[], some: readonly string[]) => all.filter((id) => !some.includes(id));

/**
 * Puts other files into a locked post, all of them in use afterwards and what left it back in the library; answers what kind
 * of post it is then, and whether a file left it. Of what was bought nothing is taken away (decision 0052). Throws VALIDATION, NOT_FOUND, CONFLICT.
 */
async function exchangeMedia(ctx: Context, tx: Transaction, post: PostRow, given: string[], isPublic: boolean) {
  const present = post.media.map(({ id }) => String(id));
  const gone = without(present, given);
  const added = without(given, present);
  if (gone.length === 0 && added.length === 0) return { type: post.type, hasLost: false };
  if (gone.length > 0 && (await store.isSold(tx, post.id)))
    throw invalid(
      'media',
      'Fans bought this post: its files stay with it. Add to them, or take the post down and publish another.',
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
 * Changes caption, price, tags, people, files, their order and alt texts; buyers keep what they bought.
 * Throws NOT_FOUND, CONFLICT when it was removed or a file is not ready or used elsewhere, VALIDATION, NOT_VERIFIED when it was free.
 */
export async function changePost(ctx: Context, actor: Actor, id: string, content: PostContent): Promise<Post> {
  const priceCents = toCents(content.price);
  await ctx.db.transaction(async (tx) => {
    // First, as for pinning: another number of files is counted on the creator's row.
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

/** Removes an own post for all but its buyers; unsold, its files go back (give-back.ts). Again, it stays removed. Throws NOT_FOUND. */
export async function removePost(
  ctx: Context,
  actor: Pick<Actor, 'userId' | 'type' | 'username'>,
  id: string,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    // First, as for pinning: each writes both.
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

/**
 * Pins an own post at that place, first unless it says otherwise, the others after it; or unpins it. Throws NOT_FOUND, CONFLICT when
 * it was removed, or as many are pinned as may be.
 */
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
      throw new AppError('CONFLICT', { message: `${PINNED_POSTS} posts are pinned already. Unpin one of them first.` });
    if (wished.length === pinned.length && wished.every((each, index) => each === pinned[index])) return;
    await store.pin(tx, actor.userId, wished);
    await tx.emit('post.changed', { postId: id, creatorId: actor.userId, username: actor.username });
  });
}

/** One post. Throws NOT_FOUND for what the viewer may not see. */
export async function getPost(ctx: Context, actor: Actor | undefined, id: string): Promise<Post> {
  return presentPost(await accessPost(ctx.db, actor, id, 'view'));
}

/** A post's row as a visitor without a session has it. Throws NOT_FOUND for what they may not see. */
export function openPost(db: Executor, id: string): Promise<PostRow> {
  return accessPost(db, undefined, id, 'view');
}

/** A creator's published posts: the pinned ones, then newest first. Throws NOT_FOUND for who is none, is blocked, or apart from the viewer. */
export async function listPostsOf(
  ctx: Context,
  actor: Actor | undefined,
  creatorId: string,
  { limit, offset }: PageQuery,
): Promise<AnswerOf<typeof listCreatorPosts>> {
  const viewerId = actor?.userId ?? null;
  const { before, skip } = readIdOffset(offset);
  // Whoever comes with a cursor has passed the pinned ones.
  const page = { before, skip, limit: limit + 1, hasPinned: before === LAST_ID };
  const rows = await store.listOfCreator(ctx.db, viewerId, creatorId, page);
  // A post says what is to be known of its author; of who has none here it must be asked.
  const creator = rows[0] ?? (await store.findCreator(ctx.db, viewerId, creatorId));
  if (!creator || (creator.is_blocked && creatorId !== viewerId)) throw new AppError('NOT_FOUND');
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  // After pinned ones alone, the rest begins anew.
  const next = last && (last.pin_place === null ? cursorOf(last.id) : String(skip + shown.length));
  return {
    data: shown.filter(isVisible).map(presentPost),
    limit,
    totalCount: creator.post_count,
    ...(rows.length > limit && next ? { nextOffset: next } : {}),
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
