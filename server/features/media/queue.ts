import { mediaId } from '@stagedoor/contract/atoms/ids.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import { job } from '../../kernel/jobs.ts';
import { keptMs } from '../../kernel/retention.ts';
import './events.ts';
import { keysOf } from './files.ts';
import { mediumOfFolder, originalKey, prefixesOf } from './keys.ts';
import { SENTENCES, SlowError } from './sentences.ts';
import { markFailed } from './steps.ts';
import type { MediaKind, MediaRow } from './store.ts';
import * as store from './store.ts';

const onMedia = z.object({ mediaId });
export const pictureJob = job('media.process', onMedia);
export const avifJob = job('media.avif', onMedia);
/** Publishes what needs no encoding. */
export const streamJob = job('media.stream', onMedia);
/** Encodes just enough for it to be playable. */
export const encodeJob = job('media.encode', onMedia);
/** Adds the plain file, scrubber frames, animated previews and the other renditions. */
export const improveJob = job('media.improve', onMedia);
export const teaserJob = job('media.teaser', onMedia);
export const forgetJob = job('media.forget', onMedia);
export const hashJob = job('media.hash', onMedia);
/** Deletes files that belong to no medium, such as replaced avatars. */
export const discardJob = job('media.discard', z.object({ prefixes: z.array(z.string()) }));
export const removeJob = job('media.remove', onMedia);

const DAY_MS = 24 * 60 * 60_000;
const ATTEMPTS = 5;
/** Jobs with lower values run sooner. */
const PRIORITY = { process: 0, teaser: 5, discard: 20, avif: 30, hash: 40 };
const ORIGINAL_KEPT_MS = keptMs('originals');
/** Failures of the store, disk space or a program are retried after this pause, for this long in total. */
const PAUSE_MS = 30 * 60_000;
const TRIED_MS = 3 * DAY_MS;

type OnMedia = typeof pictureJob;

const keyOf = (spec: OnMedia, id: string) => `${spec.name}:${id}`;

export const processingKeys = (id: string): string[] =>
  [pictureJob, streamJob, encodeJob].map((spec) => keyOf(spec, id));

function priorityOf(spec: OnMedia): number {
  if (spec === avifJob) return PRIORITY.avif;
  if (spec === hashJob) return PRIORITY.hash;
  return spec === teaserJob ? PRIORITY.teaser : PRIORITY.process;
}

/** A waiting job is replaced. */
export function enqueue(ctx: Context, tx: Transaction, spec: OnMedia, id: string, runAt?: Date): Promise<void> {
  const priority = priorityOf(spec);
  const options = { key: keyOf(spec, id), maxAttempts: ATTEMPTS, priority };
  return ctx.jobs.add(tx, spec, { mediaId: id }, runAt ? { ...options, runAt } : options);
}

export async function enqueueProcessing(ctx: Context, tx: Transaction, id: string, kind: MediaKind): Promise<void> {
  await enqueue(ctx, tx, kind === 'picture' ? pictureJob : streamJob, id);
  // The low priority makes sure that this job delays no upload.
  await enqueue(ctx, tx, hashJob, id);
}

export function enqueueDiscard(ctx: Context, tx: Transaction, prefixes: string[], runAt?: Date): Promise<void> {
  return ctx.jobs.add(tx, discardJob, { prefixes }, { priority: PRIORITY.discard, ...(runAt ? { runAt } : {}) });
}

export function enqueueForget(ctx: Context, tx: Transaction, id: string): Promise<void> {
  return enqueue(ctx, tx, forgetJob, id, new Date(ctx.clock.now().getTime() + ORIGINAL_KEPT_MS));
}

/** Deletes the files of a medium whose row is gone or failed once this transaction commits. */
export function enqueueRemoval(ctx: Context, tx: Transaction, id: string): Promise<void> {
  return ctx.jobs.add(tx, removeJob, { mediaId: id }, { priority: PRIORITY.discard });
}

/** Marks the upload as failed and deletes its files. Use it only for failures that the content causes. */
export async function failUpload(ctx: Context, id: string, ownerId: string, sentence: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (await giveUp(ctx, tx, { id, owner_id: ownerId }, sentence)) await enqueueRemoval(ctx, tx, id);
  });
}

async function giveUp(
  ctx: Context,
  tx: Transaction,
  { id, owner_id: ownerId }: { id: string; owner_id: string },
  sentence: string,
): Promise<boolean> {
  if (!(await markFailed(tx, id, sentence, ctx.clock.now()))) return false;
  await tx.emit('media.processed', { mediaId: id, ownerId });
  return true;
}

/**
 * Handles failures that say nothing about the content. The job is enqueued again after a pause. After a timeout or days
 * of failures the upload fails, and its original is retained.
 */
export async function tryLater(
  ctx: Context,
  spec: OnMedia,
  row: MediaRow,
  { error, sentence }: { error: unknown; sentence: string },
): Promise<void> {
  const now = ctx.clock.now().getTime();
  const isTriedAgain = !(error instanceof SlowError) && now - row.created_at.getTime() < TRIED_MS;
  ctx.log.error({ err: error, mediaId: row.id, isTriedAgain }, 'an upload could not be processed');
  await ctx.db.transaction(async (tx) => {
    if (isTriedAgain) await enqueue(ctx, tx, spec, row.id, new Date(now + PAUSE_MS));
    else await giveUp(ctx, tx, row, error instanceof SlowError ? SENTENCES.slow : sentence);
  });
}

async function discard({ storage }: Context, prefixes: readonly string[]): Promise<void> {
  for (const prefix of prefixes) {
    await storage.removeAll(prefix);
    await storage.remove(prefix);
  }
}

/** Files of a medium that still exists or is retained are never deleted. */
async function isKept(ctx: Context, id: string): Promise<boolean> {
  const row = await store.findMedia(ctx.db, id);
  const isAlive = row ? row.status !== 'failed' : (await store.deletedAmong(ctx.db, [id])).length > 0;
  if (isAlive) ctx.log.error({ mediaId: id }, 'a medium that lives was to be removed; it stays');
  return isAlive;
}

/** If a file that the row names is missing, the original is the last copy. */
async function forgetOriginal(ctx: Context, id: string): Promise<void> {
  const row = await store.findMedia(ctx.db, id);
  if (row?.status !== 'ready') return;
  for (const key of keysOf(row)) {
    if (await ctx.storage.open(key)) continue;
    ctx.log.error({ mediaId: id, key }, 'a file that a medium names is not in the store; its original stays');
    return;
  }
  await discard(ctx, [originalKey(id)]);
}

export function defineDiscard(ctx: Context): void {
  ctx.jobs.define(discardJob, async ({ prefixes }) => {
    // Jobs of earlier versions list everything of a medium here, not always correctly.
    for (const id of prefixes.flatMap((prefix) => mediumOfFolder(prefix) ?? [])) if (await isKept(ctx, id)) return;
    await discard(ctx, prefixes);
  });
  ctx.jobs.define(forgetJob, ({ mediaId: id }) => forgetOriginal(ctx, id));
  ctx.jobs.define(removeJob, async ({ mediaId: id }) => {
    if (!(await isKept(ctx, id))) await discard(ctx, prefixesOf(id));
  });
}
