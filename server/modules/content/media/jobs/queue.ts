import { mediaId } from '@stagedoor/contract/shared/ids.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction } from '../../../../platform/database/db.ts';
import { defineJob } from '../../../../platform/jobs/jobs.ts';
import { getRetentionMs } from '../../../../platform/retention.ts';
import { MEDIA_MESSAGES, ProcessingTimeoutError } from '../../media-processing/index.ts';
import '../events.ts';
import { listFileKeys } from '../files.ts';
import { listMediaPrefixes, originalKey, parseFolderMediaId } from '../keys.ts';
import type { MediaKind, MediaRow } from '../store.ts';
import * as store from '../store.ts';
import { markFailed } from './processing-state.ts';

const mediaPayload = z.object({ mediaId });
export const pictureJob = defineJob('media.process', mediaPayload);
export const avifJob = defineJob('media.avif', mediaPayload);
/** Publishes what needs no encoding. */
export const streamJob = defineJob('media.stream', mediaPayload);
/** Encodes just enough for it to be playable. */
export const encodeJob = defineJob('media.encode', mediaPayload);
/** Adds the plain file, scrubber frames, animated previews and the other renditions. */
export const improveJob = defineJob('media.improve', mediaPayload);
export const teaserJob = defineJob('media.teaser', mediaPayload);
export const deleteOriginalJob = defineJob('media.deleteOriginal', mediaPayload);
export const hashJob = defineJob('media.hash', mediaPayload);
/** Deletes files that belong to no medium, such as replaced avatars. */
export const discardJob = defineJob('media.discard', z.object({ prefixes: z.array(z.string()) }));
export const removeJob = defineJob('media.remove', mediaPayload);

const DAY_MS = 24 * 60 * 60_000;
const ATTEMPTS = 5;
/** Jobs with lower values run sooner. */
const PRIORITY = { process: 0, teaser: 5, discard: 20, avif: 30, hash: 40 };
const ORIGINAL_RETENTION_MS = getRetentionMs('originals');
/** Failures of the store, disk space or a program are retried after this pause, for this long in total. */
const RETRY_PAUSE_MS = 30 * 60_000;
const MAX_RETRY_MS = 3 * DAY_MS;

type MediaJob = typeof pictureJob;

const toJobKey = (spec: MediaJob, id: string) => `${spec.name}:${id}`;

export const listProcessingJobKeys = (id: string): string[] =>
  [pictureJob, streamJob, encodeJob].map((spec) => toJobKey(spec, id));

function getPriority(spec: MediaJob): number {
  if (spec === avifJob) return PRIORITY.avif;
  if (spec === hashJob) return PRIORITY.hash;
  return spec === teaserJob ? PRIORITY.teaser : PRIORITY.process;
}

/** A waiting job is replaced. */
export function enqueueMediaJob(
  ctx: Context,
  tx: DbTransaction,
  spec: MediaJob,
  id: string,
  runAt?: Date,
): Promise<void> {
  const priority = getPriority(spec);
  const options = { key: toJobKey(spec, id), maxAttempts: ATTEMPTS, priority };
  return ctx.jobs.add(tx, spec, { mediaId: id }, runAt ? { ...options, runAt } : options);
}

export async function enqueueProcessing(ctx: Context, tx: DbTransaction, id: string, kind: MediaKind): Promise<void> {
  await enqueueMediaJob(ctx, tx, kind === 'picture' ? pictureJob : streamJob, id);
  // The low priority makes sure that this job delays no upload.
  await enqueueMediaJob(ctx, tx, hashJob, id);
}

export function enqueueDiscard(ctx: Context, tx: DbTransaction, prefixes: string[], runAt?: Date): Promise<void> {
  return ctx.jobs.add(tx, discardJob, { prefixes }, { priority: PRIORITY.discard, ...(runAt ? { runAt } : {}) });
}

