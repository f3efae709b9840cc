import type { listMedia, MediaDetail, media, mediaSettings, updateMedia } from '@stagedoor/contract/content/media.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { draftId, postId } from '@stagedoor/contract/shared/ids.ts';
import { toCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { BodyOf, QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../../platform/context.ts';
import { parseIdOffset, toCursor } from '../../../../platform/database/pagination.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { requirePriceInLimits } from '../../../commerce/sales/index.ts';
import { requireDeletable } from '../deletion-guards.ts';
import { findMediaAccess, findOwnUpload } from '../delivery/access.ts';
import { enqueueMediaJob, teaserJob } from '../jobs/queue.ts';
import { restoreDeleted, softDeleteUnused } from '../maintenance/deleted.ts';
import { presentUpload } from '../present.ts';
import { findMedia, type MediaRow } from '../store.ts';
import * as texts from '../texts.ts';
import { setPosterFromFrame } from './posters.ts';
import * as store from './store.ts';
import { listDraftIds, listMediaUses, listPostIds } from './uses.ts';

type Settings = z.infer<typeof mediaSettings>;
type Owner = Pick<Actor, 'userId'>;

/** Throws NOT_FOUND. */
export async function getOwnUpload(ctx: Context, actor: Owner, id: string): Promise<MediaRow> {
  const row = await findOwnUpload(ctx, actor, id);
  if (!row) throw new AppError('NOT_FOUND');
  return row;
}

export async function listUploads(
  ctx: Context,
  actor: Actor,
  { limit, offset, type, use, search }: QueryOf<typeof listMedia>,
): Promise<ResponseInputOf<typeof listMedia>> {
  const filter = { type, use, search };
  const rows = await store.listLibrary(ctx.db, actor.userId, filter, { ...parseIdOffset(offset), limit: limit + 1 });
  // If the first page holds all results, no separate count is needed.
  const isOnlyPage = offset === '0' && rows.length <= limit;
  const totalCount = isOnlyPage ? rows.length : await store.countLibrary(ctx.db, actor.userId, filter);
  const shown = rows.slice(0, limit);
  const listIds = (isUsed: boolean) => shown.flatMap((row) => ((row.used_at !== null) === isUsed ? [row.id] : []));
  const [posts, drafts] = await Promise.all([listPostIds(ctx, listIds(true)), listDraftIds(ctx, listIds(false))]);
  const data = shown.map((row) => {
    const post = posts.get(row.id);
    return {
      media: presentUpload(row),
      postId: post === undefined ? null : z.parse(postId, post),
      draftIds: z.parse(z.array(draftId), drafts.get(row.id) ?? []),
    };
  });
  const last = shown.at(-1);
  return { data, limit, totalCount, ...(rows.length > limit && last ? { nextOffset: toCursor(last.id) } : {}) };
}

/** Throws NOT_FOUND. */
export async function getUploadDetail(ctx: Context, actor: Owner, id: string): Promise<MediaDetail> {
  const row = await getOwnUpload(ctx, actor, id);
  const uses = row.used_at ? await listMediaUses(ctx, id) : [];
  return {
    ...presentUpload(row),
    uses,
    buyerCount: uses.reduce((sum, use) => sum + use.buyerCount, 0),
    earned: toUsd(uses.reduce((sum, use) => sum + toCents(use.earned), 0)),
  };
}

function requireValidTeaser(row: MediaRow, teaser: { start: number; end: number }): void {
  if (row.kind === 'picture') throw new AppError('CONFLICT', { message: texts.photoPreviewError });
  if (row.status !== 'ready') throw new AppError('CONFLICT', { message: texts.fileStillProcessing });
  if (teaser.end > (row.duration_seconds ?? 0) + 0.5)
    throw new AppError('CONFLICT', { message: texts.previewTooLongError });
}

/**
 * A job makes the teaser's file.
 * Throws VALIDATION for a new price outside the current limits, NOT_FOUND, CONFLICT for settings that this medium
 * cannot have, or not yet.
 */
export async function updateUpload(
  ctx: Context,
  actor: Owner,
  id: string,
  body: BodyOf<typeof updateMedia>,
): Promise<MediaDetail> {
  const row = await getOwnUpload(ctx, actor, id);
  const { teaser, posterSecond, title, tags, price } = body;
  const priceCents = price === undefined ? undefined : toCents(price);
  const newPriceCents = priceCents === row.price_cents ? undefined : priceCents;
  if (teaser) requireValidTeaser(row, teaser);
  if (newPriceCents !== undefined) await requirePriceInLimits(ctx.db, 'post', newPriceCents);
  // Making the poster takes time, so everything that can be refused is checked before.
  if (posterSecond !== undefined) await setPosterFromFrame(ctx, row, posterSecond);
  const isTeaserNew = teaser !== undefined && (teaser?.start !== row.teaser_start || teaser?.end !== row.teaser_end);
  await ctx.db.transaction(async (tx) => {
    if (newPriceCents !== undefined) await requirePriceInLimits(tx, 'post', newPriceCents);
    const isUpdated = await store.updateMediaRow(tx, id, {
      title,
      tags: tags && [...new Set(tags)],
      price_cents: priceCents,
      teaser: isTeaserNew ? teaser : undefined,
    });
    if (!isUpdated) throw new AppError('NOT_FOUND');
    if (isTeaserNew) await enqueueMediaJob(ctx, tx, teaserJob, id);
    await tx.emit('media.updated', { mediaId: id });
  });
  return getUploadDetail(ctx, actor, id);
}

/** Files are retained for some days. Throws NOT_FOUND, CONFLICT while something uses it. */
export async function deleteUpload(ctx: Context, actor: Actor, id: string): Promise<void> {
  await getOwnUpload(ctx, actor, id);
  await ctx.db.transaction(async (tx) => {
    await requireDeletable(ctx, tx, id);
    if (!(await softDeleteUnused(ctx, tx, id))) throw new AppError('CONFLICT', { message: texts.fileInUse });
  });
}

/** Throws NOT_FOUND, also if it is already erased. */
export async function restoreUpload(ctx: Context, actor: Actor, id: string): Promise<z.input<typeof media>> {
  await ctx.db.transaction(async (tx) => {
    if (!(await restoreDeleted(ctx, tx, actor.userId, id))) throw new AppError('NOT_FOUND');
  });
  return presentUpload(await getOwnUpload(ctx, actor, id));
}

export async function getSettings(ctx: Context, actor: Actor): Promise<Settings> {
  return { isWatermarked: await store.isWatermarked(ctx.db, actor.userId) };
}

export async function updateSettings(ctx: Context, actor: Actor, { isWatermarked }: Settings): Promise<Settings> {
  await ctx.db.transaction(async (tx) => {
    await store.setWatermarked(tx, actor.userId, isWatermarked);
    await tx.emit('media.settingsChanged', { ownerId: actor.userId });
  });
  return { isWatermarked };
}

const MIN_SAVED_LENGTH_SECONDS = 60;
/** A position this close to the end counts as finished. */
const END_SECONDS = 10;

async function getWatchedMedia(ctx: Context, actor: Actor, id: string): Promise<MediaRow> {
  const row = (await findMediaAccess(ctx, actor, id, undefined)) ? await findMedia(ctx.db, id) : undefined;
  if (row?.status !== 'ready') throw new AppError('NOT_FOUND');
  return row;
}

/** Returns the position in seconds. Throws NOT_FOUND if the viewer may not see the medium. */
export async function getPosition(ctx: Context, actor: Actor, id: string): Promise<{ seconds: number }> {
  await getWatchedMedia(ctx, actor, id);
  return { seconds: await store.getPositionSeconds(ctx.db, actor.userId, id) };
}

/** A position at the end clears it. Throws NOT_FOUND if the viewer may not see the medium. */
export async function savePosition(
  ctx: Context,
  actor: Actor,
  id: string,
  seconds: number,
): Promise<{ seconds: number }> {
  const length = (await getWatchedMedia(ctx, actor, id)).duration_seconds ?? 0;
  if (length <= MIN_SAVED_LENGTH_SECONDS || seconds >= length - END_SECONDS) {
    await store.deletePosition(ctx.db, actor.userId, id);
    return { seconds: 0 };
  }
  await store.upsertPosition(ctx.db, actor.userId, id, seconds, ctx.clock.now());
  return { seconds };
}
