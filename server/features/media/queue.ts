/** The jobs of the media room by name, and how they are asked for. What they do is in process.ts and video/jobs.ts. */
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
/** Looks at a video or audio, and makes it playable if that needs no encoding. */
export const streamJob = job('media.stream', onMedia);
/** Encodes what cannot be played as it is, so far that it can be played. */
export const encodeJob = job('media.encode', onMedia);
/** All that is better to have: the plain file, small frames, moving previews, the other rungs. */
export const improveJob = job('media.improve', onMedia);
export const teaserJob = job('media.teaser', onMedia);
/** Removes what was uploaded, once all is made of it. */
export const forgetJob = job('media.forget', onMedia);
/** Knows identical copies by what was uploaded. */
export const hashJob = job('media.hash', onMedia);
/** Files that belong to no medium: portraits that were replaced. */
export const discardJob = job('media.discard', z.object({ prefixes: z.array(z.string()) }));
/** Everything of a medium that is gone, or failed. */
export const removeJob = job('media.remove', onMedia);

const DAY_MS = 24 * 60 * 60_000;
const ATTEMPTS = 5;
/** Lower runs sooner. */
const PRIORITY = { process: 0, teaser: 5, discard: 20, avif: 30, hash: 40 };
/** So long an original is kept once nothing more is made of it. */
const ORIGINAL_KEPT_MS = keptMs('originals');
/** What fails for want of a store, of room or of a program is tried again after such a pause, for so long in all. */
const PAUSE_MS = 30 * 60_000;
const TRIED_MS = 3 * DAY_MS;

type OnMedia = typeof pictureJob;

const keyOf = (spec: OnMedia, id: string) => `${spec.name}:${id}`;

/** The keys of the jobs of which one leads an upload to its end. */
export const processingKeys = (id: string): string[] =>
  [pictureJob, streamJob, encodeJob].map((spec) => keyOf(spec, id));

function priorityOf(spec: OnMedia): number {
  if (spec === avifJob) return PRIORITY.avif;
  if (spec === hashJob) return PRIORITY.hash;
  return spec === teaserJob ? PRIORITY.teaser : PRIORITY.process;
}

/** Asks for a job on a medium. One that waits already is replaced. */
export function enqueue(ctx: Context, tx: Transaction, spec: OnMedia, id: string, runAt?: Date): Promise<void> {
  const priority = priorityOf(spec);
  const options = { key: keyOf(spec, id), maxAttempts: ATTEMPTS, priority };
  return ctx.jobs.add(tx, spec, { mediaId: id }, runAt ? { ...options, runAt } : options);
}

/** Enqueues the processing of an upload that is complete in the store. */
export async function enqueueProcessing(ctx: Context, tx: Transaction, id: string, kind: MediaKind): Promise<void> {
  await enqueue(ctx, tx, kind === 'picture' ? pictureJob : streamJob, id);
  // When nothing else waits: nobody is kept from seeing their upload by it.
  await enqueue(ctx, tx, hashJob, id);
}

/** Enqueues the removal of everything under some prefixes of the store, at `runAt`. */
export function enqueueDiscard(ctx: Context, tx: Transaction, prefixes: string[], runAt?: Date): Promise<void> {
  return ctx.jobs.add(tx, discardJob, { prefixes }, { priority: PRIORITY.discard, ...(runAt ? { runAt } : {}) });
}

/** Enqueues the removal of what was uploaded, some days after all was made of it. */
export function enqueueForget(ctx: Context, tx: Transaction, id: string): Promise<void> {
  return enqueue(ctx, tx, forgetJob, id, new Date(ctx.clock.now().getTime() + ORIGINAL_KEPT_MS));
}

/** Enqueues the removal of every file of a medium whose row is gone or failed when this transaction commits. */
export function enqueueRemoval(ctx: Context, tx: Transaction, id: string): Promise<void> {
  return ctx.jobs.add(tx, removeJob, { mediaId: id }, { priority: PRIORITY.discard });
}

/** Ends an upload as failed, with a sentence for its owner, and throws its files away: for what its content does not allow. */
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
 * After the last attempt at what says nothing against an upload's content: the job is asked for again after a pause. Only what
 * took too long, or has failed for days, fails with a sentence, and its original rests (see the audit).
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

/** Whatever asked for it: nothing is taken from a medium that somebody has. */
async function isKept(ctx: Context, id: string): Promise<boolean> {
  const row = await store.findMedia(ctx.db, id);
  const isAlive = row ? row.status !== 'failed' : (await store.deletedAmong(ctx.db, [id])).length > 0;
  if (isAlive) ctx.log.error({ mediaId: id }, 'a medium that lives was to be removed; it stays');
  return isAlive;
}

/** Removes the original, if all that its medium's row names is really there: else it is all that is left. */
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

/** Declares the removal of files; again, there is nothing left to do. */
export function defineDiscard(ctx: Context): void {
  ctx.jobs.define(discardJob, async ({ prefixes }) => {
    // Jobs of earlier versions name all of a medium here, not always rightly.
    for (const id of prefixes.flatMap((prefix) => mediumOfFolder(prefix) ?? [])) if (await isKept(ctx, id)) return;
    await discard(ctx, prefixes);
  });
  ctx.jobs.define(forgetJob, ({ mediaId: id }) => forgetOriginal(ctx, id));
  ctx.jobs.define(removeJob, async ({ mediaId: id }) => {
    if (!(await isKept(ctx, id))) await discard(ctx, prefixesOf(id));
  });
}