export function enqueueOriginalDeletion(ctx: Context, tx: DbTransaction, id: string): Promise<void> {
  return enqueueMediaJob(ctx, tx, deleteOriginalJob, id, new Date(ctx.clock.now().getTime() + ORIGINAL_RETENTION_MS));
}

/** Deletes the files of a medium whose row is gone or failed once this transaction commits. */
export function enqueueRemoval(ctx: Context, tx: DbTransaction, id: string): Promise<void> {
  return ctx.jobs.add(tx, removeJob, { mediaId: id }, { priority: PRIORITY.discard });
}

/** Marks the upload as failed and deletes its files. Use it only for failures that the content causes. */
export async function failUpload(ctx: Context, id: string, ownerId: string, message: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (await failAndEmit(ctx, tx, { id, owner_id: ownerId }, message)) await enqueueRemoval(ctx, tx, id);
  });
}

async function failAndEmit(
  ctx: Context,
  tx: DbTransaction,
  { id, owner_id: ownerId }: { id: string; owner_id: string },
  message: string,
): Promise<boolean> {
  if (!(await markFailed(tx, id, message, ctx.clock.now()))) return false;
  await tx.emit('media.processed', { mediaId: id, ownerId });
  return true;
}

/**
 * Handles failures that say nothing about the content. The job is enqueued again after a pause. After a timeout or days
 * of failures the upload fails, and its original is retained.
 */
export async function retryLater(
  ctx: Context,
  spec: MediaJob,
  row: MediaRow,
  { error, message }: { error: unknown; message: string },
): Promise<void> {
  const now = ctx.clock.now().getTime();
  const shouldRetry = !(error instanceof ProcessingTimeoutError) && now - row.created_at.getTime() < MAX_RETRY_MS;
  ctx.log.error({ err: error, mediaId: row.id, shouldRetry }, 'an upload could not be processed');
  await ctx.db.transaction(async (tx) => {
    if (shouldRetry) await enqueueMediaJob(ctx, tx, spec, row.id, new Date(now + RETRY_PAUSE_MS));
    else await failAndEmit(ctx, tx, row, error instanceof ProcessingTimeoutError ? MEDIA_MESSAGES.timedOut : message);
  });
}

async function deletePrefixes({ storage }: Context, prefixes: readonly string[]): Promise<void> {
  for (const prefix of prefixes) {
    await storage.removeAll(prefix);
    await storage.remove(prefix);
  }
}

/** Files of a medium that still exists or is retained are never deleted. */
async function isRetained(ctx: Context, id: string): Promise<boolean> {
  const row = await store.findMedia(ctx.db, id);
  const isAlive = row ? row.status !== 'failed' : (await store.listDeletedIds(ctx.db, [id])).length > 0;
  if (isAlive) ctx.log.error({ mediaId: id }, 'files of an existing or retained medium were not deleted');
  return isAlive;
}

/** If a file that the row names is missing, the original is the last copy. */
async function deleteOriginal(ctx: Context, id: string): Promise<void> {
  const row = await store.findMedia(ctx.db, id);
  if (row?.status !== 'ready') return;
  for (const key of listFileKeys(row)) {
    if (await ctx.storage.open(key)) continue;
    ctx.log.error({ mediaId: id, key }, 'a file of a medium is missing in the store, so its original was not deleted');
    return;
  }
  await deletePrefixes(ctx, [originalKey(id)]);
}

export function defineDeletionJobs(ctx: Context): void {
  ctx.jobs.define(discardJob, async ({ prefixes }) => {
    // Jobs of earlier versions list everything of a medium here, not always correctly.
    for (const id of prefixes.flatMap((prefix) => parseFolderMediaId(prefix) ?? []))
      if (await isRetained(ctx, id)) return;
    await deletePrefixes(ctx, prefixes);
  });
  ctx.jobs.define(deleteOriginalJob, ({ mediaId: id }) => deleteOriginal(ctx, id));
  ctx.jobs.define(removeJob, async ({ mediaId: id }) => {
    if (!(await isRetained(ctx, id))) await deletePrefixes(ctx, listMediaPrefixes(id));
  });
}
