import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { postId } from '@stagedoor/contract/atoms/ids.ts';
import { toCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, BodyOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import type { listMedia, MediaDetail, media, mediaSettings, updateMedia } from '@stagedoor/contract/media.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../kernel/context.ts';
import { cursorOf, readIdOffset } from '../../../kernel/offset.ts';
import type { Actor } from '../../../kernel/session.ts';
import { requirePriceWithin } from '../../sales/index.ts';
import { requireUnheld } from '../guards.ts';
import { presentUpload } from '../present.ts';
import { enqueue, teaserJob } from '../queue.ts';
import { findOwnUpload, sightOf } from '../serving/access.ts';
import { findMedia, type MediaRow } from '../store.ts';
import { restoreDeleted, restUnused } from '../upkeep/deleted.ts';
import { takePoster } from './posters.ts';
import * as store from './store.ts';
import { postsOf, usesOf } from './uses.ts';

type Settings = z.infer<typeof mediaSettings>;
type Owner = Pick<Actor, 'userId'>;

/** Throws NOT_FOUND. */
export async function ownUpload(ctx: Context, actor: Owner, id: string): Promise<MediaRow> {
  const row = await findOwnUpload(ctx, actor, id);
  if (!row) throw new AppError('NOT_FOUND');
  return row;
}

export async function listUploads(
  ctx: Context,
  actor: Actor,
  { limit, offset, type, use, search }: QueryOf<typeof listMedia>,
): Promise<AnswerOf<typeof listMedia>> {
  const filter = { type, use, search };
  const rows = await store.list(ctx.db, actor.userId, filter, { ...readIdOffset(offset), limit: limit + 1 });
  // If the first page holds all results, no separate count is needed.
  const isAll = offset === '0' && rows.length <= limit;
  const totalCount = isAll ? rows.length : await store.count(ctx.db, actor.userId, filter);
  const shown = rows.slice(0, limit);
  const posts = await postsOf(
    ctx,
    shown.flatMap((row) => (row.used_at ? [row.id] : [])),
  );
  const data = shown.map((row) => {
    const post = posts.get(row.id);
    return { media: presentUpload(row), postId: post === undefined ? null : z.parse(postId, post) };
  });
  const last = shown.at(-1);
  return { data, limit, totalCount, ...(rows.length > limit && last ? { nextOffset: cursorOf(last.id) } : {}) };
}

/** Throws NOT_FOUND. */
export async function getDetail(ctx: Context, actor: Owner, id: string): Promise<MediaDetail> {
  const row = await ownUpload(ctx, actor, id);
  const uses = row.used_at ? await usesOf(ctx, id) : [];
  return {
    ...presentUpload(row),
    uses,
    buyerCount: uses.reduce((sum, use) => sum + use.buyerCount, 0),
    earned: toUsd(uses.reduce((sum, use) => sum + toCents(use.earned), 0)),
  };
}

function assertTeaser(row: MediaRow, teaser: { start: number; end: number }): void {
  if (row.kind === 'picture') throw new AppError('CONFLICT', { message: 'Photos can’t have a free preview.' });
  if (row.status !== 'ready') throw new AppError('CONFLICT', { message: 'This file is still processing.' });
  if (teaser.end > (row.duration_seconds ?? 0) + 0.5)
    throw new AppError('CONFLICT', { message: 'The free preview ends after the file does.' });
}

/**
 * A job makes the teaser's file.
 * Throws VALIDATION for a new price outside the current limits, NOT_FOUND, CONFLICT for settings that this medium
 * cannot have, or not yet.
 */
export async function changeUpload(
  ctx: Context,
  actor: Owner,
  id: string,
  body: BodyOf<typeof updateMedia>,
): Promise<MediaDetail> {
  const row = await ownUpload(ctx, actor, id);
  const { teaser, posterSecond, title, tags, price } = body;
  if (teaser) assertTeaser(row, teaser);
  if (posterSecond !== undefined) await takePoster(ctx, row, posterSecond);
  const isTeaserNew = teaser !== undefined && (teaser?.start !== row.teaser_start || teaser?.end !== row.teaser_end);
  const priceCents = price === undefined ? undefined : toCents(price);
  await ctx.db.transaction(async (tx) => {
    if (priceCents !== undefined && priceCents !== row.price_cents) await requirePriceWithin(tx, 'post', priceCents);
    const isThere = await store.change(tx, id, {
      title,
      tags: tags && [...new Set(tags)],
      price_cents: priceCents,
      teaser: isTeaserNew ? teaser : undefined,
    });
    if (!isThere) throw new AppError('NOT_FOUND');
    if (isTeaserNew) await enqueue(ctx, tx, teaserJob, id);
    await tx.emit('media.improved', { mediaId: id });
  });
  return getDetail(ctx, actor, id);
}

/** Files are retained for some days. Throws NOT_FOUND, CONFLICT while something uses it. */
export async function deleteUpload(ctx: Context, actor: Actor, id: string): Promise<void> {
  await ownUpload(ctx, actor, id);
  await ctx.db.transaction(async (tx) => {
    await requireUnheld(ctx, tx, id);
    if (!(await restUnused(ctx, tx, id)))
      throw new AppError('CONFLICT', { message: 'This file is in use and can’t be deleted.' });
  });
}

/** Throws NOT_FOUND, also if it is already erased. */
export async function restoreUpload(ctx: Context, actor: Actor, id: string): Promise<z.input<typeof media>> {
  await ctx.db.transaction(async (tx) => {
    if (!(await restoreDeleted(ctx, tx, actor.userId, id))) throw new AppError('NOT_FOUND');
  });
  return presentUpload(await ownUpload(ctx, actor, id));
}

export async function getSettings(ctx: Context, actor: Actor): Promise<Settings> {
  return { isWatermarked: await store.isWatermarked(ctx.db, actor.userId) };
}

export async function changeSettings(ctx: Context, actor: Actor, { isWatermarked }: Settings): Promise<Settings> {
  await ctx.db.transaction(async (tx) => {
    await store.setWatermarked(tx, actor.userId, isWatermarked);
    await tx.emit('media.settings', { ownerId: actor.userId });
  });
  return { isWatermarked };
}

const REMEMBERED_SECONDS = 60;
/** A position this close to the end counts as finished. */
const END_SECONDS = 10;

async function watched(ctx: Context, actor: Actor, id: string): Promise<MediaRow> {
  const row = (await sightOf(ctx, actor, id, undefined)) ? await findMedia(ctx.db, id) : undefined;
  if (row?.status !== 'ready') throw new AppError('NOT_FOUND');
  return row;
}

/** Returns the position in seconds. Throws NOT_FOUND if the viewer may not see the medium. */
export async function getPosition(ctx: Context, actor: Actor, id: string): Promise<{ seconds: number }> {
  await watched(ctx, actor, id);
  return { seconds: await store.positionOf(ctx.db, actor.userId, id) };
}

/** A position at the end clears it. Throws NOT_FOUND if the viewer may not see the medium. */
export async function savePosition(
  ctx: Context,
  actor: Actor,
  id: string,
  seconds: number,
): Promise<{ seconds: number }> {
  const length = (await watched(ctx, actor, id)).duration_seconds ?? 0;
  if (length <= REMEMBERED_SECONDS || seconds >= length - END_SECONDS) {
    await store.forgetPosition(ctx.db, actor.userId, id);
    return { seconds: 0 };
  }
  await store.savePosition(ctx.db, actor.userId, id, seconds, ctx.clock.now());
  return { seconds };
}
