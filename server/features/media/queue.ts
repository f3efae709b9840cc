/** The jobs of the media room by name, and how they are asked for. What they do is in process.ts and video/jobs.ts. */
import { mediaId } from '@stagedoor/contract/atoms/ids.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import { job } from '../../kernel/jobs.ts';
import './events.ts';
import { clipPrefix, originalKey, previewPrefix, teaserPrefix, variantPrefix } from './keys.ts';
import type { MediaKind } from './store.ts';
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
export const discardJob = job('media.discard', z.object({ prefixes: z.array(z.string()) }));

const ATTEMPTS = 5;
/** Lower runs sooner. */
const PRIORITY = { process: 0, teaser: 5, discard: 20, avif: 30 };
/** So long an original is kept once nothing more is made of it. */
const ORIGINAL_KEPT_MS = 7 * 24 * 60 * 60_000;

type OnMedia = typeof pictureJob;

/** Asks for a job on a medium. One that waits already is replaced. */
export function enqueue(ctx: Context, tx: Transaction, spec: OnMedia, id: string, runAt?: Date): Promise<void> {
  const priority = spec === avifJob ? PRIORITY.avif : spec === teaserJob ? PRIORITY.teaser : PRIORITY.process;
  const options = { key: `${spec.name}:${id}`, maxAttempts: ATTEMPTS, priority };
  return ctx.jobs.add(tx, spec, { mediaId: id }, runAt ? { ...options, runAt } : options);
}

/** Enqueues the processing of an upload that is complete in the store. */
export function enqueueProcessing(ctx: Context, tx: Transaction, id: string, kind: MediaKind): Promise<void> {
  return enqueue(ctx, tx, kind === 'picture' ? pictureJob : streamJob, id);
}

/** Enqueues the removal of everything under some prefixes of the store, at `runAt`. */
export function enqueueDiscard(ctx: Context, tx: Transaction, prefixes: string[], runAt?: Date): Promise<void> {
  return ctx.jobs.add(tx, discardJob, { prefixes }, { priority: PRIORITY.discard, ...(runAt ? { runAt } : {}) });
}

/** Enqueues the removal of what was uploaded, some days after all was made of it. */
export function enqueueForget(ctx: Context, tx: Transaction, id: string): Promise<void> {
  return enqueueDiscard(ctx, tx, [originalKey(id)], new Date(ctx.clock.now().getTime() + ORIGINAL_KEPT_MS));
}

/** Every file that was or may be made of a medium. */
export function prefixesOf(id: string): string[] {
  return [originalKey(id), variantPrefix(id), previewPrefix(id), teaserPrefix(id), clipPrefix(id)];
}

/** Ends an upload as failed, with a sentence for its owner, and throws its files away. */
export async function failUpload(ctx: Context, id: string, ownerId: string, sentence: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await store.markFailed(tx, id, sentence, ctx.clock.now()))) return;
    await enqueueDiscard(ctx, tx, prefixesOf(id));
    await tx.emit('media.processed', { mediaId: id, ownerId });
  });
}

/** Declares the removal of files. */
export function defineDiscard(ctx: Context): void {
  ctx.jobs.define(discardJob, async ({ prefixes }) => {
    for (const prefix of prefixes) {
      await ctx.storage.removeAll(prefix);
      await ctx.storage.remove(prefix);
    }
  });
}
